//! What is looked for: subjects with the words a user would give, and the pages that belong to them.
//!
//! What belongs to a subject was written down by hand from the tables of contents, as paths: no word of any page is looked at, so
//! that no strategy is judged by its own measure. The method was chosen on some subjects; others were held out until it was settled.

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
    /// What it was used for.
    pub set: Set,
}

/// What a subject was used for while the method was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Set {
    /// Numbers and ideas were chosen on it.
    ChosenOn,
    /// Held out at first, and looked at since when ideas were weighed.
    SeenSince,
    /// Written down before ideas were tried, measured once after they were settled, and chosen on since.
    Fresh,
    /// Written down before the ideas were tried that the fresh ones called for, and measured once after they were settled.
    Fresher,
}

impl Subject {
    /// How many of the first subjects the method may be chosen on; the rest is for the end.
    pub fn known_count() -> usize {
        SUBJECTS.iter().take_while(|subject| subject.set != Set::Fresher).count()
    }

    /// A matcher of hosts with paths.
    pub fn matcher(&self) -> Regex {
        Regex::new(&format!("^(?:{})$", self.pages.join("|"))).expect("the patterns are valid")
    }
}

/// What is looked for in the measurement.
pub const SUBJECTS: [Subject; 26] = [
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
        set: Set::ChosenOn,
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
        set: Set::ChosenOn,
    },
    Subject {
        words: "package management apt",
        heading: "Debian packages",
        about: "Installing, upgrading and building software packages with apt and dpkg.",
        pages: &[
            r"debian.localhost/[^/]*/(apt|packaging-system|debian-packaging)\.html",
            r"debian.localhost/[^/]*/sect\.(apt-.*|automatic-upgrades|becoming-package-maintainer|building-first-package|coexistence-with-other-packaging-systems|dist-upgrade|manipulating-packages-with-dpkg|package-.*|regular-upgrades|searching-packages|setup-apt-package-repository|source-package-structure)\.html",
        ],
        set: Set::ChosenOn,
    },
    Subject {
        // Half of the package's pages are not translated.
        words: "图层 蒙版 layer mask",
        heading: "图像的图层",
        about: "图层像一叠透明的纸，蒙版决定图层的哪些部分可见。这里列出有关图层与蒙版的说明。",
        pages: &[
            r"gimp.localhost/zh_CN/(gimp-layer-.*|layer-mode-.*|gimp-concepts-layer-.*|gimp-using-layers|gimp-using-quickmask|gimp-quick-mask-toggle|gimp-image-window-quick-mask-.*|gimp-dialogs-structure|gimp-channel-dialog|gimp-image-(merge-layers|flatten|resize-to-layers)|gimp-view-show-layer-boundary|gimp-stuck-(layer-.*|outside-layer)|gimp-file-open-as-layer|key-reference-layer|plug-in-align-layers|script-fu-reverse-layers)\.html",
        ],
        set: Set::ChosenOn,
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
        set: Set::ChosenOn,
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
        set: Set::SeenSince,
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
        set: Set::SeenSince,
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
        set: Set::SeenSince,
    },
    Subject {
        words: "电子表格 函数",
        heading: "表格中的计算",
        about: "在电子表格的单元格里用函数计算：数学、统计、文本、日期等各类函数的语法和示例。",
        pages: &[
            r"libreoffice.localhost/zh-CN/text/scalc/01/(0406.*|func_.*|f.._func|common_func.*|ex_data_stat_func|exponsmooth_embd|ODFF|calculate)\.html",
            r"libreoffice.localhost/zh-CN/text/scalc/guide/(userdefined_function|formulas|formula_.*|matrixformula)\.html",
        ],
        set: Set::SeenSince,
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
        set: Set::SeenSince,
    },
    Subject {
        words: "full text search",
        heading: "Searching documents",
        about: "Finding documents by their words: parsing, dictionaries, ranking, and the indexes for it.",
        pages: &[
            r"postgres.localhost/(textsearch.*|datatype-textsearch|functions-textsearch|dict-int|dict-xsyn|unaccent|pgtrgm|catalog-pg-ts-.*)\.html",
            r"postgres.localhost/sql-(alter|create|drop)ts.*\.html",
        ],
        set: Set::Fresh,
    },
    Subject {
        words: "backup replication standby",
        heading: "Safe copies",
        about: "Copies of a database: dumps, archives of its log, servers that stand by, and replication.",
        pages: &[
            r"postgres.localhost/(backup.*|continuous-archiving|high-availability|different-replication-solutions|warm-standby.*|hot-standby|archive-module.*|basic-archive|basebackup-to-shell|pgarchivecleanup|recovery-.*)\.html",
            r"postgres.localhost/(logical-replication.*|replication-origins|protocol-(logical-)?replication|runtime-config-replication|catalog-pg-(publication|subscription|replication).*|view-pg-(publication|replication).*)\.html",
            r"postgres.localhost/(app-pg-dumpall|app-pgbasebackup|app-pgdump|app-pgreceivewal|app-pgrestore|app-pgrewind|app-pgverifybackup|sql-(alter|create|drop)(publication|subscription))\.html",
            r"debian.localhost/en-US/sect\.backup\.html",
        ],
        set: Set::Fresh,
    },
    Subject {
        words: "random numbers distributions",
        heading: "Chance",
        about: "Generators of random numbers, their seeds, and the distributions that they are drawn from.",
        pages: &[
            r"cpp.localhost/en/(cpp|c)/numeric/random.*",
            r"cpp.localhost/en/cpp/(header/random|algorithm/(random_shuffle|sample))\.html",
            r"python.localhost/library/(random|secrets)\.html",
        ],
        set: Set::Fresh,
    },
    Subject {
        words: "exceptions error handling",
        heading: "When things go wrong",
        about: "Errors and exceptions: raising and catching them, error codes, panics and results.",
        pages: &[
            r"cpp.localhost/en/(cpp|c)/error.*",
            r"cpp.localhost/en/cpp/language/(except_spec|exceptions|noexcept|noexcept_spec|throw|try_catch|function-try-block)\.html",
            r"cpp.localhost/en/cpp/header/(exception|stdexcept|system_error|cerrno|cassert)\.html",
            r"rust.localhost/(std|core)/(error|panic|result)/.*",
            r"rust.localhost/book/(.*/)?(ch09-.*|ch12-03-.*|error-handling)\.html",
            r"rust.localhost/rust-by-example/(error.*|std/(result|panic).*)",
            r"rust.localhost/nomicon/(unwinding|exception-safety|panic-handler|poisoning)\.html",
            r"python.localhost/(tutorial/errors|library/(exceptions|traceback|warnings|asyncio-exceptions|urllib\.error|email\.errors)|c-api/exceptions)\.html",
            r"postgres.localhost/(ecpg-errors|errcodes-appendix|error-message-reporting|error-style-guide|plpgsql-errors-and-messages|pltcl-error-handling|protocol-error-fields|runtime-config-error-handling)\.html",
        ],
        set: Set::Fresh,
    },
    Subject {
        // Half of the package's pages are not translated.
        words: "选区 selection",
        heading: "选出图像的一部分",
        about: "用选区工具选出图像的一部分，再把选区扩大、收缩、羽化或存成通道。",
        pages: &[
            r"gimp.localhost/zh_CN/(gimp-selection-.*|gimp-select-menu|gimp-tools-selection|gimp-tool-(rect|ellipse|free|fuzzy|by-color|foreground)-select|gimp-tool-iscissors|gimp-using-selections.*|gimp-using-paths-and-selections|gimp-path-selection-.*|gimp-layer-(alpha|mask)-selection-.*|gimp-image-resize-to-selection|gimp-stuck-(hidden|outside)-selection|gimp-view-show-selection|key-reference-select|script-fu-(distress-selection|guides-from-selection|selection-rounded-rectangle)|gimp-concepts-selection.*)\.html",
        ],
        set: Set::Fresh,
    },
    Subject {
        words: "图表 坐标轴",
        heading: "用图说话",
        about: "把数据画成图表：柱形图、饼图、折线图，坐标轴、图例与数据标签的设置。",
        pages: &[r"libreoffice.localhost/zh-CN/text/(schart/.*|shared/guide/chart_.*|scalc/02/18020000\.html)"],
        set: Set::Fresh,
    },
    Subject {
        words: "数学公式 编辑",
        heading: "公式排版",
        about: "用命令写出数学公式：运算符、函数、括号、上下标、矩阵与符号。",
        pages: &[r"libreoffice.localhost/zh-CN/text/smath/.*"],
        set: Set::Fresh,
    },
    Subject {
        words: "数据库 查询 表单",
        heading: "数据与表单",
        about: "连接数据源，设计表和查询，用表单和报表录入与查看数据。",
        pages: &[
            r"libreoffice.localhost/zh-CN/text/sdatabase/.*",
            r"libreoffice.localhost/zh-CN/text/shared/guide/(data_.*|database_main)\.html",
        ],
        set: Set::Fresh,
    },
    Subject {
        words: "iterators",
        heading: "One after another",
        about: "Going through what a container holds: iterators, the adaptors around them, and generators.",
        pages: &[
            r"cpp.localhost/en/cpp/(iterator|header/iterator).*",
            r"cpp.localhost/en/cpp/concept/[A-Za-z]*Iterator\.html",
            r"rust.localhost/(std|core)/iter/.*",
            r"rust.localhost/book/(.*/)?(ch13-02-iterators|iterators)\.html",
            r"rust.localhost/rust-by-example/(trait/iter|error/iter_result)\.html",
            r"python.localhost/(library/itertools|howto/functional|c-api/(iter|iterator|gen))\.html",
        ],
        set: Set::Fresher,
    },
    Subject {
        words: "database triggers",
        heading: "When rows change",
        about: "Functions that a database calls by itself when rows or tables change: triggers and event triggers.",
        pages: &[
            r"postgres.localhost/(trigger.*|event-trigger.*|functions-(event-)?triggers?|rules-triggers|tcn|contrib-spi)\.html",
            r"postgres.localhost/(plperl|plpgsql|plpython|pltcl)-(event-)?triggers?\.html",
            r"postgres.localhost/(sql-(alter|create|drop)(event)?trigger|catalog-pg-(event-)?trigger|infoschema-trigger.*|spi-spi-register-trigger-data)\.html",
        ],
        set: Set::Fresher,
    },
    Subject {
        words: "network sockets",
        heading: "Connections",
        about: "Talking to other machines over TCP and UDP: sockets, listeners, addresses, and waiting on many at once.",
        pages: &[
            r"rust.localhost/(std|core)/net/.*",
            r"rust.localhost/std/os/(unix|linux|android|wasi)/net/.*",
            r"rust.localhost/book/(.*/)?ch20-01-single-threaded\.html",
            r"python.localhost/library/(socket|socketserver|ssl|select|selectors|asyncore|asynchat|asyncio-stream|asyncio-protocol|ipaddress|ipc)\.html",
            r"python.localhost/howto/(sockets|ipaddress)\.html",
        ],
        set: Set::Fresher,
    },
    Subject {
        words: "locales character encodings",
        heading: "Languages and letters",
        about: "Texts of many languages: character sets and encodings, Unicode, locales, collation and translation.",
        pages: &[
            r"cpp.localhost/en/(cpp|c)/locale.*",
            r"cpp.localhost/en/cpp/string/(multibyte|wide).*",
            r"cpp.localhost/en/cpp/header/(locale|clocale|codecvt|cuchar|cwchar|cwctype)\.html",
            r"python.localhost/(library/(codecs|unicodedata|locale|gettext|i18n|stringprep)|howto/unicode|c-api/(codec|unicode))\.html",
            r"postgres.localhost/(charset|locale|collation|multibyte|nls.*|catalog-pg-(collation|conversion)|sql-(alter|create|drop)(collation|conversion)|infoschema-(collation.*|character-sets))\.html",
        ],
        set: Set::Fresher,
    },
    Subject {
        words: "演示文稿 幻灯片",
        heading: "讲给大家看",
        about: "制作并放映演示文稿：幻灯片的版式与母版，切换和动画，备注与放映。",
        pages: &[r"libreoffice.localhost/zh-CN/text/simpress/.*"],
        set: Set::Fresher,
    },
    Subject {
        words: "宏 Basic 编程",
        heading: "让办公软件自动工作",
        about: "用 Basic 写宏：语句、函数、变量、对话框和调试。",
        pages: &[
            r"libreoffice.localhost/zh-CN/text/sbasic/.*",
            r"libreoffice.localhost/zh-CN/text/shared/guide/(macro_recording|scripting)\.html",
        ],
        set: Set::Fresher,
    },
    Subject {
        words: "数据透视表 筛选 排序",
        heading: "整理数据",
        about: "把大量数据排序、筛选、分组，并用数据透视表汇总。",
        pages: &[
            r"libreoffice.localhost/zh-CN/text/scalc/guide/(datapilot.*|pivotchart.*|filters|specialfilter|autofilter|sorted_list|remove_duplicates|database_.*)\.html",
            r"libreoffice.localhost/zh-CN/text/scalc/01/12(03|04|09).*\.html",
        ],
        set: Set::Fresher,
    },
    Subject {
        // Half of the package's pages are not translated.
        words: "画笔 绘画 brush paint",
        heading: "在画布上",
        about: "用画笔、铅笔、喷枪和橡皮绘画，选择和制作画笔。",
        pages: &[
            r"gimp.localhost/zh_CN/(gimp-tools-(paint|brush)|gimp-tool-(dynamics|bucket-fill|gradient|pencil|paintbrush|mypaint-brush|eraser|airbrush|ink|clone|heal|perspective-clone|convolve|smudge|dodge-burn))\.html",
            r"gimp.localhost/zh_CN/(gimp-painting|gimp-concepts-brushes|gimp-using-(animated-brushes|brushes|variable-size-brush)|gimp-creating-brush-quickly|gimp-(mypaint-)?brush-dialog|gimp-symmetry-dialog|gimp-tutorial-straight-lines.*)\.html",
        ],
        set: Set::Fresher,
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
