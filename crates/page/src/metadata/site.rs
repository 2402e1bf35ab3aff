//! What in a title is surely the name of the site it is on, where nothing else on the page names the site.
//!
//! In: `雾散了_新闻中心_雾港网_wugang.example`, headline `雾散了`. Out: `雾港网`. Only Chinese names say what they are.

use super::parts::Parts;

/// Endings of the names of Chinese sites and of what is on them.
const ENDINGS: [&str; 5] = ["网", "网站", "频道", "论坛", "门户"];

/// Endings of names that are those of a site, and not of a channel on it.
const SITE_ENDINGS: [&str; 14] =
    ["网", "網", "网站", "官网", "门户", "论坛", "社区", "日报", "晚报", "晨报", "商报", "时报", "博客", "百科"];

/// Sites whose channels are named for them: `网易新闻`.
const PORTALS: [&str; 11] = ["网易", "搜狐", "新浪", "腾讯", "雅虎", "凤凰", "百度", "央视", "新华", "人民", "CSDN"];

/// Characters of the longest name of a channel of a portal.
const PORTAL_CHARACTERS_MAX: usize = 6;

/// Characters of the shortest name of a site by its ending: `官网`, `社区` alone are parts of any.
const NAME_CHARACTERS_MIN: usize = 3;

/// Words that end as the name of a site and are what a page is about.
const NETS: [&str; 5] = ["互联网", "物联网", "因特网", "局域网", "移动互联网"];

/// Whether a part at the end of a title ends as the name of a site or channel.
pub(super) fn ends_as_one(part: &str) -> bool {
    ENDINGS.iter().any(|ending| part.ends_with(ending))
}

/// The name of the site, behind the headline at the end of a title; an address may follow.
pub(super) fn in_title(title: &str, headline: &str) -> Option<String> {
    let parts = Parts::of(title);
    let mut names = parts.behind(headline).iter().rev().map(|part| part.text).skip_while(|part| is_host(part));
    names.next().filter(|name| is_name(name)).map(str::to_owned)
}

/// Whether a name is that of the site, as the title tells it: also the address at its end.
pub(super) fn is_in_title(name: &str, title: &str, headline: &str) -> bool {
    let is_host_at_end = || is_host(name) && title.ends_with(name) && !headline.ends_with(name);
    in_title(title, headline).is_some_and(|site| site == name) || is_host_at_end()
}

fn is_name(part: &str) -> bool {
    let length = part.chars().count();
    let ends = || SITE_ENDINGS.iter().any(|ending| part.ends_with(ending)) && !NETS.contains(&part);
    let begins = || PORTALS.iter().any(|portal| part.starts_with(portal)) && length <= PORTAL_CHARACTERS_MAX;
    length >= NAME_CHARACTERS_MIN && !part.contains([' ', '-']) && (ends() || begins())
}

/// Whether a part is the address of a site: `wugang.example`.
fn is_host(part: &str) -> bool {
    let is_host_sign = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '.' | '-');
    part.contains('.') && part.chars().all(is_host_sign)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(title: &str, expected: Option<&str>) {
        assert_eq!(in_title(title, "雾散了").as_deref(), expected, "{title}");
    }

    #[test]
    fn a_part_that_ends_or_begins_as_sites_do_is_the_site() {
        check("雾散了_雾港网", Some("雾港网"));
        check("雾散了--健康--雾港晚报", Some("雾港晚报"));
        check("雾散了_网易新闻", Some("网易新闻"));
        check("雾散了_新闻中心_雾港网_wugang.example", Some("雾港网"));
    }

    #[test]
    fn the_address_in_a_title_names_the_site_too() {
        let check = |name: &str, title: &str| is_in_title(name, title, "雾散了");
        assert!(check("雾港网", "雾散了_雾港网") && check("FOG.EXAMPLE", "雾散了Fog-FOG.EXAMPLE"));
        assert!(!check("王小明", "雾散了_王小明_雾港网") && !check("FOG.EXAMPLE", "雾散了_雾港网"));
    }

    #[test]
    fn parts_that_may_be_something_else_are_no_site() {
        check("雾散了_健康", None);
        check("雾散了：因为没有网", None);
        check("雾散了_互联网", None);
        check("雾散了 - 社区", None);
        check("雾散了_新闻频道", None);
        check("雾散了_人民生活得到很大改善", None);
        check("另一题_雾港网", None);
        check("雾散了", None);
        check("雾散了_fog教程-CSDN博客", None);
    }
}
