"""Which units of a page are main text, told from what the data sets give.

aligned()   gold text          -> the share of each unit's words that claim a place of their own in the gold text
asserted()  with / without     -> 1 / 0 for the units that hold such a string, -1 (unknown) elsewhere
blocked()   labelled segments  -> 1 main, 0 noise and related, -1 title, meta and unlabelled; comments are 0 on our own pages, -1 on others
"""
import collections
import re

WIDE = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
TOKEN = re.compile(rf"[{WIDE}]|[^\W{WIDE}]+")
PHRASE = 4          # words that identify a place
SHORT_WIDE = 7      # Chinese units below this many characters are short


def tokens(text):
    return [word.lower() for word in TOKEN.findall(text)]


def is_wide(word):
    return "\u3040" <= word[0] <= "\u9fff"


def length(text):
    """Words, of Chinese characters fewer: the length used everywhere."""
    words = tokens(text)
    wide = sum(map(is_wide, words))
    return len(words) - wide + wide / 1.6


def is_short(unit):
    return len(unit) < PHRASE or (len(unit) < SHORT_WIDE and is_wide(unit[0]) and is_wide(unit[-1]))


def support(values, units, short, k):
    """How far the long neighbours of unit k are in the gold text."""
    total = weight = 0
    for distance in range(1, 7):
        for j in (k - distance, k + distance):
            if 0 <= j < len(units) and not short[j]:
                w = min(len(units[j]), 30) / distance
                weight += w
                total += w * values[j]
    return total / weight if weight else 0


def covered(units, short, places):
    """The share of each long unit's words that stand in phrases of the gold text."""
    shares = [0.0] * len(units)
    for k, unit in enumerate(units):
        if short[k]:
            continue
        hit = [0] * len(unit)
        for i in range(len(unit) - PHRASE + 1):
            if tuple(unit[i:i + PHRASE]) in places:
                hit[i:i + PHRASE] = [1] * PHRASE
        shares[k] = sum(hit) / len(unit)
    return shares


def claim(unit, places, taken):
    """The gold places that a unit can have: those that go on from the one before, else the first that is free."""
    got, claimed, last = [0] * len(unit), [], None
    for i in range(len(unit) - PHRASE + 1):
        at = places.get(tuple(unit[i:i + PHRASE]))
        if not at:
            last = None
            continue
        if last is not None and last + 1 in at:
            place = last + 1
        else:
            place = next((p for p in at if not taken[p]), None)
        last = place
        if place is not None:
            for j in range(PHRASE):
                if not taken[place + j]:
                    got[i + j] = 1
            claimed.append(place)
    return sum(got) / len(unit), claimed


def aligned(units, gold):
    """units: token lists in page order; gold: tokens."""
    places = collections.defaultdict(list)
    for i in range(len(gold) - PHRASE + 1):
        places[tuple(gold[i:i + PHRASE])].append(i)
    n = len(units)
    short = [is_short(unit) if unit else True for unit in units]
    shares = covered(units, short, places)
    near = [support(shares, units, short, k) if shares[k] > .3 else 0 for k in range(n)]

    def rank(k):
        whole = shares[k] >= .97
        return (-whole, 0 if whole else -len(units[k]) * shares[k], -near[k] if len(units[k]) < 60 else -2, -len(units[k]))

    taken, values, middle = bytearray(len(gold)), [0.0] * n, [None] * n
    for k in sorted((k for k in range(n) if shares[k] > .3), key=rank):
        values[k], claimed = claim(units[k], places, taken)
        if values[k] > .5:
            for place in claimed:
                taken[place:place + PHRASE] = b"\1" * PHRASE
            middle[k] = sorted(claimed)[len(claimed) // 2]
        elif claimed:
            values[k] = min(values[k], .5)
    place_short_units(units, short, gold, taken, values, middle)
    return values


def place_short_units(units, short, gold, taken, values, middle):
    """Short units count where their exact text is unclaimed in the gold text between their long neighbours."""
    n = len(units)
    before, after, last = [None] * n, [None] * n, None
    for k in range(n):
        before[k] = last
        last = middle[k] if middle[k] is not None else last
    last = None
    for k in range(n - 1, -1, -1):
        after[k] = last
        last = middle[k] if middle[k] is not None else last
    groups = collections.defaultdict(list)
    for k in range(n):
        if short[k] and units[k]:
            groups[tuple(units[k])].append(k)
    free = {length: collections.defaultdict(list) for length in {len(unit) for unit in groups}}
    for length, at in free.items():
        for i in range(len(gold) - length + 1):
            if not any(taken[i:i + length]):
                at[tuple(gold[i:i + length])].append(i)
    for unit, ks in groups.items():
        at = free[len(unit)].get(unit)
        if not at:
            continue
        candidates = []
        for k in ks:
            low = before[k] if before[k] is not None else 0
            high = after[k] if after[k] is not None else len(gold)
            near = support(values, units, short, k)
            in_place = low <= high and any(low <= i <= high for i in at) and (high - low < 400 or near > .3)
            candidates.append((in_place + near, k))
        candidates.sort(reverse=True)
        for rank, (score, k) in enumerate(candidates):
            if rank < len(at) and score >= .5:
                values[k] = 1.0


def squeeze(text):
    return "".join(text.split())


def asserted(texts, wanted, unwanted):
    values, folded = [-1.0] * len(texts), [squeeze(text) for text in texts]
    for strings, value in ((wanted, 1.0), (unwanted, 0.0)):
        for string in map(squeeze, strings):
            for k, text in enumerate(folded):
                if len(string) >= 4 and (string in text or (len(text) >= 12 and text in string)):
                    values[k] = value
    return values


# Of each set what its labels say; of those that are not here it is unknown.
MAIN = {
    "blocks-zh": {"main": 1.0, "nav": 0.0, "advert": 0.0, "copyright": 0.0, "other": 0.0, "related": 0.0},
    "own": {"main": 1.0, "comment": 0.0, "related": 0.0, "navigation": 0.0, "advert": 0.0, "copyright": 0.0, "noise": 0.0},
}


def block_kinds(texts, segments):
    """segments: (label, text) in page order -> the label of most of each unit's characters, or None"""
    folded = [squeeze(text) for text in texts]
    page = "".join(folded)
    owner = [k for k, text in enumerate(folded) for _ in text]
    votes, start = [collections.Counter() for _ in texts], 0
    for label, text in segments:
        text = squeeze(text)
        if not text or text.startswith("[img]"):
            continue
        place = page.find(text, start, start + 6000 + len(text))
        if place < 0:
            continue
        for j in range(place, place + len(text)):
            votes[owner[j]][label] += 1
        start = place + len(text)
    return [vote.most_common(1)[0][0] if vote else None for vote in votes]


def blocked(texts, segments, name):
    return [MAIN[name].get(kind, -1.0) for kind in block_kinds(texts, segments)]
