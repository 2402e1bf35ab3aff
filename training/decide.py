"""Which units are kept, given how likely each is main text: the same as crates/segment/src/methods/kuai/{decide,alike,wholes,terms,standfirst,headings,
policies,sections,comments,others,hub}.rs.

What goes by rules before that (ruled_out.rs) is told by `kuai features`.
"""
import collections
import pathlib
import re

import numpy as np

import context
import report
from pages import HUB_MAIN_MAX, TYPES

BOUND = .2, .5             # of the likelihood from which a unit is kept
LIKELIEST_MIN = .25        # where no unit is as likely as this nothing is kept
ARTICLE_MIN, DOCUMENTATION_MIN, FORUM_MIN, MAYBE_FORUM_MIN, READ_MIN = .8, .5, .5, .3, .5
HEADING_LINK_MIN, HEADING_LENGTH_MIN, HEADING_LEVELS_MAX = .8, 3, 8
TEASERS_MIN, HEADED_SHARE_MIN, ITEM_LENGTH_MAX, TEASERS_RATIO_MAX = 3, .8, 300, .8
BEHIND_SHARE_MAX = .25     # of the other text behind the first comment: more is behind comments on parts of a text
COMMENT_NAMES = [1738982494, 1485230807]   # "comment" and "comments", hashed as names.rs does
LINK_LENGTH_MIN, LEFT_LENGTH_MIN = 15, 8
UNSURE_MAX, TELLING_MIN, TELLING_SHARE_MIN, POLICY_CHARACTERS_MAX = .7, 3, .5, 600
ALIKE_MIN, ALIKE_LIKELY_MIN = 3, .1
TERM_LIKELY_MIN, DESCRIBED_LENGTH_MIN, DESCRIBED_SHARE_MIN = .1, 3, .5
HEADING_LENGTH_MAX, HEADING_LIKELY_MIN, HEADED_LENGTH_MIN, HEADED_KEPT_SHARE_MIN, LINE_LENGTH_MIN = 20, .2, 8, .5, 5
# Of units that are alike: the share of their words that must be kept, the words of each, and the share of it that may be linked.
POSTS, ITEMS = (.6, 3, .5), (.3, 0, np.inf)
WHOLES = "table", "ul", "ol"
WHOLE_UNITS_MIN, CELL_MEAN_LENGTH_MAX, CELL_LENGTH_MAX, LIST_KEPT_SHARE_MIN, TABLE_KEPT_SHARE_MIN, LINK_SHARE_MIN = 3, 15, 100, .5, .2, .5
STANDFIRST_REACH_MAX, STANDFIRST_LENGTH_MIN, STANDFIRST_LIKELY_MIN, STANDFIRST_LINK_MAX = 25, 20, .3, .2
ENDS = tuple(".!?…»”\"。！？")
CHINESE_MIN = .4           # `page_wide` from which a page is Chinese, as in crates/segment/src/methods/kuai/model.rs
HUB_LIKELY_MIN = .5        # of a unit of a Chinese page that is there for its links
LIST_MIN, SURE_LIST_MIN, HEADING_CHARACTERS_MAX, SECTION_UNSURE_MAX = .5, .6, 60, .8
RANKS = {f"h{rank}": rank for rank in range(1, 7)}
LEADS = pathlib.Path(__file__).parent.parent / "crates" / "segment" / "src" / "methods" / "kuai" / "leads.txt"


def words_of(section):
    """The words of a section of leads.txt."""
    lines = LEADS.read_text().split(f"[{section}]")[1].split("\n[")[0].splitlines()
    return [word.strip() for line in lines if not line.startswith("#") for word in line.split(",") if word.strip()]


def any_of(words):
    return "(?:" + "|".join(map(re.escape, sorted(words, key=len, reverse=True))) + ")"


POLICY = re.compile(r"(?<!\w)" + any_of(words_of("policy")) + r"(?!\w)", re.I)
UNPARTED = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
# A lead of one word counts only where nothing follows it.
POINTER = re.compile(rf"[\W_]*(?:{any_of([w for w in words_of('pointer') if ' ' in w or re.match(f'[{UNPARTED}]', w)])}(?:(?<=[{UNPARTED}])|(?![^\W_]))"
                     rf"|{any_of([w for w in words_of('pointer') if ' ' not in w])}(?!\s*[^\W_]))", re.I)


def is_chinese(page):
    return page["page"][page["page_columns"].index("page_wide")] >= CHINESE_MIN


def is_list(kind, at_least=LIST_MIN):
    return kind[TYPES.index("collection")] + kind[TYPES.index("listing")] >= at_least


def is_article(kind):
    return kind[TYPES.index("article")] >= ARTICLE_MIN


