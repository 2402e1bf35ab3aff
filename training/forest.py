"""Writes a forest that LightGBM trained in the form that `crates/segment/src/model/forest.rs` reads.

All little-endian: the magic `kuaiwood`, u16 version, u16 classes, u16 columns, u16 trees; then each tree: u16 splits, its
splits, its leaves. Nodes stand in breadth-first order with siblings together, so children need no address:
  split: u16 column | LEFT_IS_LEAF | RIGHT_IS_LEAF, f32 threshold (a value at most as large goes left)
  leaf:  f32
Tree i adds to class i % classes. Run as a program it writes the fixture of the Rust tests.
"""
import struct

MAGIC, VERSION = b"kuaiwood", 1
LEFT_IS_LEAF, RIGHT_IS_LEAF = 0x8000, 0x4000
COLUMN_MAX, SPLITS_MAX = 0x3FFF, 31  # as many leaves as a word has bits


def write(boosters, path=None):
    """LightGBM boosters as bytes, also written to `path` where one is given: one forest, whose sums are the means of theirs."""
    models = [booster.dump_model() for booster in boosters]
    columns, classes = models[0]["max_feature_idx"] + 1, models[0]["num_tree_per_iteration"]
    assert columns <= COLUMN_MAX
    for model in models:
        assert not model["average_output"] and (model["max_feature_idx"] + 1, model["num_tree_per_iteration"]) == (columns, classes)
    trees = [tree_bytes(tree["tree_structure"], len(models)) for model in models for tree in model["tree_info"]]
    data = MAGIC + struct.pack("<HHHH", VERSION, classes, columns, len(trees)) + b"".join(trees)
    if path is not None:
        with open(path, "wb") as file:
            file.write(data)
    return data


def tree_bytes(root, share):
    """A tree that says one `share`th of what it did."""
    splits, leaves, level = [], [], [root]
    while level:
        for node in level:
            (splits if is_split(node) else leaves).append(node)
        level = [child for node in level if is_split(node) for child in (node["left_child"], node["right_child"])]
    assert len(splits) <= SPLITS_MAX
    return (struct.pack("<H", len(splits)) + b"".join(map(split_bytes, splits))
            + b"".join(struct.pack("<f", leaf["leaf_value"] / share) for leaf in leaves))


def is_split(node):
    return "left_child" in node


def split_bytes(node):
    assert node["decision_type"] == "<=" and node["missing_type"] == "None", "train with use_missing=False"
    flags = 0 if is_split(node["left_child"]) else LEFT_IS_LEAF
    flags |= 0 if is_split(node["right_child"]) else RIGHT_IS_LEAF
    return struct.pack("<Hf", node["split_feature"] | flags, floor_f32(node["threshold"]))


def floor_f32(value):
    """The largest f32 that is not above `value`: f32 values compare with it as with the f64 itself."""
    import numpy as np
    with np.errstate(over="ignore"):
        near = np.float32(value)
    return float(near if float(near) <= value else np.nextafter(near, np.float32(-np.inf)))


def write_fixture(folder):
    """Small forests on random numbers with the rows and LightGBM's own answers, all f32."""
    import lightgbm
    import numpy as np
    rng = np.random.RandomState(7)
    rows = np.round(rng.randn(400, 5) * 4).astype(np.float32) / np.float32(3)
    rows[:, 4] = rng.rand(400)
    noise = rng.randn(400) / 2
    flag = (rows[:, 0] * rows[:, 1] + rows[:, 4] + noise > 0).astype(int)
    # Rows on the very thresholds are the hard ones, so the training rows themselves are asked.
    asked = rows[:60]
    for name, classes, target in (("binary", 1, flag), ("classes", 3, flag + (rows[:, 2] > 0))):
        objective = dict(objective="binary") if classes == 1 else dict(objective="multiclass", num_class=classes)
        booster = lightgbm.train(dict(objective, num_leaves=8, min_data_in_leaf=5, use_missing=False, verbose=-1, seed=7,
                                      num_threads=1, deterministic=True), lightgbm.Dataset(rows, target), 6)
        expected = booster.predict(asked, raw_score=True).astype("<f4")
        write([booster], f"{folder}/{name}.forest")
        (open(f"{folder}/{name}.expected", "wb")).write(expected.tobytes())
    open(f"{folder}/rows", "wb").write(asked.astype("<f4").tobytes())


if __name__ == "__main__":
    import os
    write_fixture(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../crates/segment/src/model/fixture"))
