#![allow(warnings)]
use kuai_page::*;
use kuai_segment::*;
#[test]
fn real() {
    let list = std::fs::read_to_string("/tmp/real.txt").unwrap();
    let m = method(DEFAULT_METHOD).unwrap();
    let all = std::env::var_os("SCORE").is_some();
    let mut n = 0.0;
    let mut sum = 0.0;
    for line in list.lines() {
        let (path, url) = line.split_once('\t').unwrap();
        let bytes = std::fs::read(path).unwrap();
        let page = Page::from_bytes(&bytes, Url::parse(url).ok().as_ref(), None, &Limits::default());
        let tree = m.segmenter(&m.defaults()).segment(&page);
        let out = markdown(&page, &tree, &Wanted::of(m));
        let name = path.trim_start_matches('/').replace('/', "_");
        let dir = std::env::var("OUT").unwrap_or("/tmp/real".into());
        std::fs::create_dir_all(&dir).unwrap();
        if !all {
            std::fs::write(format!("{dir}/{name}.md"), out).unwrap();
            std::fs::write(format!("{dir}/{name}.htm"), html(&page, &tree, &Wanted::of(m))).unwrap();
        }
        std::fs::write(format!("{dir}/{name}.txt"), text(&page, &tree, &Wanted::of(m))).unwrap();
    }
}