def is_read(kind):
    return sum(kind[TYPES.index(name)] for name in ("article", "documentation", "service")) >= READ_MIN


def decide(page, p, kind):
    if not len(p) or p.max() < LIKELIEST_MIN:
        return np.zeros(len(p), bool)
    bound = joint_bound(page, p) if is_article(kind) else report.expected(page, p, context.LENGTH_MIN) / 2
    kept = p >= min(max(bound, BOUND[0]), BOUND[1])
    is_forum = kind[TYPES.index("forum")] >= FORUM_MIN
    if is_forum or is_list(kind, SURE_LIST_MIN):
        keep_alike(page, p, kept, *(POSTS if is_forum else ITEMS))
    if kind[TYPES.index("documentation")] < DOCUMENTATION_MIN:
        drop_repeats(page, p, kept)
    keep_whole(page, kept, kind)
    if is_article(kind):
        keep_standfirst(page, p, kept)
    if not is_forum:
        keep_terms(page, p, kept)
        keep_headings(page, p, kept)
    if kept.sum() > 1:
        kept &= ~page["ruled_out"]
    kept = without_policies(page, p, kept)
    kept = kept if is_list(kind) else without_sections(page, p, kept)
    kept = kept if kind[TYPES.index("forum")] >= MAYBE_FORUM_MIN else without_comments(page, kept)
    return without_others(page, p, kept) if is_article(kind) else kept


def text_of(page, p, kept, kind):
    """What the program would say of a page: one that is there for its links is left to SPCOLA."""
    main = kept & (p >= HUB_LIKELY_MIN) if is_chinese(page) else kept
    is_hub = page["hub_text"] is not None and page["length"][main].sum() <= HUB_MAIN_MAX and not is_article(kind)
    return page["hub_text"] if is_hub else "\n".join(text for text, keep in zip(page["texts"], kept) if keep)


def joint_bound(page, p, count=40):
    """The bound for pages whose units are main text together: all those whose likelihood is above a number that nobody knows."""
    steps = (np.arange(count) + .5) / count
    at_least = np.minimum((p * count + .5).astype(int), count)
    words = np.bincount(at_least, np.maximum(page["length"], context.LENGTH_MIN), count + 1)[::-1].cumsum()[::-1][1:]
    allowed = np.flatnonzero((steps >= BOUND[0]) & (steps <= BOUND[1]) & (words > 0))
    sums = [(2 * words[np.maximum(np.arange(count), kept)] / (words[kept] + words)).sum() for kept in allowed]
    return steps[allowed[np.argmax(sums)]] if len(allowed) else BOUND[0]


def keep_alike(page, p, kept, kept_share_min, length_min, link_max):
    around = page["parent"][page["element"]]
    shapes = page["shape"][np.stack([page["element"], around, page["parent"][around]], 1)]
    _, alike = np.unique(shapes, axis=0, return_inverse=True)
    alike, length = alike.reshape(-1), page["length"]
    words, kept_words, count = np.bincount(alike, length), np.bincount(alike, length * kept), np.bincount(alike)
    are_kept = (count >= ALIKE_MIN) & (kept_words >= kept_share_min * words)
    link = page["X"][:, page["columns"].index("link")]
    kept |= are_kept[alike] & (p >= ALIKE_LIKELY_MIN) & (length >= length_min) & (link < link_max)


def drop_repeats(page, p, kept):
    first = {}
    for i in np.flatnonzero(kept):
        if page["words"][1][i + 1] - page["words"][1][i] < 6 or may_repeat(page, i):
            continue
        text = page["texts"][i].strip()   # the same paragraph may stand there indented and not
        j = first.setdefault(text, i)
        if j != i and not stand_together(page, i, j):
            lost = j if p[i] > p[j] + .05 else i
            kept[lost] = False
            if lost == j:
                first[text] = i


def may_repeat(page, unit):
    element = page["element"][unit]
    own, around = page["tag"][element], page["tag"][page["parent"][element]]
    return own == "pre" or "td" in (own, around) or "th" in (own, around)


def stand_together(page, one, other):
    one, other = page["element"][one], page["element"][other]
    return one == other or page["parent"][one] == page["parent"][other]


