//! What sites talked about through the years.

use kuai_page::{Capture, Timestamp, Url};
use kuai_search::{Index, TopicCount};

use crate::paragraphs::archive;

#[test]
fn topics_come_rise_and_go() {
    let archive = archive();
    let put = |page: usize, year: i16, texts: &[&str]| {
        let url = Url::parse(&format!("https://a.light.example/{page}")).unwrap();
        let time: Timestamp = format!("{year}-03-01T00:00:00Z").parse().unwrap();
        let body: String = texts.iter().map(|text| format!("<p>{text}</p>")).collect();
        archive
            .commit(&Capture::new(
                url,
                time,
                format!("<title>{}</title><body>{body}<p>End {page} of {year}", texts[0]).into_bytes(),
            ))
            .unwrap();
    };
    for page in 0..10 {
        put(page, 2020, if page < 4 { &["Petroleum lamps"] } else { &["Gulls"] });
        put(page, 2021, if page < 7 { &["Electric lamps"] } else { &["Ferries"] });
    }
    let mut index = Index::in_memory().unwrap();
    index.follow(&archive, &mut |_, _| true).unwrap();
    let now: Timestamp = "2021-12-31T00:00:00Z".parse().unwrap();
    let years = index.topics(None, now, 10).unwrap();
    let words = |topics: &[TopicCount]| {
        topics.iter().map(|topic| format!("{} {}", topic.word, topic.pages)).collect::<Vec<_>>()
    };
    let last = years.last().unwrap();
    assert_eq!((last.year, last.pages), (2021, 10));
    assert!(words(&last.new).contains(&"ferries 3".to_owned()), "{last:?}");
    assert!(words(&years[0].most).contains(&"petroleum 4".to_owned()), "{years:?}");
    assert_eq!(index.topics(Some("light.example"), now, 10).unwrap(), years);
    assert_eq!(index.topics(Some("dark.example"), now, 10).unwrap(), []);
}
