//! Asides: lines that stand in a text and are none of it. They point to other texts, say where it is from and under what it is filed,
//! or ask to share, to follow and to subscribe. Labelled pages are not of one mind about them, and the model keeps most.

use super::kinds::LINK_SHARE_MIN;
use super::leads::{Lead, Led, is_unparted, led, names_channel};
use super::outline::{Outline, Unit};

/// Characters of an aside, at most: of one that is mostly a link, one that heads what follows, one that says where something is from, one that
/// says under what the text is filed, one that asks to share, one that asks to follow, and one that says who answers for it. Chinese says the same
/// in fewer.
const LINE_CHARACTERS_MAX: u32 = 200;
const HEADING_CHARACTERS_MAX: u32 = 60;
const CREDIT_CHARACTERS_MAX: u32 = 100;
const FILING_CHARACTERS_MAX: u32 = 160;
const SHARE_CHARACTERS_MAX: u32 = 40;
const INVITATION_CHARACTERS_MAX: u32 = 240;
const DISCLAIMER_CHARACTERS_MAX: u32 = 160;
const UNPARTED_CHARACTERS_MAX: u32 = 40;
/// Who a disclaimer speaks of.
const ANSWERING: [&str; 5] = ["平台", "平臺", "仅代表", "僅代表", "作者"];

/// The share of a line that its lead must be where no sign tells that nothing else is meant.
const HEADING_SHARE_MIN: f32 = 0.4;
const SHARE_SHARE_MIN: f32 = 0.6;

/// The share of the page's text that links under a heading may be, to be taken out with it.
const LINKS_SHARE_MAX: f32 = 0.25;

enum Aside {
    Line,
    /// What heads links to other texts.
    Heading,
}

/// Takes asides out of main text.
pub(super) fn drop_asides(outline: &Outline, kept: &mut [bool]) {
    let units = &outline.units;
    let length_of = |units: &[Unit]| units.iter().map(|unit| unit.text.length).sum::<f32>();
    let length_max = LINKS_SHARE_MAX * length_of(units);
    let is_link = |unit: &Unit| unit.text.link >= LINK_SHARE_MIN;
    for index in 0..units.len() {
        // A heading may be dropped already, and what it heads not.
        let heads_kept = kept.get(index + 1) == Some(&true) && is_link(&units[index + 1]);
        let Some(aside) = (kept[index] || heads_kept).then(|| aside_of(outline, &units[index])).flatten() else {
            continue;
        };
        kept[index] = false;
        if let Aside::Heading = aside {
            let links = units[index + 1..].iter().take_while(|unit| is_link(unit)).count();
            let list = index + 1..index + 1 + links;
            if length_of(&units[list.clone()]) <= length_max {
                kept[list].fill(false);
            }
        }
    }
}

fn aside_of(outline: &Outline, unit: &Unit) -> Option<Aside> {
    if unit.text.characters > INVITATION_CHARACTERS_MAX || outline.is_in_code_or_cell(unit) {
        return None;
    }
    let text = outline.text_of(unit).trim();
    let led = led(text)?;
    if led.lead == Lead::Pointer && goes_on(led) {
        return None;
    }
    if led.lead == Lead::Pointer && unit.text.link < LINK_SHARE_MIN {
        return is_heading(unit, text, led).then_some(Aside::Heading);
    }
    is_line(unit, text, led).then_some(Aside::Line)
}

/// Whether a line says that what follows are other texts or things.
pub(super) fn points_elsewhere(line: &str) -> bool {
    led(line).is_some_and(|led| led.lead == Lead::Pointer && !goes_on(led))
}

/// Whether a lead of one word is only the first of what a line says: "Related work" heads a part of a text.
fn goes_on(led: Led<'_>) -> bool {
    let is_one_word = !led.words.contains(' ') && !led.words.starts_with(is_unparted);
    is_one_word && led.rest.trim_start().starts_with(char::is_alphanumeric)
}

fn is_heading(unit: &Unit, text: &str, led: Led<'_>) -> bool {
    let is_told = text.ends_with([':', '：', '…']) || share(led, text) >= HEADING_SHARE_MIN;
    unit.text.characters <= HEADING_CHARACTERS_MAX && is_told
}