def keep_whole(page, kept, kind):
    parent, tag = page["parent"], page["tag"]
    link = page["X"][:, page["columns"].index("link")]
    whole_of, layout = np.full(len(parent), -1), set()
    for i in range(len(parent)):
        around = whole_of[parent[i]] if i else -1
        whole_of[i] = i if tag[i] in WHOLES else around
        if tag[i] == "table":
            layout.add(around)
    units = collections.defaultdict(list)
    for k, element in enumerate(page["element"]):
        units[whole_of[element]].append(k)
    gone = np.zeros(len(kept), bool)
    for whole, inside in units.items():
        length, is_table = page["length"][inside], tag[whole] == "table"
        is_data = whole not in layout and length.mean() <= CELL_MEAN_LENGTH_MAX and length.max() <= CELL_LENGTH_MAX
        is_one = is_data and kind[TYPES.index("forum")] < FORUM_MIN if is_table else is_read(kind)
        if whole < 0 or len(inside) < WHOLE_UNITS_MIN or not is_one:
            continue
        is_kept = length[kept[inside]].sum() >= (TABLE_KEPT_SHARE_MIN if is_table else LIST_KEPT_SHARE_MIN) * length.sum()
        tells_by_links = is_table and (length * link[inside]).sum() < LINK_SHARE_MIN * length.sum()
        if is_kept:
            kept[inside] |= tells_by_links | (link[inside] < LINK_SHARE_MIN)
        gone[inside] = is_table and not is_kept
    kept[:] = without(page, kept, gone)


def keep_terms(page, p, kept):
    tags, parent, length = page["tag"], page["parent"], page["length"]
    if "dt" not in tags:
        return
    words = sums(page, np.stack([length, length * kept], 1))
    entries, kept_terms = collections.defaultdict(list), set()   # of each element: [terms, words of descriptions, kept ones, is described]
    for i, tag in enumerate(tags):
        if tag not in ("dt", "dd"):
            continue
        own = entries[parent[i]]
        if not own or tag == "dt" and own[-1][3]:
            own.append([[], 0, 0, False])
        if tag == "dt":
            own[-1][0].append(i)
        else:
            own[-1][1:] = own[-1][1] + words[i, 0], own[-1][2] + words[i, 1], True
    for terms, described, described_kept, _ in (entry for own in entries.values() for entry in own):
        if described >= DESCRIBED_LENGTH_MIN and described_kept >= DESCRIBED_SHARE_MIN * described:
            kept_terms.update(terms)
    item_of = np.full(len(tags), -1)
    for i, tag in enumerate(tags):
        item_of[i] = i if tag in ("dt", "dd") else item_of[parent[i]] if i else -1
    kept |= np.isin(item_of[page["element"]], list(kept_terms)) & (p >= TERM_LIKELY_MIN)


def keep_headings(page, p, kept):
    length = page["length"]
    headings = [k for k, element in enumerate(page["element"]) if page["tag"][element] in RANKS]
    for heading, end in zip(headings, headings[1:] + [len(kept)]):
        if kept[heading] or p[heading] < HEADING_LIKELY_MIN or length[heading] > HEADING_LENGTH_MAX:
            continue
        below, kept_below = length[heading + 1:end], kept[heading + 1:end]
        lines = np.flatnonzero(below >= LINE_LENGTH_MIN)
        words = (below * kept_below).sum()
        kept[heading] = len(lines) > 0 and kept_below[lines[0]] and words >= HEADED_LENGTH_MIN and words >= HEADED_KEPT_SHARE_MIN * below.sum()


def keep_standfirst(page, p, kept):
    tags = [page["tag"][element] for element in page["element"]]
    title = next((k for k, tag in enumerate(tags) if tag == "h1" and page["ruled_out"][k]), None)
    behind = np.flatnonzero(kept[title + 1:][:STANDFIRST_REACH_MAX]) if title is not None else []
    for k in range(title + 1, title + 1 + behind[0]) if len(behind) else ():
        is_one = page["length"][k] >= STANDFIRST_LENGTH_MIN and p[k] >= STANDFIRST_LIKELY_MIN and tags[k] != "figcaption"
        is_linked = page["X"][k, page["columns"].index("link")] >= STANDFIRST_LINK_MAX
        kept[k] |= is_one and not is_linked and page["texts"][k].rstrip().endswith(ENDS)


def without_policies(page, p, kept):
    telling = np.zeros(len(p))
    for i in np.flatnonzero(kept & (p < UNSURE_MAX)):
        said = len({words.lower() for words in POLICY.findall(page["texts"][i][:POLICY_CHARACTERS_MAX])})
        telling[i] = said if said >= TELLING_MIN else min(said, 1)
    if telling.sum() < TELLING_MIN:
        return kept
    length = page["length"] * kept
    contents = sums(page, np.stack([length, length * p, length * (telling > 0), telling], 1))
    words, likely, telling_words, telling = contents.T
    is_policy = (telling >= TELLING_MIN) & (telling_words >= TELLING_SHARE_MIN * words) & (likely < UNSURE_MAX * words)
    is_policy &= words[0] - words >= LEFT_LENGTH_MIN
    return without(page, kept, with_all_inside(page, lambda i: is_policy[i])[page["element"]])


