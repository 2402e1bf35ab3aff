"""Log-odds of names (tags, words of classes and ids, roles) and of words: how much oftener their text is main than other text is.

Every site counts once for a name. In training a page sees the tables without its own fold: leaving out only its own site would tell
its labels, since the value of a name then falls where the site's own text under it is main, which trees find out.
"""
import collections
import math
import struct

import numpy as np

NUMBER = 1 << 30
WIDE = 1 << 31
SHORT_MAX = 25      # words: the table of words is made from units up to this length
WORDS_MAX = 30      # words of a unit that are looked up
STEP = 24           # values are kept in steps of one over this

NAMES = ["t_own", "t_own_min", "t_parent", "t_grandparent", "t_path", "t_min", "t_max", "t_path5", "t_inline",
         "w_mean", "w_max"]


def terms(page, k):
    """The words of a unit as the table has them: Chinese characters two by two, all numbers alike."""
    flat, starts = page["words"]
    words = flat[starts[k]:starts[k + 1]]
    out = []
    for i, word in enumerate(words):
        word = int(word)
        if word & WIDE:
            if i + 1 < len(words) and int(words[i + 1]) & WIDE:
                out.append(pair(word, int(words[i + 1])))
        else:
            out.append(NUMBER if word & NUMBER else word)
    return out


def pair(first, second):
    return ((first * 0x9E3779B1 + second) & 0xFFFFFFFF) | WIDE


def slice_of(table, k):
    flat, starts = table
    return flat[starts[k]:starts[k + 1]].tolist()


def page_shares(page):
    """name -> share of its labelled text that is main; word -> the same over short units"""
    y, length, parent, element = page["y"], page["length"], page["parent"], page["element"]
    main, rest = np.zeros(len(parent)), np.zeros(len(parent))
    name_sums, word_sums = collections.defaultdict(lambda: [0.0, 0.0]), collections.defaultdict(lambda: [0.0, 0.0])
    for k in np.flatnonzero(y >= 0):
        weight = math.sqrt(length[k])
        main[element[k]] += y[k] * weight
        rest[element[k]] += (1 - y[k]) * weight
        for name in slice_of(page["inline"], k):
            sums = name_sums[name]
            sums[0] += y[k] * weight
            sums[1] += (1 - y[k]) * weight
        if length[k] <= SHORT_MAX:
            for word in set(terms(page, k)):
                sums = word_sums[word]
                sums[0] += y[k]
                sums[1] += 1 - y[k]
    for i in range(len(parent) - 1, 0, -1):
        main[parent[i]] += main[i]
        rest[parent[i]] += rest[i]
    for i in np.flatnonzero(main + rest > 0):
        for name in slice_of(page["names"], i):
            sums = name_sums[name]
            sums[0] += main[i]
            sums[1] += rest[i]
    share = lambda sums: {key: a / (a + b) for key, (a, b) in sums.items() if a + b > 0}
    return share(name_sums), share(word_sums)


class Table:
    """Sums over sites, fold by fold."""

    def __init__(self, pages, folds, which, sites_min):
        self.sites_min = sites_min
        by_site = collections.defaultdict(lambda: collections.defaultdict(list))
        fold_of = {page["site"]: fold for page, fold in zip(pages, folds)}
        for page in pages:
            for key, value in page["shares"][which].items():
                by_site[key][page["site"]].append(value)
        self.sums = {}
        for key, sites in by_site.items():
            if len(sites) >= sites_min:
                sums = np.zeros((max(folds) + 1, 2))
                for site, values in sites.items():
                    sums[fold_of[site]] += sum(values) / len(values), 1
                self.sums[key] = sums
        total = sum(self.sums.values())
        self.prior = float(total[:, 0].sum() / total[:, 1].sum())

    def value(self, key, without=()):
        """The log-odds of a name, in the steps that are shipped; None where too few sites have it."""
        sums = self.sums.get(key)
        if sums is None:
            return None
        total, count = sums.sum(0) - sum(sums[fold] for fold in without)
        if count < self.sites_min - .5:
            return None
        prior = self.prior
        value = math.log((total + 2 * prior) / (count - total + 2 * (1 - prior))) - math.log(prior / (1 - prior))
        return max(-127, min(127, round(value * STEP))) / STEP

    def bytes(self):
        """Length, hashes, values."""
        keys = sorted(self.sums)
        values = [round(self.value(key) * STEP) for key in keys]
        return struct.pack("<I", len(keys)) + np.array(keys, "<u4").tobytes() + np.array(values, "i1").tobytes()


class LookUp:
    """Values without some folds, each computed once."""

    def __init__(self, table, without):
        self.table, self.without, self.known = table, without, {}

    def __call__(self, key):
        if key not in self.known:
            self.known[key] = self.table.value(key, self.without)
        return self.known[key]


def encode(page, name, word):
    """The tables' columns of a page; name and word look values up."""
    parent, element, n = page["parent"], page["element"], len(page["element"])
    m = len(parent)
    own, own_min, path, low, high = (np.zeros(m) for _ in range(5))
    for i in range(m):
        values = [v for v in map(name, slice_of(page["names"], i)) if v is not None]
        p = parent[i]
        own[i] = sum(values) / math.sqrt(len(values)) if values else 0
        own_min[i] = min(values, default=0)
        path[i] = own[i] + (path[p] if i else 0)
        low[i] = min(own_min[i], low[p] if i else 0)
        high[i] = max(max(values, default=0), high[p] if i else 0)
    second = parent[element] if n else element
    third = parent[second] if n else element
    sixth = parent[parent[parent[third]]] if n else element
    out = np.zeros((n, len(NAMES)), np.float32)
    if not n:
        return out
    out[:, 0], out[:, 1], out[:, 2], out[:, 3] = own[element], own_min[element], own[second], own[third]
    out[:, 4], out[:, 5], out[:, 6], out[:, 7] = path[element], low[element], high[element], path[element] - path[sixth]
    for k in range(n):
        values = [v for v in map(name, slice_of(page["inline"], k)) if v is not None]
        out[k, 8] = sum(values) / math.sqrt(len(values)) if values else 0
        values = [v for v in map(word, terms(page, k)[:WORDS_MAX]) if v is not None]
        if values:
            out[k, 9], out[k, 10] = sum(values) / len(values), max(values)
    return out