fn is_line(unit: &Unit, text: &str, led: Led<'_>) -> bool {
    let rest = led.rest.trim();
    let has_colon = rest.starts_with([':', '：']);
    let is_unparted = led.words.starts_with(is_unparted);
    let characters_max = match led.lead {
        Lead::Pointer | Lead::Reference => LINE_CHARACTERS_MAX,
        Lead::Credit | Lead::Filing if is_unparted => UNPARTED_CHARACTERS_MAX,
        Lead::Credit => CREDIT_CHARACTERS_MAX,
        Lead::Filing => FILING_CHARACTERS_MAX,
        Lead::Share => SHARE_CHARACTERS_MAX,
        Lead::Invitation => INVITATION_CHARACTERS_MAX,
        Lead::Disclaimer => DISCLAIMER_CHARACTERS_MAX,
    };
    unit.text.characters <= characters_max
        && match led.lead {
            Lead::Pointer => true,
            Lead::Reference => has_colon && unit.text.link >= LINK_SHARE_MIN,
            // What stands before a list of sources is a heading of the text.
            Lead::Credit => has_colon && (is_unparted || rest.chars().nth(1).is_some()),
            Lead::Filing => has_colon || led.words.contains(' ') || is_unparted,
            Lead::Share => share(led, text) >= SHARE_SHARE_MIN,
            Lead::Invitation => names_channel(rest),
            Lead::Disclaimer => has_colon || ANSWERING.iter().any(|who| rest.contains(who)),
        }
}

fn share(led: Led<'_>, text: &str) -> f32 {
    led.words.chars().count() as f32 / text.chars().count().max(1) as f32
}

#[cfg(test)]
mod tests {
    use kuai_page::Page;

    use super::super::subject::Subject;
    use super::*;

    const TEXT: &str =
        "<p>The lighthouse stands at the end of the pier, and it has been lit every night since then.</p>";

    /// The texts that are left of a page on which everything was kept.
    fn left(html: &str) -> Vec<String> {
        let page = Page::from_html(html);
        let subject = Subject::of(&Default::default());
        let outline = Outline::read(&page, &subject);
        let mut kept = vec![true; outline.units.len()];
        drop_asides(&outline, &mut kept);
        let units = outline.units.iter().zip(kept).filter(|(_, kept)| *kept);
        units.map(|(unit, _)| outline.text_of(unit).to_owned()).collect()
    }

    fn is_dropped(line: &str) -> bool {
        left(&format!("{TEXT}{line}{TEXT}")).len() == 2
    }

    #[test]
    fn lines_that_stand_in_a_text_and_are_none_of_it_go() {
        for line in [
            "<p>Read more: <a href=/1>The keeper who left the town and its lamp</a></p>",
            "<p><b>Related:</b> <a href=/1>The keeper who left the town</a></p>",
            "<p>See also: <a href=/1>How the tower was built</a></p>",
            "<p>Photo: Ann Lee / The Coast</p>",
            "<p>This entry was posted on Friday and is filed under Lamps.</p>",
            "<p>Share this article</p>",
            "<p>Follow us on Facebook and Instagram.</p>",
            "<p>À lire aussi : <a href=/1>Le gardien qui est parti</a></p>",
            "<p>（责任编辑：王小明）</p>",
            "<p>平台声明：该文观点仅代表作者本人，本平台仅提供信息存储空间服务。</p>",
            "<p>以上内容（包括图片及视频）为用户上传并发布，本平台仅提供信息存储服务。</p>",
        ] {
            assert!(is_dropped(line), "{line}");
        }
    }

    #[test]
    fn lines_of_a_text_that_begin_like_an_aside_stay() {
        for line in [
            "<h2>Related work</h2>",
            "<h2>See also</h2>",
            "<h2>Sources:</h2>",
            "<p>Follow the path along the cliff until it ends at the gate of the old harbour office.</p>",
            "<p>以上内容都是他在码头上亲眼看到的，他一直记得那天晚上的灯光。</p>",
            "<p>Also a lamp was brought, and the tower was lit again before the winter came to the town.</p>",
            "<p>Photo editors of the paper chose the picture because it shows the lamp at night.</p>",
            "<p>Share this evening with people who have never seen the sea, he used to say to us all.</p>",
            "<p>Read more slowly, the keeper told his son, or you will not know what the book is about.</p>",
            "<pre>source: harbour</pre>",
            "<table><tr><td>Source: harbour</td></tr></table>",
        ] {
            assert!(!is_dropped(line), "{line}");
        }
    }

    #[test]
    fn what_a_heading_points_to_goes_with_it_unless_it_is_what_the_page_is_there_for() {
        let list = "<h3>You may also like</h3><ul><li><a href=/1>The keeper who left</a><li><a href=/2>A night with the lamp</a></ul>";
        assert_eq!(left(&format!("{TEXT}{TEXT}{TEXT}{list}")).len(), 3);
        assert_eq!(left(list), ["The keeper who left", "A night with the lamp"]);
    }
}
