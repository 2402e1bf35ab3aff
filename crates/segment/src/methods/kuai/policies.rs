//! Policies: what a site says of the data that it collects, in dialogs and hidden parts of pages that are about something else. They are long
//! and well written, so the model is not sure of them.

use super::leads::policy_words;
use super::others::{LEFT_LENGTH_MIN, drop_unless_little_is_left};
use super::outline::Outline;

/// How likely units are main text of which the model is not sure, at most.
const UNSURE_MAX: f32 = 0.7;
/// Units of a policy that speak of data, and the share of its words in them, at least. Chosen on the labelled pages, of which five have one. A unit that
/// says as many things of data counts for each of them: a request for consent may be a single paragraph.
const TELLING_MIN: u32 = 3;
const TELLING_SHARE_MIN: f32 = 0.5;

/// Takes policies out of main text, unless the page is about one.
pub(super) fn drop_policies(outline: &Outline, likely: &[f32], title: &str, kept: &mut [bool]) {
    let is_unsure = |index: usize| kept[index] && likely[index] < UNSURE_MAX;
    let units = outline.units.iter().enumerate();
    let telling: Vec<u32> =
        units.map(|(index, unit)| if is_unsure(index) { telling(outline.text_of(unit)) } else { 0 }).collect();
    if telling.iter().sum::<u32>() < TELLING_MIN || policy_words(title) > 0 {
        return;
    }
    let is_policy = policies(outline, likely, kept, &telling);
    drop_unless_little_is_left(outline, kept, |index| is_policy[outline.units[index].element as usize]);
}

/// As how many units that speak of data a text counts.
fn telling(text: &str) -> u32 {
    match policy_words(text) {
        words if words < TELLING_MIN => words.min(1),
        words => words,
    }
}

/// What is kept of an element.
#[derive(Clone, Copy, Default)]
struct Content {
    /// Words, those times how likely each is main text, and those in units that speak of data.
    words: f32,
    likely: f32,
    telling_words: f32,
    telling: u32,
}

impl Content {
    fn add(&mut self, other: Content) {
        self.words += other.words;
        self.likely += other.likely;
        self.telling_words += other.telling_words;
        self.telling += other.telling;
    }

    fn is_policy(&self, page: Content) -> bool {
        self.telling >= TELLING_MIN
            && self.telling_words >= TELLING_SHARE_MIN * self.words
            && self.likely < UNSURE_MAX * self.words
            && page.words - self.words >= LEFT_LENGTH_MIN
    }
}

/// Which elements are policies, or stand in one.
fn policies(outline: &Outline, likely: &[f32], kept: &[bool], telling: &[u32]) -> Vec<bool> {
    let mut contents = vec![Content::default(); outline.elements.len()];
    for (index, unit) in outline.units.iter().enumerate().filter(|(index, _)| kept[*index]) {
        let words = unit.text.length;
        contents[unit.element as usize].add(Content {
            words,
            likely: words * likely[index],
            telling_words: if telling[index] > 0 { words } else { 0.0 },
            telling: telling[index],
        });
    }
    outline.add_up(&mut contents, Content::add);
    let page = contents.first().copied().unwrap_or_default();
    outline.with_all_inside(|element| contents[element as usize].is_policy(page))
}

#[cfg(test)]
mod tests {
    use kuai_page::Page;

    use super::super::subject::Subject;
    use super::*;

    const TEXT: &str =
        "<main><p>The lighthouse stands at the end of the pier, and it has been lit every night since then.</p></main>";
    const POLICY: &str = "<div><p>We and our partners keep cookies on your device.</p><p>Your consent is voluntary.</p>
        <p>Personal data is processed as the GDPR asks.</p><p>You may opt out of this at any time.</p></div>";

    /// Whether the text and the policy are left where the model is this sure of the policy.
    fn left(title: &str, policy: &str, likely: f32) -> (bool, bool) {
        let page = Page::from_html(&format!("{TEXT}{policy}"));
        let subject = Subject::of(&Default::default());
        let outline = Outline::read(&page, &subject);
        let likely: Vec<f32> = (0..outline.units.len()).map(|index| if index == 0 { 0.9 } else { likely }).collect();
        let mut kept = vec![true; likely.len()];
        drop_policies(&outline, &likely, title, &mut kept);
        (kept[0], kept[1..].iter().all(|kept| *kept))
    }

    #[test]
    fn a_policy_beside_the_text_goes() {
        assert_eq!(left("The lighthouse", POLICY, 0.5), (true, false));
        let polish = "<div><p>Kliknij, aby wyrazić zgodę.</p><p>Twoje dane osobowe są bezpieczne.</p><p>Zgoda jest dobrowolna.</p></div>";
        assert_eq!(left("Latarnia", polish, 0.5), (true, false));
    }

    #[test]
    fn a_request_for_consent_may_be_one_paragraph() {
        let request = "<div><p>Our partners keep cookies on your device, out of legitimate interest.</p></div>";
        assert_eq!(left("The lighthouse", request, 0.5), (true, false));
        assert_eq!(
            left("The lighthouse", "<div><p>Our partners bake cookies on the pier.</p></div>", 0.5),
            (true, true)
        );
    }

    #[test]
    fn what_the_page_is_about_stays() {
        assert_eq!(left("Our privacy policy", POLICY, 0.5), (true, true));
        assert_eq!(left("How cookies crumble", POLICY, 0.9), (true, true));
        assert_eq!(
            left("Biscuits", "<div><p>Bake the cookies.</p><p>Eat them warm.</p><p>Bake more.</p></div>", 0.5),
            (true, true)
        );
    }
}
