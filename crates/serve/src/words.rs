//! Every phrase of the pages in every language, side by side: one that is missing in a language does not compile.
//!
//! A phrase with a count has `{}` where the number stands and, in English, its plural behind a bar.

use std::borrow::Borrow;

use kuai::{ChangeKind, Label};

use crate::jobs::JobState;

/// A language of the pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    English,
    Chinese,
}

impl Language {
    pub(crate) const ALL: [Language; 2] = [Language::English, Language::Chinese];

    /// As in `lang` attributes.
    pub(crate) fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Chinese => "zh",
        }
    }

    /// The language by its own name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Language::English => "English",
            Language::Chinese => "中文",
        }
    }

    /// The language that a code begins with, such as `zh-CN`.
    pub(crate) fn of_code(code: &str) -> Option<Language> {
        let primary = code.trim().split(['-', '_', ';']).next()?;
        Language::ALL.into_iter().find(|language| language.code().eq_ignore_ascii_case(primary))
    }

    /// Its phrases.
    pub(crate) fn words(self) -> &'static Words {
        match self {
            Language::English => &ENGLISH,
            Language::Chinese => &CHINESE,
        }
    }
}

macro_rules! words {
    ($($name:ident: $english:literal, $chinese:literal;)*) => {
        /// The phrases of a language.
        #[derive(Debug)]
        pub(crate) struct Words {
            pub(crate) language: Language,
            $(pub(crate) $name: &'static str,)*
        }

        static ENGLISH: Words = Words { language: Language::English, $($name: $english,)* };
        static CHINESE: Words = Words { language: Language::Chinese, $($name: $chinese,)* };

        /// All phrases, by name, in all languages.
        #[cfg(test)]
        const ALL: &[(&str, [&str; 2])] = &[$((stringify!($name), [$english, $chinese]),)*];
    };
}

words! {
    // Around every page.
    skip: "Skip to the content", "跳到正文";
    home: "Home", "首页";
    search: "Search", "搜索";
    main_navigation: "Main", "主导航";
    languages: "Language", "语言";
    theme: "Theme", "主题";
    theme_auto: "auto", "自动";
    theme_light: "light", "浅色";
    theme_dark: "dark", "深色";
    the_api: "API", "接口";
    as_json: "This page as JSON", "本页数据（JSON）";
    pages_of_a_list: "Pages", "分页";
    previous: "Previous", "上一页";
    next: "Next", "下一页";
    go: "Go", "前往";

    // What goes wrong.
    not_found: "Not here", "没有找到";
    bad_request: "This cannot be understood", "无法理解的请求";
    busy: "Busy", "繁忙";
    broken: "Something went wrong", "出错了";

    // Words of the domain.
    address: "Address", "网址";
    site: "Site", "网站";
    sites: "Sites", "网站";
    addresses: "{} address|{} addresses", "{} 个网址";
    captures: "{} capture|{} captures", "{} 次采集";
    versions: "{} version|{} versions", "{} 个版本";
    content_changes: "{} content change|{} content changes", "{} 次内容变化";
    blocks: "{} block|{} blocks", "{} 个块";
    column_addresses: "Addresses", "网址";
    column_captures: "Captures", "采集";
    column_versions: "Versions", "版本";
    column_changes: "Content changes", "内容变化";
    column_last: "Last capture", "最近采集";
    column_change_curve: "Change over time", "变化曲线";
    captured_bytes: "captured", "采集";
    stored_bytes: "stored", "存储";
    storage: "{} captured, {} stored ({} saved)", "采集 {}，存储 {}（节省 {}）";
    comma: ", ", "、";

    // Kinds of blocks.
    kind_main: "main text", "正文";
    kind_title: "title", "标题";
    kind_small: "small text", "短文";
    kind_meta: "about the text", "文章信息";
    kind_comment: "comments", "评论";
    kind_related: "related links", "相关链接";
    kind_navigation: "navigation", "导航";
    kind_advert: "advertising", "广告";
    kind_copyright: "copyright", "版权";
    kind_noise: "other noise", "其他噪声";
    kind_none: "block", "块";

    // Kinds of change.
    change_main: "main text", "正文";
    change_navigation: "navigation", "导航";
    change_advert: "advertising", "广告";
    change_other: "small print", "附注";
    change_frame: "layout", "版式";
    change_invisible: "markup", "标记";
    blocks_changed: "{} changed", "{} 处修改";
    blocks_added: "{} added", "{} 处新增";
    blocks_removed: "{} absent now", "{} 处不再出现";
    blocks_moved: "{} moved", "{} 处移动";
    first_version: "first version", "首个版本";
    nothing_changed: "nothing changed", "没有变化";
    seen_again: "unchanged", "未变";
    unseen_change: "no change that a reader sees", "读者看不到的变化";

    // Home.
    home_title: "The archive", "档案馆";
    search_hint: "Words, \"a phrase\", site:example.org, kind:main", "词语、\"短语\"、site:example.org、kind:main";
    search_the_archive: "Search the archive", "搜索档案";
    or_open_an_address: "Open an address", "打开网址";
    last_captures: "Last captures", "最近的采集";
    what_is_due: "What is due", "待访问";
    nothing_due: "Nothing is due. Planned visits come with", "没有待访问的页面。计划的访问来自";
    no_captures_yet: "The archive is empty. Collect a site:", "档案是空的。先采集一个网站：";
    still_counting: "The archive is still being counted; the figures grow.", "仍在统计，数字还会增长。";

    // Sites and addresses.
    days: "Day by day", "逐日";
    key_captured: "captured", "有采集";
    key_changed: "content changed", "内容有变化";
    column_first: "First capture", "首次采集";
    column_time: "Captured", "采集时间";
    column_what_changed: "What changed", "变化";
    column_blocks: "Blocks", "块";
    column_size: "Size", "大小";
    column_stored: "Stored", "存储";
    all_versions: "All versions", "所有版本";
    content_versions: "Content changes only", "仅内容变化";
    search_this_site: "Search this site", "搜索此网站";

    // Search.
    when_now: "Now", "现在";
    when_ever: "Ever", "任何时候";
    when_at: "As of {}", "截至 {}";
    as_of: "As of", "截至";
    no_index_yet: "The search index is being opened. If this stays, make it with", "搜索索引正在打开。若一直如此，请运行";
    index_behind: "The newest {} capture is not searched yet.|The newest {} captures are not searched yet.", "最新的 {} 次采集尚未可搜索。";
    search_help: "Words are found in all their forms, in traditional and simplified Chinese, and at any time they stood.", "词语的各种形式、繁体与简体都能找到，无论何时出现。";
    help_words: "of four words one may be missing", "四个词中可缺一个";
    help_phrase: "a phrase, and without a word", "短语，并排除一个词";
    help_fields: "fields: kind, site, url, language, topic, title", "字段：kind、site、url、language、topic、title";
    nothing_found: "Nothing found.", "没有找到。";
    look_through_the_past: "Look through the past as well", "也查找过去的内容";
    blocks_match: "{} block matches.|{} blocks match.", "{} 个块匹配。";
    loose_match: "None has most of these words; these have some.", "没有块包含大部分词语；以下包含其中一些。";
    no_title: "(no title)", "（无标题）";
    absent_on: "absent on {}", "{} 已不在";
    still_there: "still there", "仍在";
    on_pages: "on {} page|on {} pages", "见于 {} 个页面";
    narrow_down: "Narrow down", "筛选";
    phrase_history: "Said over time", "历史走势";
    phrase_history_about: "Blocks that say so over time, {} at most", "各时间点含此内容的块数，最多 {}";
    at_most: "at most {}", "最多 {}";
    kinds: "Kinds", "类型";
    first_seen_by_year: "First seen", "首次出现";

    // Replay.
    content_changes_nav: "Captures", "采集";
    previous_change: "content change", "内容变化";
    next_change: "content change", "内容变化";
    previous_capture: "The capture before", "上一次采集";
    next_capture: "The next capture", "下一次采集";
    moment: "Time", "时间";
    show_as: "Show", "显示方式";
    show_page: "Page", "页面";
    show_kinds: "Blocks by kind", "块的类型";
    show_ages: "Age of blocks", "块的新旧";
    show_changes: "What changed", "变化";
    show_text: "Text only", "纯文本";
    show_raw: "Raw", "原始";
    last_changed: "Last changed", "最后变化";
    was_added: "added", "新增";
    was_changed: "changed", "修改";
    was_moved: "moved", "移动";
    was_removed: "absent now", "不再出现";
    no_text: "There is no text in this capture.", "此次采集没有文字。";
    the_archived_page: "The archived page", "存档页面";

    // Compare.
    compare: "Compare", "比较";
    earlier: "Earlier", "较早";
    later: "Later", "较晚";
    everything: "Everything", "全部";
    content_only: "Content only", "仅内容";
    no_other_version: "There is no other version to compare it with.", "没有其他版本可比较。";
    no_difference: "No difference in what the page says.", "页面所述没有差别。";
    was_same: "same", "相同";
    was_touched: "other markup only", "仅标记不同";
    blocks_same: "{} block says the same|{} blocks say the same", "{} 个块内容相同";
    blocks_left_out: "{} more block is not shown.|{} more blocks are not shown.", "另有 {} 个块未显示。";

    // Block.
    block: "Block", "块";
    where_and_when: "Where and when it was seen", "何处何时出现";
    column_first_seen: "First seen", "首次出现";
    column_absent: "Absent", "不再出现";
    more_places: "{} more place|{} more places", "另有 {} 处";
    edits: "Edits", "修改历史";
    no_edits: "What it says was never edited as far as the captures tell: it was there, or it was not.", "就采集所见，其内容从未修改：要么在，要么不在。";
    block_before: "before", "此前";
    block_behind: "afterwards", "此后";

    // Scores.
    scores: "Scores", "评测";
    scores_about: "What each method reaches at least on kuai's own labelled pages, in per cent. Every build of kuai is tested against these figures, so they hold for this one.", "各方法在 kuai 自有标注页面上至少达到的分数（百分比）。每次构建都以这些数字为底线测试，因此对本程序成立。";
    scores_more: "Your own labelled pages are judged by", "评测您自己的标注页面：";
    method: "Method", "方法";

    // The API.
    api_title: "The API", "数据接口";
    api_about: "Every page's data as JSON. What cannot be answered is told as problem details (RFC 9457).", "每个页面的数据都有 JSON 形式；无法回答时给出问题详情（RFC 9457）。";
    api_description: "OpenAPI description", "OpenAPI 描述";
    api_needed: "needed", "必需";
    api_types: "Types", "类型";

    // Crawls.
    collect: "Collect", "采集";
    inspect: "Inspect", "剖析";
    teach: "Teach", "教学";
    crawl: "Crawl", "采集任务";
    crawls: "Crawls", "采集任务";
    crawl_urls: "Where to begin, an address a line", "起始网址，每行一个";
    crawl_kind: "What to collect", "采集什么";
    crawl_site: "a site, link by link", "整个网站，逐个链接";
    crawl_work: "one work: all pages that a page links to", "一部作品：目录页链接到的所有页面";
    crawl_again: "Visit again what is due", "重访到期的页面";
    crawl_scope: "How far", "范围";
    scope_host: "the same hosts", "相同主机";
    scope_domain: "all hosts of the domains", "同一域名下的所有主机";
    scope_prefix: "the same folders", "相同目录";
    scope_any: "the whole Web", "整个万维网";
    crawl_depth: "At most so many links away", "最多链接层数";
    crawl_max_pages: "At most so many pages", "最多页数";
    crawl_max_megabytes: "At most so many megabytes", "最多兆字节";
    crawl_max_minutes: "At most so many minutes", "最多分钟";
    crawl_delay: "Seconds between two requests to a host", "对同一主机两次请求间隔秒数";
    crawl_topic: "Only about a topic: words, or a text about it", "只采集某个主题：词语或一段文字";
    crawl_like: "Pages of the archive on topic, an address a line", "档案中符合主题的页面，每行一个网址";
    crawl_unlike: "Pages of the archive off topic, an address a line", "档案中不符合主题的页面，每行一个网址";
    crawl_include: "Only addresses like these", "仅限这些网址";
    crawl_exclude: "No addresses like these", "排除这些网址";
    crawl_requisites: "also images, style sheets and scripts", "包括图片、样式和脚本";
    crawl_sitemaps: "also what sitemaps and feeds list", "包括站点地图和订阅源";
    crawl_private: "also private addresses (admin)", "包括内网地址（管理员）";
    crawl_no_robots: "without asking robots.txt (admin)", "不理会 robots.txt（管理员）";
    more_settings: "More settings", "更多设置";
    start: "Start", "开始";
    pause: "Pause", "暂停";
    go_on: "Go on", "继续";
    stop: "Stop", "停止";
    no_crawls: "No crawl was started here yet. Name an address above.", "还没有采集任务。请在上面填写网址。";
    cannot_collect: "This archive lies in memory only, so nothing can be collected into it.", "此档案只在内存中，无法采集。";
    column_state: "State", "状态";
    state_waiting: "waiting", "等待";
    state_running: "running", "进行中";
    state_paused: "paused", "已暂停";
    state_ended: "ended", "已结束";
    state_failed: "failed", "失败";
    end_complete: "complete", "全部完成";
    end_waiting: "all but what has to wait for its host", "除需等待主机的以外均已完成";
    end_pages: "the number of pages is reached", "已达页数上限";
    end_bytes: "the number of megabytes is reached", "已达字节上限";
    end_time: "the time is used up", "时间已用完";
    end_stopped: "stopped by hand", "手动停止";
    began: "asked for at", "提交于";
    waiting_for_host: "waiting {} s for a host", "等待主机 {} 秒";
    pages_per_second: "Pages a second", "每秒页数";
    left_to_visit: "Left to visit", "待访问";
    hosts: "Hosts", "主机";
    crawl_new: "New", "新增";
    crawl_changed: "Changed", "有变化";
    crawl_same: "Unchanged", "无变化";
    crawling_time: "Crawling time", "采集用时";
    harvest: "Harvest", "收获曲线";
    harvest_captures: "Archived", "已存档";
    harvest_on_topic: "On topic", "符合主题";
    harvest_failed: "Failed", "失败";
    no_harvest_yet: "Nothing to draw yet.", "还没有可画的数据。";
    busy_hosts: "Hosts being asked", "正在访问的主机";
    no_busy_hosts: "None at this moment.", "此刻没有。";
    column_host: "Host", "主机";
    column_under_way: "Under way", "进行中";
    column_next: "Next", "接下来";
    column_failures: "Failures in a row", "连续失败";
    last_visited: "Last visited:", "最近访问：";
    failures: "Failures", "失败原因";
    column_reason: "Reason", "原因";
    column_count: "How often", "次数";
    other_reasons: "other reasons", "其他原因";

    // Looking into pages.
    inspect_url: "Address of a page", "页面网址";
    inspect_html: "or the page itself, as HTML", "或粘贴页面的 HTML";
    inspect_methods: "By which methods, side by side", "用哪些方法，并排比较";
    fetched_in: "fetched in {} ms", "获取用时 {} 毫秒";
    cut_in: "cut in {} ms", "分块用时 {} 毫秒";
    page_drawn_by: "The page with the blocks of {}", "用 {} 分块的页面";
    the_blocks: "Blocks", "块";
    the_text: "Extracted text", "提取的正文";
    finds_no_text: "This method finds no text here.", "此方法没有找到正文。";

    // Teaching sites.
    teach_url: "A page of the archive", "档案中的页面";
    teach_hint: "Tick the pieces that belong to the text, and only those, in the list or by clicking on the page; then try it on other pages of the site.", "勾选属于正文的片段（在列表中，或在页面上点击），然后在本站其他页面上试用。";
    teach_by_model: "What is ticked now is what the model of {} says.", "现在勾选的是 {} 的模型的判断。";
    belongs_to_text: "Belongs to the text", "属于正文";
    page_to_teach: "The page with its pieces", "标出片段的页面";
    try_it: "Try it", "试用";
    save_model: "Save the model", "保存模型";
    teach_this_too: "Teach with this page, too", "也用此页教学";
    also_taught: "also taught with", "也用于教学：";
    model_tried: "A model of {}, not saved yet", "{} 的模型，尚未保存";
    model_saved: "The model of {} is saved", "{} 的模型已保存";
    answer_found: "{} of the chosen text found", "找到所选文字的 {}";
    share_kept: "{} kept", "保留 {}";
    no_other_pages: "The archive has no other pages of this site to try it on.", "档案中没有本站的其他页面可供试用。";
    site_models: "Sites that were taught", "已教学的网站";
    no_models: "No site was taught yet. Name a page of the archive above.", "还没有教过网站。请在上面填写档案中的一个页面。";
    forget: "Forget", "删除";

    // Who may come in.
    log_in: "Log in", "登录";
    log_out: "Log out", "退出";
    user_name: "Name", "用户名";
    password_or_token: "Password or token", "密码或令牌";
    wrong_password: "Name and password do not belong together.", "用户名或密码不对。";
    login_hint: "kuai serve password writes who may come in.", "kuai serve password 可添加用户。";
}

/// Something that can be counted. Templates hand out references.
pub(crate) trait Number {
    fn value(&self) -> u64;
}

macro_rules! numbers {
    ($($number:ty),*) => {
        $(impl Number for $number {
            fn value(&self) -> u64 {
                *self as u64
            }
        })*
    };
}

numbers!(u32, u64, usize);

impl<T: Number> Number for &T {
    fn value(&self) -> u64 {
        T::value(self)
    }
}

impl Words {
    /// A phrase with a count.
    pub(crate) fn count(&self, phrase: &str, count: impl Number) -> String {
        let count = count.value();
        let (one, many) = phrase.split_once('|').unwrap_or((phrase, phrase));
        let chosen = if count == 1 { one } else { many };
        chosen.replacen("{}", &self.number(count), 1)
    }

    /// A phrase with something in it.
    pub(crate) fn with(&self, phrase: &str, what: impl std::fmt::Display) -> String {
        phrase.replacen("{}", &what.to_string(), 1)
    }

    /// A number with its thousands apart.
    pub(crate) fn number(&self, number: impl Number) -> String {
        let digits = number.value().to_string();
        let mut written = String::with_capacity(digits.len() * 4 / 3);
        for (place, digit) in digits.chars().enumerate() {
            if place > 0 && (digits.len() - place).is_multiple_of(3) {
                written.push(',');
            }
            written.push(digit);
        }
        written
    }

    /// Bytes for people: `1.4 MB`.
    pub(crate) fn bytes(&self, bytes: impl Number) -> String {
        let bytes = bytes.value();
        let units = ["B", "kB", "MB", "GB", "TB"];
        let power = (1..units.len()).rev().find(|power| bytes >= 1000_u64.pow(*power as u32)).unwrap_or(0);
        let value = bytes as f64 / 1000_f64.powi(power as i32);
        let decimals = usize::from(power > 0 && value < 10.0);
        format!("{value:.decimals$} {}", units[power])
    }

    /// How many bytes were captured, how many are kept, and what part was saved.
    pub(crate) fn storage(&self, captured: impl Number, stored: impl Number) -> String {
        let saved = 1.0 - (stored.value() as f64 / captured.value().max(1) as f64).min(1.0);
        let figures = [self.bytes(captured), self.bytes(stored), format!("{:.1} %", saved * 100.0)];
        figures.iter().fold(self.storage.to_owned(), |told, figure| told.replacen("{}", figure, 1))
    }

    /// A number with one decimal.
    pub(crate) fn decimal(&self, number: impl Borrow<f64>) -> String {
        format!("{:.1}", number.borrow())
    }

    /// A time that passed: `3 min 20 s`.
    pub(crate) fn time(&self, seconds: impl Borrow<f64>) -> String {
        let seconds = *seconds.borrow();
        let whole = seconds.max(0.0) as u64;
        let [hour, minute, second] = match self.language {
            Language::English => [" h", " min", " s"],
            Language::Chinese => [" 小时", " 分", " 秒"],
        };
        match whole {
            0..10 => format!("{seconds:.1}{second}"),
            10..60 => format!("{whole}{second}"),
            60..3600 => format!("{}{minute} {}{second}", whole / 60, whole % 60),
            _ => format!("{}{hour} {}{minute}", whole / 3600, whole / 60 % 60),
        }
    }

    /// Where a crawl stands.
    pub(crate) fn job_state(&self, state: &JobState) -> &'static str {
        match state {
            JobState::Waiting => self.state_waiting,
            JobState::Running => self.state_running,
            JobState::Paused => self.state_paused,
            JobState::Ended => self.state_ended,
            JobState::Failed => self.state_failed,
        }
    }

    /// Why a crawl ended, by the name that it has in JSON.
    pub(crate) fn crawl_end(&self, name: &str) -> &'static str {
        match name {
            "complete" => self.end_complete,
            "waiting" => self.end_waiting,
            "pages" => self.end_pages,
            "bytes" => self.end_bytes,
            "time" => self.end_time,
            _ => self.end_stopped,
        }
    }

    /// A share of 1 in per cent.
    pub(crate) fn share(&self, share: impl Borrow<f64>) -> String {
        format!("{:.1} %", share.borrow() * 100.0)
    }

    /// What a block is for.
    pub(crate) fn kind(&self, name: impl AsRef<str>) -> &'static str {
        match Label::ALL.into_iter().find(|label| label.name() == name.as_ref()) {
            Some(Label::Main) => self.kind_main,
            Some(Label::Title) => self.kind_title,
            Some(Label::Small) => self.kind_small,
            Some(Label::Meta) => self.kind_meta,
            Some(Label::Comment) => self.kind_comment,
            Some(Label::Related) => self.kind_related,
            Some(Label::Navigation) => self.kind_navigation,
            Some(Label::Advert) => self.kind_advert,
            Some(Label::Copyright) => self.kind_copyright,
            Some(Label::Noise) => self.kind_noise,
            None => self.kind_none,
        }
    }

    /// What sort of thing changed.
    pub(crate) fn change_kind(&self, kind: ChangeKind) -> &'static str {
        match kind {
            ChangeKind::Main => self.change_main,
            ChangeKind::Navigation => self.change_navigation,
            ChangeKind::Advert => self.change_advert,
            ChangeKind::Other => self.change_other,
            ChangeKind::Frame => self.change_frame,
            ChangeKind::Invisible => self.change_invisible,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_phrase_says_something_and_the_same_number_of_things_in_both_languages() {
        for (name, phrases) in ALL {
            let places = phrases.map(|phrase| phrase.split('|').next().unwrap_or_default().matches("{}").count());
            assert_eq!(places[0], places[1], "{name}");
            assert!(phrases.iter().all(|phrase| !phrase.trim().is_empty()), "{name}");
        }
    }

    #[test]
    fn counts_have_their_plural_and_their_thousands_apart() {
        let [english, chinese] = Language::ALL.map(Language::words);
        assert_eq!(english.count(english.captures, 1_u64), "1 capture");
        assert_eq!(english.count(english.captures, 1_234_567_u64), "1,234,567 captures");
        assert_eq!(chinese.count(chinese.captures, 12_u64), "12 次采集");
        assert_eq!(english.storage(10_000_u64, 1_000_u64), "10 kB captured, 1.0 kB stored (90.0 % saved)");
        assert_eq!([999_u64, 1_400_000, 12_345_678].map(|bytes| english.bytes(bytes)), ["999 B", "1.4 MB", "12 MB"]);
    }

    #[test]
    fn a_language_is_known_by_its_code() {
        assert_eq!(Language::of_code("zh-Hans-CN"), Some(Language::Chinese));
        assert_eq!(Language::of_code(" en;q=0.8"), Some(Language::English));
        assert_eq!(Language::of_code("de"), None);
    }
}
