//! What is looked for: subjects with the words a user would give, and the pages that belong to them.
//!
//! What belongs to a subject was written down by hand from the tables of contents, as paths: no word of any page is looked at, so
//! that no strategy is judged by its own measure. Half of the subjects were used for choosing numbers; the others were held out.

use regex::Regex;

/// Something a user looks for.
pub struct Subject {
    /// Words that a user would give.
    pub words: &'static str,
    /// How a person who keeps a list of links would introduce it: a heading and some sentences.
    pub heading: &'static str,
    /// Those sentences.
    pub about: &'static str,
    /// Hosts and paths of the pages that belong to it.
    pages: &'static [&'static str],
    /// Whether numbers of the method were chosen on it.
    pub is_tuned_on: bool,
}

impl Subject {
    /// A matcher of hosts with paths.
    pub fn matcher(&self) -> Regex {
        Regex::new(&format!("^(?:{})$", self.pages.join("|"))).expect("the patterns are valid")
    }
}

/// What is looked for in the measurement.
pub const SUBJECTS: [Subject; 10] = [
    Subject {
        words: "regular expressions",
        heading: "Matching text",
        about: "Patterns that find and replace text. Regular expressions in several languages, their syntax and their traps.",
        pages: &[
            r"cpp.localhost/en/cpp/regex.*",
            r"python.localhost/(library/re|howto/regex|library/fnmatch|library/glob)\.html",
            r"postgres.localhost/(functions-matching|pgtrgm)\.html",
            r"libreoffice.localhost/zh-CN/text/(shared/01/(02100001|02100000)|scalc/01/func_regex|scalc/guide/wildcards)\.html",
        ],
        is_tuned_on: true,
    },
    Subject {
        words: "threads mutexes atomics",
        heading: "Concurrency",
        about: "Doing several things at once without races: threads, locks such as the mutex, and atomic operations.",
        pages: &[
            r"cpp.localhost/en/(cpp|c)/(thread|atomic).*",
            r"rust.localhost/(std|core|alloc)/(sync|thread)/.*",
            r"rust.localhost/book/ch16-.*",
            r"rust.localhost/book/(concurrency|ch20-02-multithreaded)\.html",
            r"rust.localhost/book/(second|2018)-edition/(ch16-.*|ch20-02-.*)",
            r"rust.localhost/book/first-edition/concurrency\.html",
            r"rust.localhost/nomicon/(arc.*|atomics|concurrency|races|send-and-sync|poisoning)\.html",
            r"rust.localhost/rust-by-example/(std/arc|std_misc/(threads|channels).*)",
            r"python.localhost/library/(threading|_thread|queue|concurrency|concurrent.*|multiprocessing.*|asyncio-sync|asyncio-queue)\.html",
        ],
        is_tuned_on: true,
    },
    Subject {
        words: "package management apt",
        heading: "Debian packages",
        about: "Installing, upgrading and building software packages with apt and dpkg.",
        pages: &[
            r"debian.localhost/[^/]*/(apt|packaging-system|debian-packaging)\.html",
            r"debian.localhost/[^/]*/sect\.(apt-.*|automatic-upgrades|becoming-package-maintainer|building-first-package|coexistence-with-other-packaging-systems|dist-upgrade|manipulating-packages-with-dpkg|package-.*|regular-upgrades|searching-packages|setup-apt-package-repository|source-package-structure)\.html",
        ],
        is_tuned_on: true,
    },
    Subject {
        // Half of the package's pages are not translated.
        words: "图层 蒙版 layer mask",
        heading: "图像的图层",
        about: "图层像一叠透明的纸，蒙版决定图层的哪些部分可见。这里列出有关图层与蒙版的说明。",
        pages: &[
            r"gimp.localhost/zh_CN/(gimp-layer-.*|layer-mode-.*|gimp-concepts-layer-.*|gimp-using-layers|gimp-using-quickmask|gimp-quick-mask-toggle|gimp-image-window-quick-mask-.*|gimp-dialogs-structure|gimp-channel-dialog|gimp-image-(merge-layers|flatten|resize-to-layers)|gimp-view-show-layer-boundary|gimp-stuck-(layer-.*|outside-layer)|gimp-file-open-as-layer|key-reference-layer|plug-in-align-layers|script-fu-reverse-layers)\.html",
        ],
        is_tuned_on: true,
    },
    Subject {
        words: "memory allocation smart pointers",
        heading: "Memory",
        about: "Who owns a piece of memory, how it is allocated and given back, and pointers that do it by themselves.",
        pages: &[
            r"cpp.localhost/en/(cpp|c)/memory.*",
            r"cpp.localhost/en/cpp/language/(new|delete)\.html",
            r"rust.localhost/(std|core|alloc)/(alloc|boxed|rc)/.*",
            r"rust.localhost/(std|alloc)/sync/struct\.(Arc|Weak)\.html",
            r"rust.localhost/book/ch15-.*",
            r"rust.localhost/book/(second|2018)-edition/ch15-.*",
            r"rust.localhost/book/(the-stack-and-the-heap|choosing-your-guarantees)\.html",
            r"rust.localhost/book/first-edition/(the-stack-and-the-heap|choosing-your-guarantees)\.html",
            r"rust.localhost/rust-by-example/std/(box|rc|arc)\.html",
            r"rust.localhost/nomicon/(arc.*|vec-alloc|vec-dealloc)\.html",
            r"python.localhost/c-api/(memory|allocation|refcounting)\.html",
        ],
        is_tuned_on: true,
    },
    Subject {
        words: "transactions isolation locking",
        heading: "Many users of one database",
        about: "What a transaction sees of others: isolation levels, locks, deadlocks, commit and rollback.",
        pages: &[
            r"postgres.localhost/(mvcc.*|transaction-iso|explicit-locking|applevel-consistency|locking-indexes|tutorial-transactions|view-pg-locks|view-pg-prepared-xacts|runtime-config-locks|monitoring-locks|pgrowlocks|index-locking|fdw-row-locking|wal-async-commit|logicaldecoding-two-phase-commits)\.html",
            r"postgres.localhost/sql-(abort|begin|commit|commit-prepared|end|lock|prepare-transaction|release-savepoint|rollback|rollback-prepared|rollback-to|savepoint|set-transaction|set-constraints|start-transaction)\.html",
            r"postgres.localhost/(plpgsql|plpython|pltcl)-(sub)?transactions?\.html",
            r"postgres.localhost/spi-(transaction|spi-commit|spi-rollback|spi-start-transaction)\.html",
            r"postgres.localhost/ecpg-sql-set-autocommit\.html",
        ],
        is_tuned_on: false,
    },
    Subject {
        words: "hash maps and sets",
        heading: "Dictionaries",
        about: "Hash tables: maps from keys to values, and sets of distinct keys.",
        pages: &[
            r"cpp.localhost/en/cpp/container/(unordered_)?(multi)?(map|set)[./].*",
            r"cpp.localhost/en/cpp/utility/hash.*",
            r"cpp.localhost/en/cpp/header/(unordered_)?(map|set)\.html",
            r"rust.localhost/(std|alloc)/collections/(hash_map|hash_set|hash|btree_map|btree_set|btree)/.*",
            r"rust.localhost/(std|alloc)/collections/struct\.(HashMap|HashSet|BTreeMap|BTreeSet)\.html",
            r"rust.localhost/(std|core)/hash/.*",
            r"rust.localhost/book/(.*/)?ch08-03-hash-maps\.html",
            r"rust.localhost/rust-by-example/std/hash.*",
            r"python.localhost/c-api/(dict|set|mapping)\.html",
        ],
        is_tuned_on: false,
    },
    Subject {
        words: "time zones dates",
        heading: "Clocks and calendars",
        about: "Dates, times and time zones: reading them, writing them, reckoning with them.",
        pages: &[
            r"cpp.localhost/en/(cpp|c)/chrono.*",
            r"cpp.localhost/en/cpp/io/manip/(get|put)_time\.html",
            r"python.localhost/library/(datetime|zoneinfo|calendar|time)\.html",
            r"python.localhost/c-api/datetime\.html",
            r"postgres.localhost/(datetime-.*|datatype-datetime|functions-datetime|view-pg-timezone-.*)\.html",
            r"rust.localhost/(std|core)/time/.*",
            r"libreoffice.localhost/zh-CN/text/scalc/01/(04060102|func_(date|datedif|datevalue|day|days|days360|eastersunday|edate|eomonth|hour|isoweeknum|minute|month|networkdays|networkdays\.intl|now|second|time|timevalue|today|weekday|weeknum|weeknum_ooo|weeknumadd|workday|workday\.intl|year|yearfrac))\.html",
        ],
        is_tuned_on: false,
    },
    Subject {
        words: "电子表格 函数",
        heading: "表格中的计算",
        about: "在电子表格的单元格里用函数计算：数学、统计、文本、日期等各类函数的语法和示例。",
        pages: &[
            r"libreoffice.localhost/zh-CN/text/scalc/01/(0406.*|func_.*|f.._func|common_func.*|ex_data_stat_func|exponsmooth_embd|ODFF|calculate)\.html",
            r"libreoffice.localhost/zh-CN/text/scalc/guide/(userdefined_function|formulas|formula_.*|matrixformula)\.html",
        ],
        is_tuned_on: false,
    },
    Subject {
        words: "input output streams files",
        heading: "Reading and writing",
        about: "Streams and files: opening them, reading input, writing output, buffers and errors.",
        pages: &[
            r"cpp.localhost/en/(cpp|c)/io.*",
            r"cpp.localhost/en/cpp/filesystem.*",
            r"rust.localhost/std/(io|fs)/.*",
            r"rust.localhost/rust-by-example/std_misc/(file|fs).*",
            r"rust.localhost/book/(.*/)?ch12-(00|02|06)-.*",
            r"python.localhost/library/(io|filesys|fileinput|tempfile|shutil|filecmp|pathlib|os\.path|stat)\.html",
            r"python.localhost/(tutorial/inputoutput|c-api/file)\.html",
        ],
        is_tuned_on: false,
    },
];

/// What portals write about beside: heading, sentences and pages.
pub const OTHERS: [(&str, &str, &str); 8] = [
    ("Algorithms", "Sorting, searching and counting over ranges.", r"cpp.localhost/en/cpp/algorithm/.*"),
    (
        "Talking to the Internet",
        "Clients and servers for mail and the Web.",
        r"python.localhost/library/(http|email|urllib|smtp|ftp|xml).*",
    ),
    ("照片滤镜", "模糊、变形与艺术效果。", r"gimp.localhost/zh_CN/(filters-|plug-in-|script-fu-).*"),
    ("文字处理", "段落、样式、目录与打印。", r"libreoffice.localhost/zh-CN/text/swriter/.*"),
    ("Inside the catalogue", "Tables that describe tables.", r"postgres.localhost/(catalog-|infoschema-|view-).*"),
    ("Unstable features", "What the compiler may learn next.", r"rust.localhost/unstable-book/.*"),
    ("Language rules", "Types, templates, declarations and statements.", r"cpp.localhost/en/cpp/language/.*"),
    (
        "Running a server",
        "Services, networks and security of a machine.",
        r"debian.localhost/(en-US|zh-CN|de-DE)/sect\.[d-n].*",
    ),
];