def without_sections(page, p, kept):
    tags = [page["tag"][element] for element in page["element"]]
    ranks, length, start = [RANKS.get(tag) for tag in tags], page["length"], 0
    while start < len(ranks):
        end = start + 1
        text = page["texts"][start].strip().replace("’", "'")
        if len(text) <= HEADING_CHARACTERS_MAX and POINTER.match(text):
            while ranks[start] and end < len(ranks) and not (ranks[end] and ranks[end] <= ranks[start]):
                end += 1
            end = max(end, end_of_headed(page, start))
            words = (length * kept)[start:end]
            if words.sum() > 0 and (words * p[start:end]).sum() < SECTION_UNSURE_MAX * words.sum():
                dropped = np.zeros(len(kept), bool)
                dropped[start:end] = True
                kept = without(page, kept, dropped)
        start = end
    return kept


def end_of_headed(page, start):
    """The unit before which the largest element ends that begins with this one."""
    element, parent = page["element"], page["parent"]
    if not start:
        return 1
    headed, before = None, element[start - 1]
    at = element[start]
    while at != before:
        if at > before:
            headed, at = at, parent[at]
        else:
            before = parent[before]
    end = start + 1
    while headed is not None and end < len(element) and is_inside(parent, element[end], headed):
        end += 1
    return end


def is_inside(parent, element, around):
    while element > around:
        element = parent[element]
    return element == around


def sums(page, values):
    """What stands in each element, added up from its units."""
    contents = np.zeros((len(page["parent"]), values.shape[1]))
    np.add.at(contents, page["element"], values)
    for i in range(len(contents) - 1, 0, -1):
        contents[page["parent"][i]] += contents[i]
    return contents


def with_all_inside(page, is_such):
    found = np.zeros(len(page["parent"]), bool)
    for i in range(1, len(found)):
        found[i] = found[page["parent"][i]] or is_such(i)
    return found


def without_comments(page, kept):
    tags = [page["tag"][element] for element in page["element"]]
    title = next((k for k, tag in enumerate(tags) if tag in ("h1", "h2", "h3") and page["ruled_out"][k]), None)
    element, around = 0 if title is None else page["element"][title], set()
    while element not in around:   # the outermost is its own parent
        around.add(element)
        element = page["parent"][element]
    names, starts = page["names"]
    is_name = np.isin(names, COMMENT_NAMES)
    is_comment = with_all_inside(page, lambda i: i not in around and is_name[starts[i]:starts[i + 1]].any())[page["element"]]
    other = page["length"] * (kept & ~is_comment)
    are_between = other[is_comment.argmax():].sum() > BEHIND_SHARE_MAX * other.sum()
    return kept if are_between else without(page, kept, is_comment)


def without_others(page, p, kept):
    linked = page["X"][:, page["columns"].index("link")] >= HEADING_LINK_MIN
    kept = without(page, kept, linked & (page["length"] >= LINK_LENGTH_MIN))
    return without(page, kept, others(page, p, kept, linked)[page["element"]]) if kept.any() else kept


def without(page, kept, dropped):
    left = kept & ~dropped
    return left if page["length"][left].sum() >= LEFT_LENGTH_MIN else kept


def others(page, p, kept, linked):
    """Which elements are other texts than that of the page, teasers, or stand in one."""
    parent, element, length, count = page["parent"], page["element"], page["length"], len(page["parent"])
    # words, those that are kept, and those times how likely each is main text
    contents = sums(page, np.stack([length, kept * length, kept * length * p], 1))
    headed = np.zeros(count, bool)
    for i in element[linked & (length >= HEADING_LENGTH_MIN)]:
        for _ in range(HEADING_LEVELS_MAX):
            headed[i] = True
            i = parent[i]
    rows = collections.defaultdict(list)
    for i in range(1, count):
        if contents[i, 0] > 0:
            rows[parent[i], page["shape"][i]].append(i)
    found = {key for key, items in rows.items() if is_other(contents[items].sum(0), headed[items], contents[0])}
    return with_all_inside(page, lambda i: (parent[i], page["shape"][i]) in found)


def is_other(content, headed, page):
    words, kept, likely = content
    rest, rest_likely, count = page[1] - kept, page[2] - likely, len(headed)
    are_teasers = count >= TEASERS_MIN and headed.sum() >= HEADED_SHARE_MIN * count and words <= ITEM_LENGTH_MAX * count
    return are_teasers and likely * rest < TEASERS_RATIO_MAX * rest_likely * kept and rest >= LEFT_LENGTH_MIN
