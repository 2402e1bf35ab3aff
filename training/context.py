"""The columns of the second stage: what the first one thinks of the units beside, around and like a unit.

The same as crates/segment/src/methods/kuai/context.rs, which says what each is.
"""
import numpy as np

NAMES = ["p", "p_own", "p_parent", "p_grandparent", "p_before", "p_after", "p_window", "p_shape2", "p_shape3", "p_meeting", "p_holder",
         "p_share", "p_total", "p_90", "p_97"]
KEPT = ["rep_best", "rep_link", "item_count", "item_share", "in_holder", "title_recall", "copies", "text_since_title", "t_max"]
LENGTH_MIN, HOLDER_SHARE_MIN, REACH = .3, .6, 3


def meeting_points(parent, element):
    on_path = np.zeros(len(parent), bool)
    while not on_path[element]:
        on_path[element] = True
        element = parent[element]
    meeting = np.zeros(len(parent), int)
    for i in range(len(parent)):
        meeting[i] = i if on_path[i] else meeting[parent[i]]
    return meeting


def rows(page, p):
    parent, element, shape = page["parent"], page["element"], page["shape"].astype(np.uint64)
    length, n, m = np.maximum(page["length"], LENGTH_MIN), len(page["element"]), len(page["parent"])
    if not n:
        return np.zeros((0, len(NAMES)), np.float32)
    sums, whole = np.zeros(m), np.zeros(m)
    np.add.at(sums, element, p * length)
    np.add.at(whole, element, length)
    for i in range(m - 1, 0, -1):
        sums[parent[i]] += sums[i]
        whole[parent[i]] += whole[i]
    mean = sums / np.maximum(whole, 1e-9)
    holder = 0
    for i in range(1, m):
        if parent[i] == holder and sums[i] >= HOLDER_SHARE_MIN * sums[0]:
            holder = i
    meeting = meeting_points(parent, holder)
    second = parent[element]
    padded = np.concatenate([[0], p, [0]])
    running, running_whole = np.concatenate([[0], np.cumsum(p * length)]), np.concatenate([[0], np.cumsum(length)])
    low, high = np.maximum(0, np.arange(n) - REACH), np.minimum(n, np.arange(n) + REACH + 1)
    window = (running[high] - running[low]) / (running_whole[high] - running_whole[low])
    near = shape[element] * np.uint64(1000003) + shape[second]
    far = near * np.uint64(1000003) + shape[parent[second]]
    alike = []
    for key in (near, far):
        _, group = np.unique(key, return_inverse=True)
        alike.append((np.bincount(group, p * length) / np.bincount(group, length))[group])
    total = running[-1]
    quantile = [np.full(n, q) for q in np.quantile(p, [.9, .97], method="lower")]
    return np.stack([p, mean[element], mean[second], mean[parent[second]], padded[:-2], padded[2:], window, *alike,
                     mean[meeting[element]], np.full(n, mean[holder]), np.full(n, total / whole[0]), np.full(n, np.log1p(total)),
                     *quantile], 1).astype(np.float32)
