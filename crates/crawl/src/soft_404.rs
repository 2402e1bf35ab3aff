//! Pages that say "not found" with the status 200.

/// The longest text that an error page has; an article about error pages has more.
const TEXT_CHARACTERS_MAX: usize = 600;

/// What titles and first lines of such pages say, lower case.
const CUES: [&str; 26] = [
    "404 not found",
    "error 404",
    "404 error",
    "http 404",
    "404错误",
    "404 页面",
    "404页面",
    "page not found",
    "page cannot be found",
    "page can't be found",
    "page could not be found",
    "page couldn't be found",
    "page you requested could not be found",
    "page you are looking for",
    "page you were looking for",
    "page does not exist",
    "page doesn't exist",
    "no longer exists",
    "页面不存在",
    "页面没有找到",
    "页面未找到",
    "找不到页面",
    "找不到该页",
    "网页不存在",
    "内容不存在或已",
    "访问的页面不存在",
];

/// Whether a page of this title and visible text says that there is no such page: a cue in the title or the text, and no
/// more text than an error page has.
///
/// ```
/// use kuai_crawl::looks_like_soft_404;
///
/// assert!(looks_like_soft_404("Oops", "The page you are looking for has moved. Go home."));
/// assert!(!looks_like_soft_404("Weather", "Rain in the north, sun in the south."));
/// ```
pub fn looks_like_soft_404(title: &str, text: &str) -> bool {
    if text.chars().nth(TEXT_CHARACTERS_MAX).is_some() || title.chars().nth(TEXT_CHARACTERS_MAX).is_some() {
        return false;
    }
    let says_so = |text: &str| {
        let text = text.to_lowercase().replace('’', "'");
        CUES.iter().any(|cue| text.contains(cue))
    };
    title.trim() == "404" || says_so(title) || says_so(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_pages_in_both_languages_are_told() {
        assert!(looks_like_soft_404("404", ""));
        assert!(looks_like_soft_404("404 Not Found", "nginx"));
        assert!(looks_like_soft_404("某某网", "抱歉，您访问的页面不存在或已删除。返回首页"));
        assert!(looks_like_soft_404("Sorry", "This page doesn’t exist."));
    }

    #[test]
    fn pages_about_error_pages_are_none() {
        let article = "How to write a page not found message. ".repeat(40);
        assert!(!looks_like_soft_404("Designing the 404 error page", &article));
        assert!(!looks_like_soft_404("Room 404", "The room is on the fourth floor."));
        assert!(!looks_like_soft_404("", ""));
    }
}
