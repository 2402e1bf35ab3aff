//! The way from the outermost element down to one, which is asked again and again what is around both it and another element.

use super::outline::Outline;

pub(super) struct Way {
    /// The elements on the way, the outermost first, each with the first element behind it that is not in it.
    steps: Vec<(u32, u32)>,
}

impl Way {
    pub(super) fn to(outline: &Outline, element: u32) -> Way {
        let count = outline.elements.len() as u32;
        let mut steps = Vec::new();
        let mut next = Some(element).filter(|_| count > 0);
        while let Some(step) = next {
            steps.push((step, count));
            next = Some(outline.parent(step)).filter(|&parent| parent != step);
        }
        steps.reverse();
        let mut open = steps.len();
        for index in element + 1..count {
            // Elements stand behind their parents, and all that is in one stands together.
            while open > 0 && outline.parent(index) < steps[open - 1].0 {
                open -= 1;
                steps[open].1 = index;
            }
        }
        Way { steps }
    }

    /// The innermost element on the way that is this one or around it.
    pub(super) fn meeting(&self, element: u32) -> u32 {
        let count = self.steps.partition_point(|&(start, end)| start <= element && element < end);
        count.checked_sub(1).map_or(0, |last| self.steps[last].0)
    }
}

#[cfg(test)]
mod tests {
    use kuai_page::Page;

    use super::*;
    use crate::methods::kuai::subject::Subject;

    #[test]
    fn ways_meet_in_what_is_around_both() {
        let page =
            Page::from_html("<div><ul><li>a<li>b<p>c</p></ul><p>d</div><div><div><div>e</div></div><p>f</div><p>g</p>");
        let subject = Subject::of(&Default::default());
        let outline = Outline::read(&page, &subject);
        let around = |mut element: u32| {
            let mut around = vec![element];
            while outline.parent(element) != element {
                element = outline.parent(element);
                around.push(element);
            }
            around
        };
        let count = outline.elements.len() as u32;
        assert_eq!(count, 12);
        for one in 0..count {
            let way = Way::to(&outline, one);
            for other in 0..count {
                let meeting = around(other).into_iter().find(|element| around(one).contains(element));
                assert_eq!(Some(way.meeting(other)), meeting, "{one} and {other}");
            }
        }
    }

    #[test]
    fn a_page_without_elements_has_a_way() {
        assert_eq!(Way::to(&Outline::default(), 0).meeting(0), 0);
    }
}
