//! Four made-up sites, each of another age of the Web.

use crate::text::{Draw, chinese, chinese_title, english, english_title};

/// A page of a site as it is served, and its clean text.
pub(crate) struct SitePage {
    pub(crate) body: Vec<u8>,
    pub(crate) answer: String,
}

/// A made-up site.
pub(crate) struct Site {
    pub(crate) name: &'static str,
    /// A page by number.
    pub(crate) page: fn(usize) -> SitePage,
    /// Pages of other kinds, which are not to be cleaned.
    pub(crate) odd: fn() -> Vec<Vec<u8>>,
}

pub(crate) const SITES: [Site; 4] = [
    Site { name: "fonts and tables, GB2312", page: fonts, odd: odd_fonts },
    Site { name: "divs", page: divs, odd: odd_divs },
    Site { name: "semantic", page: semantic, odd: odd_semantic },
    Site { name: "adverts and links inside paragraphs", page: adverts, odd: odd_adverts },
];

fn gb2312(text: &str) -> Vec<u8> {
    encoding_rs::GBK.encode(text).0.into_owned()
}

/// A literature site of the early 2000s: one table cell holds title, text and links, parted by breaks and rules.
fn fonts(number: usize) -> SitePage {
    let mut draw = Draw::new(number as u64 + 11);
    let title = chinese_title(&mut draw, number + 1);
    let paragraphs: Vec<String> = (0..3 + draw.below(20)).map(|_| chinese(&mut draw)).collect();
    let text: String =
        paragraphs.iter().map(|text| format!("&nbsp;&nbsp;&nbsp;&nbsp;{text}<BR>\r\n<BR>\r\n")).collect();
    let body = format!(
        "<HTML><HEAD><TITLE>{title} - 灯塔书库</TITLE></HEAD>\r\n<BODY BGCOLOR=#FFFFFF>\r\n\
         <TABLE WIDTH=760 BORDER=0 ALIGN=CENTER><TR><TD ALIGN=CENTER><A HREF=/>首页</A> | <A HREF=/new.htm>新书上架</A> | \
         <A HREF=/bbs/>读者论坛</A> | <A HREF=/about.htm>关于本站</A></TD></TR>\r\n\
         <TR><TD><CENTER><FONT COLOR=#990000 SIZE=4><B>{title}</B></FONT></CENTER><HR>\r\n\
         <FONT COLOR=#000082 STYLE=\"FONT-SIZE: 9pt\">{text}</FONT>\r\n<HR>\r\n\
         灯塔书库扫描校对，转载请注明出处。<BR>\r\n<CENTER><A HREF={}.htm>上一回</A> <A HREF=index.htm>回目录</A> \
         <A HREF={}.htm>下一回</A></CENTER></TD></TR></TABLE>\r\n\
         <CENTER><FONT SIZE=1>版权所有 灯塔书库 一九九八年至今。今日访问 {} 人次。</FONT></CENTER></BODY></HTML>",
        number.saturating_sub(1),
        number + 1,
        draw.below(90_000),
    );
    SitePage { body: gb2312(&body), answer: format!("{title}\n{}", paragraphs.join("\n")) }
}

fn odd_fonts() -> Vec<Vec<u8>> {
    let links: String = (1..60).map(|number| format!("<LI><A HREF={number}.htm>第{number}回</A>\r\n")).collect();
    let contents = format!("<HTML><TITLE>目录</TITLE><BODY><H2>全书目录</H2><UL>{links}</UL></BODY></HTML>");
    vec![gb2312(&contents), gb2312("<HTML><BODY><H1>找不到您要的网页</H1>请返回首页。</BODY></HTML>"), Vec::new()]
}

/// A magazine of the 2010s.
fn divs(number: usize) -> SitePage {
    let mut draw = Draw::new(number as u64 + 500);
    let title = english_title(&mut draw);
    let paragraphs: Vec<String> = (0..2 + draw.below(25)).map(|_| english(&mut draw)).collect();
    let text: String = paragraphs.iter().map(|text| format!("<p>{text}</p>\n")).collect();
    let related: String =
        (0..5).map(|_| format!("<li><a href=\"/{}\">{}</a></li>", draw.below(999), english_title(&mut draw))).collect();
    let body = format!(
        "<!DOCTYPE html><html><head><meta charset=utf-8><title>{title} | Pier Review</title></head><body class=\"post-{number}\">\
         <div id=\"header\"><div class=\"logo\">Pier Review</div><div class=\"menu\"><a href=/>Home</a><a href=/a>Archive</a>\
         <a href=/b>Subscribe to our letters</a></div></div>\
         <div id=\"content\"><div class=\"post-{number} post\"><h1 class=\"title\">{title}</h1>\
         <div class=\"byline\">By {}, filed on {} May 2014</div><div class=\"entry\">{text}</div>\
         <div class=\"share\">Share this story <a href=#>Post it</a> <a href=#>Mail it</a></div></div>\
         <div class=\"related\"><h3>You may also like</h3><ul>{related}</ul></div></div>\
         <div id=\"sidebar\"><div class=\"box\">Get a weekly letter from the pier. No noise, ever.</div></div>\
         <div id=\"footer\">Pier Review, printed on recycled pixels. All rights reserved.</div></body></html>",
        draw.one(&["Ann Reed", "Tom Hale", "M. Osei"]),
        1 + draw.below(28),
    );
    SitePage { body: body.into_bytes(), answer: format!("{title}\n{}", paragraphs.join("\n")) }
}

