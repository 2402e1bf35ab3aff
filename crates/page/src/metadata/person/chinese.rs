//! Lists of Chinese names in the text of a page: `作者：王小明 李大海`, `（记者王小明、李大海）`, `雾港报记者 王小明 李大海`.
//!
//! Nothing in such a list tells a name from the next word of the line but its family name, so common ones are known here.

use super::is_han;

/// Common family names, but for those that begin many words.
const FAMILY_NAMES: &str = "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦许何吕施张孔曹严魏陶姜戚谢邹喻窦章苏潘葛范彭鲁韦马苗方俞任袁柳鲍史唐费廉岑\
薛雷贺倪汤滕殷罗毕郝邬常傅卞齐康伍余顾孟黄穆萧肖尹姚邵汪祁毛狄臧戴宋庞熊舒屈项祝董梁杜阮蓝闵季贾娄江童颜郭梅盛林钟徐邱骆高夏蔡田樊胡凌霍虞柯管\
卢莫房裘缪丁邓郁洪左石崔龚程邢裴陆翁荀甄靳段焦侯宁仇甘厉武符刘景詹龙叶黎白蒲赖卓蔺屠池乔闻翟谭姬申冉桑桂牛燕尚温庄晏柴瞿阎闫廖耿寇聂敖辛阚饶曾沙\
关查游权伊付佟郎栾隋褟仝佘冼";

/// Words behind names that begin as family names do.
const WORDS: [&str; 20] = [
    "武汉",
    "郑州",
    "江苏",
    "江西",
    "江南",
    "宁波",
    "宁夏",
    "温州",
    "常州",
    "石家庄",
    "常德",
    "黄山",
    "关注",
    "高清",
    "管理",
    "任务",
    "马上",
    "白银",
    "关键",
    "方法",
];

/// Characters of the longest name.
const NAME_CHARACTERS_MAX: usize = 3;

/// Names of the longest list.
const NAMES_MAX: usize = 12;

/// Characters at the start of a text among which it tells who reports.
const START_CHARACTERS_MAX: usize = 80;

/// Bytes of the longest name of a paper before its reporters.
const PAPER_BYTES_MAX: usize = 45;

/// The word for a reporter.
const REPORTER: &str = "记者";

/// Who reports beside them.
const CORRESPONDENT: &str = "通讯员";

/// A list of names of common families that a text begins with; empty where there is no second.
pub(super) fn several(text: &str) -> Vec<String> {
    let (names, _) = list(text);
    if names.len() > 1 { names } else { Vec::new() }
}

/// The names of a line that tells reporters and nothing behind them: `雾港报记者 王小明 李大海`.
pub(super) fn reporters(line: &str) -> Vec<String> {
    let Some((paper, after)) = line.trim_end().split_once(REPORTER) else { return Vec::new() };
    let is_paper = paper.len() <= PAPER_BYTES_MAX && paper.chars().all(|sign| is_han(sign) || !sign.is_alphanumeric());
    let is_near = after.starts_with(|next: char| next.is_whitespace() || is_han(next));
    let (names, rest) = list(after);
    let is_end = rest.is_empty() || rest.ends_with("报道");
    if is_paper && is_near && is_end && !paper.contains(['。', '，', '“']) { names } else { Vec::new() }
}

/// The names of reporters in brackets near the start of a text: `本报讯（记者王小明、李大海）…`.
pub(super) fn reporters_in_brackets(text: &str) -> Vec<String> {
    let end = text.char_indices().nth(START_CHARACTERS_MAX).map_or(text.len(), |(end, _)| end);
    let Some((before, after)) = text[..end].split_once(REPORTER) else { return Vec::new() };
    let is_open = before.rfind(['（', '(']) > before.rfind(['）', ')']);
    let Some(close) = after.find(['）', ')']).filter(|_| is_open) else { return Vec::new() };
    let inner = &after[..close];
    match list(inner.trim_start_matches([':', '：'])) {
        (names, "") => names,
        _ => Vec::new(),
    }
}

/// The names that a text begins with, with signs between them, and what follows.
fn list(text: &str) -> (Vec<String>, &str) {
    let mut names = Vec::new();
    let mut rest = text.trim_start_matches(is_between);
    while names.len() < NAMES_MAX {
        let begin = rest.strip_prefix(CORRESPONDENT).map_or(rest, |behind| behind.trim_start_matches(is_between));
        let end = begin.find(|sign| !is_han(sign)).unwrap_or(begin.len());
        let (name, behind) = begin.split_at(end);
        // A word before a colon says what follows.
        if !is_name(name) || behind.starts_with([':', '：']) {
            break;
        }
        names.push(name.to_owned());
        rest = behind.trim_start_matches(is_between);
    }
    (names, rest)
}

fn is_between(sign: char) -> bool {
    sign.is_whitespace() || matches!(sign, '、' | '，' | ',' | '&')
}

/// Whether this is a Chinese name of a common family.
fn is_name(text: &str) -> bool {
    let begins = text.chars().next().is_some_and(|family| FAMILY_NAMES.contains(family));
    begins && (2..=NAME_CHARACTERS_MAX).contains(&text.chars().count()) && !WORDS.contains(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_ends_where_no_name_follows() {
        let check = |text: &str, expected: &[&str]| assert_eq!(several(text), expected, "{text}");
        check("王小明 李大海", &["王小明", "李大海"]);
        check("王小明、李大海，林风 来源：海港报", &["王小明", "李大海", "林风"]);
        check("王小明 陈编：李大海", &[]);
        check("王小明 武汉", &[]);
        check("王小明 海港报", &[]);
    }

    #[test]
    fn reporters_are_named_behind_their_paper_or_in_brackets() {
        let line = |text: &str, expected: &[&str]| assert_eq!(reporters(text), expected, "{text}");
        line("雾港日报记者 王小明 李大海", &["王小明", "李大海"]);
        line("□ 本报记者 王小明", &["王小明"]);
        line("本报记者 王小明 通讯员 李大海 雾港报道", &["王小明", "李大海"]);
        line("林风告诉记者，王小明", &[]);
        line("记者 雾港报", &[]);
        let start = |text: &str, expected: &[&str]| assert_eq!(reporters_in_brackets(text), expected, "{text}");
        start("雾港社雾港3月5日电（记者王小明、李大海）今天起了雾。", &["王小明", "李大海"]);
        start("本报讯(记者 王小明 通讯员李大海)雾。", &["王小明", "李大海"]);
        start("林风（女）对记者说，王小明（男）来了", &[]);
        start("本报讯（记者站提供", &[]);
    }
}