fn odd_divs() -> Vec<Vec<u8>> {
    let items: String = (0..40)
        .map(|number| format!("<tr><td><a href=/{number}>Issue {number}</a></td><td>sold out</td></tr>"))
        .collect();
    vec![format!("<div class=shop><h2>Back issues</h2><table>{items}</table></div>").into_bytes(), b"<p></p>".to_vec()]
}

/// A journal of today, with headings, lists, quotations and notes.
fn semantic(number: usize) -> SitePage {
    let mut draw = Draw::new(number as u64 + 9_000);
    let title = english_title(&mut draw);
    let mut answer = vec![title.clone()];
    let mut text = String::new();
    for _ in 0..1 + draw.below(6) {
        let heading = english_title(&mut draw);
        text.push_str(&format!("<section><h2 id=\"s{}\">{heading}</h2>", draw.below(9_999)));
        answer.push(heading);
        for _ in 0..1 + draw.below(5) {
            let paragraph = english(&mut draw);
            let tag = draw.one(&["p", "p", "p", "blockquote", "li"]);
            match tag {
                "li" => text.push_str(&format!("<ul><li>{paragraph}</li></ul>")),
                tag => text.push_str(&format!("<{tag}>{paragraph}</{tag}>")),
            }
            answer.push(paragraph);
        }
        text.push_str("</section>");
    }
    let body = format!(
        "<!doctype html><html lang=en><head><meta charset=utf-8><title>{title}</title></head><body>\
         <header><nav aria-label=Main><a href=/>The Survey</a><a href=/issues>Issues</a><a href=/people>People</a></nav></header>\
         <main><article class=\"a-{number}\"><header><h1>{title}</h1><p class=meta><time>2024-0{}-11</time> · {} min read</p></header>\
         {text}<footer class=tags>Filed under <a href=/t>maps</a> <a href=/u>rivers</a></footer></article>\
         <aside class=newsletter><h2>Letters</h2><p>One letter a month, written by people. Leave when you like.</p></aside></main>\
         <footer class=site><p>The Survey is run by volunteers. Write to us about anything.</p></footer></body></html>",
        1 + draw.below(9),
        1 + draw.below(20),
    );
    SitePage { body: body.into_bytes(), answer: answer.join("\n") }
}

fn odd_semantic() -> Vec<Vec<u8>> {
    let form = "<form>".to_owned() + &"<label>Tell us more about it</label><input>".repeat(30) + "</form>";
    vec![format!("<body><div id=app><div class=survey>{form}</div></div>").into_bytes()]
}

/// A reading site that lives on what it puts between the lines.
fn adverts(number: usize) -> SitePage {
    let mut draw = Draw::new(number as u64 + 77_000);
    let title = chinese_title(&mut draw, number + 1);
    let (mut text, mut answer) = (String::new(), vec![title.clone()]);
    for index in 0..4 + draw.below(16) {
        let (before, after) = (chinese(&mut draw), chinese(&mut draw));
        match index % 4 {
            0 => text.push_str(&format!(
                "<p>{before}<a class=ad href=/go?{}>广告：秋茶上市，{}元起</a>{after}</p>",
                draw.below(999),
                draw.below(99)
            )),
            1 => text.push_str(&format!("<p>{before}（手机阅读请访问本站移动版，更新更快）{after}</p>")),
            2 => text.push_str(&format!("<p>{before}<a href=/note/{}>{after}</a></p>", draw.below(99))),
            _ => text.push_str(&format!(
                "<p>{before}{after}</p><div class=\"banner b{}\">点击领取书券，限时三天。</div>",
                draw.below(99)
            )),
        }
        answer.push(before + &after);
    }
    let body = format!(
        "<!DOCTYPE html><html><head><meta charset=utf-8><title>{title}_柳岸小说</title></head><body>\
         <div class=top><a href=/>柳岸小说</a> <a href=/rank>排行榜</a> <a href=/shelf>我的书架</a></div>\
         <div class=chapter><h1>{title}</h1><div class=info>作者：{} 更新：2019-0{}-0{} 字数：{}</div>\
         <div class=content>{text}</div><div class=pager><a href=a>上一章</a><a href=b>目录</a><a href=c>下一章</a></div></div>\
         <div class=foot>本站所有作品由网友上传，版权归作者所有。</div></body></html>",
        draw.one(&["柳岸闻笛", "小满", "三更灯火"]),
        1 + draw.below(9),
        1 + draw.below(9),
        draw.below(9_999),
    );
    SitePage { body: body.into_bytes(), answer: answer.join("\n") }
}

fn odd_adverts() -> Vec<Vec<u8>> {
    let rows: String =
        (0..50).map(|row| format!("<tr><td>{row}</td><td><a href=/b{row}>第{row}名的书</a></td></tr>")).collect();
    vec![format!("<meta charset=utf-8><table class=rank>{rows}</table>").into_bytes()]
}
