"""Trains the models that cut pages into blocks, and says how good they are on sites that they have not seen.

  python3 training/segment.py --data $KUAI_DATA             trains, writes crates/segment/models/ and segment-report.md
  python3 training/segment.py --data $KUAI_DATA --quick     cross-validation alone: no files, no ablations

Every figure is out of fold: the pages of a site are judged by models that have seen no page of that site. Facts, decoding and
scores are those of the product (`crates/eval/examples/blocks.rs`); nothing but the learning happens here.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

import lightgbm
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import forest  # noqa: E402

MODELS = os.path.join(HERE, "../crates/segment/models")
REPORT = os.path.join(HERE, "segment-report.md")
SETS = dict(nested="segment", flat="blocks-zh")
FOLDS = 5
INNER_FOLDS = 5
SPLIT_SEEDS = (0, 7, 23)
PARAMETERS = dict(objective="binary", learning_rate=0.06, num_leaves=12, min_data_in_leaf=30, feature_fraction=0.4,
                  bagging_fraction=0.7, bagging_freq=1, lambda_l2=5.0, max_bin=63, use_missing=False, verbose=-1,
                  num_threads=1, seed=1, deterministic=True)
ROUNDS = 120
# Twice the common text over both texts, above which a candidate is what was marked.
NEAR_MIN = 0.8
# The second model is worth .02 fuzzy on the flat pages and nothing on the nested ones.
HAS_SECOND = dict(nested=False, flat=True)
# Columns that belong together, for the ablations.
FAMILIES = {
    "lengths and places in the text": r"Share$|Start|End|^Length|:Length|PageLength|LargestChild|FirstChild",
    "counts of elements": r"Elements|Blocks$|Links$|Headings|Items|:Children$|^Children$",
    "links": r"Link",
    "hidden": r"Hidden",
    "depth, chain and tag": r"Depth|Chain|^Tag",
    "repetition": r"Alike",
    "parents": r"arent:",
    "children": r"^Children(Mean|Max)",
}


def program():
    """The product's side of the work, built."""
    subprocess.run(["cargo", "build", "--quiet", "--profile", "quick", "-p", "kuai-eval", "--example", "blocks"], check=True, cwd=HERE)
    target = os.environ.get("CARGO_TARGET_DIR", os.path.join(HERE, "../target"))
    return os.path.join(target, "quick/examples/blocks")


class Pages:
    """The candidates of all pages of a set: rows, labels, and the site that each page is of."""

    def __init__(self, program, data, style):
        self.program, self.style, self.folder = program, style, os.path.join(data, SETS[style])
        self.columns, self.relatives = (line.split() for line in self.run("columns").splitlines())
        with tempfile.TemporaryDirectory() as folder:
            self.run("facts", self.folder, folder)
            pages = [json.loads(line) for line in open(os.path.join(folder, "pages.jsonl"))]
            self.rows = np.fromfile(os.path.join(folder, "rows"), "<f4").reshape(-1, len(self.columns))
        self.ids = [page["id"] for page in pages]
        self.sites = [site_of(page["id"], style) for page in pages]
        self.labels = np.concatenate([labels(page) for page in pages])
        self.page_of_row = np.repeat(np.arange(len(pages)), [len(page["ranges"]) for page in pages])

    def run(self, *arguments):
        return subprocess.run([self.program, *arguments], check=True, capture_output=True, text=True).stdout

    def folds(self, seed, count=FOLDS):
        """The fold of every row; the pages of a site stay together."""
        sites = sorted(set(self.sites))
        np.random.RandomState(seed).shuffle(sites)
        fold = {site: index % count for index, site in enumerate(sites)}
        return np.array([fold[site] for site in self.sites])[self.page_of_row]

    def first_chances(self, rows, known, seed):
        """The first model learnt from the rows that are known, and the chances of all rows: those of known rows come from
        models that have not seen their site, as the second model will meet them."""
        chances, inner = np.zeros(len(rows)), self.folds(seed + 100, INNER_FOLDS)
        for fold in range(INNER_FOLDS):
            asked = known & (inner == fold)
            if asked.any():
                chances[asked] = fit(rows[known & ~asked], self.labels[known & ~asked]).predict(rows[asked])
        first = fit(rows[known], self.labels[known])
        if (~known).any():
            chances[~known] = first.predict(rows[~known])
        return first, chances

    def second_rows(self, rows, chances):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "chances")
            chances.astype("<f8").tofile(file)
            self.run("relatives", self.folder, file)
            return np.hstack([rows, np.fromfile(file + ".rows", "<f4").reshape(len(rows), -1)])

    def out_of_fold(self, seed, keep=None):
        """The chances of all rows by the first model and by the second, neither of which has seen the row's site."""
        rows = self.rows if keep is None else self.rows[:, keep]
        folds, first_chances, second_chances = self.folds(seed), np.zeros(len(rows)), np.zeros(len(rows))
        for fold in range(FOLDS):
            known, asked = folds != fold, folds == fold
            _, chances = self.first_chances(rows, known, seed)
            second_rows = self.second_rows(rows, chances)
            second = fit(second_rows[known], self.labels[known])
            first_chances[asked] = chances[asked]
            second_chances[asked] = second.predict(second_rows[asked])
        return first_chances, second_chances

    def first_out_of_fold(self, seed, keep):
        rows, folds = self.rows[:, keep], self.folds(seed)
        chances = np.zeros(len(rows))
        for fold in range(FOLDS):
            chances[folds == fold] = fit(rows[folds != fold], self.labels[folds != fold]).predict(rows[folds == fold])
        return chances

    def score(self, all_chances):
        """The figures of all pages, for each of several lists of chances."""
        with tempfile.TemporaryDirectory() as folder:
            files = [os.path.join(folder, str(index)) for index in range(len(all_chances))]
            for file, chances in zip(files, all_chances):
                chances.astype("<f8").tofile(file)
            return [json.loads(line) for line in self.run("score", self.folder, self.style, *files).splitlines()]

    def train(self):
        """The models, learnt from everything, each with the names of its columns."""
        if not HAS_SECOND[self.style]:
            return [(fit(self.rows, self.labels), self.columns)]
        first, chances = self.first_chances(self.rows, np.ones(len(self.rows), bool), seed=0)
        second = fit(self.second_rows(self.rows, chances), self.labels)
        return [(first, self.columns), (second, self.columns + ["chances:" + name for name in self.relatives])]


def site_of(page, style):
    if style == "nested":
        return ".".join(page.split(".")[-2:])
    return re.sub(r"_?\d*$", "", page).replace("list_", "").replace("v_", "").split("_")[0]


def labels(page):
    """1 for the candidate closest to each marked block, if it is near it at all."""
    ranges = np.array(page["ranges"], float).reshape(-1, 2)
    lengths, found = ranges[:, 1] - ranges[:, 0], np.zeros(len(ranges))
    for block in page["gold"]:
        size = sum(end - start for start, end in block)
        common = sum(np.maximum(0, np.minimum(ranges[:, 1], end) - np.maximum(ranges[:, 0], start)) for start, end in block)
        ratio = 2 * common / (lengths + size)
        if len(ratio) and ratio.max() > NEAR_MIN:
            found[np.argmax(ratio)] = 1
    return found


def fit(rows, labels):
    return lightgbm.train(PARAMETERS, lightgbm.Dataset(rows, labels), ROUNDS)


def figures(score):
    return np.mean(score["fuzzy"]), np.mean(score["leaf"])


def line(name, scores):
    """A line of a table: the mean over splits and each split."""
    means = np.mean([figures(score) for score in scores], 0)
    each = " ".join("%.3f/%.3f" % figures(score) for score in scores)
    return "| %s | %.3f | %.3f | %s |" % (name, *means, each)


HEAD = "| | fuzzy | BCubed leaf | splits |\n| --- | --- | --- | --- |"


def cross_validation(pages):
    """A table of what each model is worth, and the scores of what is shipped."""
    chances = [pages.out_of_fold(seed) for seed in SPLIT_SEEDS]
    kinds = {"first model": [first for first, _ in chances], "second model": [second for _, second in chances],
             "mean of both": [(first + second) / 2 for first, second in chances]}
    scores = {name: pages.score(of_splits) for name, of_splits in kinds.items()}
    shipped = "mean of both" if HAS_SECOND[pages.style] else "first model"
    rows = [line(name + (", **shipped**" if name == shipped else ""), scores[name]) for name in kinds]
    return "\n".join([HEAD, *rows]), scores[shipped]


def ablations(pages):
    """What the first model alone loses without a family of columns."""
    rows = []
    for name, pattern in [("all columns", "^$"), *FAMILIES.items()]:
        keep = [index for index, column in enumerate(pages.columns) if not re.search(pattern, column)]
        scores = pages.score([pages.first_out_of_fold(seed, keep) for seed in SPLIT_SEEDS])
        rows.append(line(name if name == "all columns" else "without " + name, scores))
    return "\n".join([HEAD, *rows])


def importance(model, columns):
    gains = model.feature_importance("gain")
    order = np.argsort(-gains)[:15]
    return ", ".join("%s %.0f %%" % (columns[index], 100 * gains[index] / gains.sum()) for index in order)


def worst(pages, scores):
    means = np.mean([score["fuzzy"] for score in scores], 0)
    return ", ".join("%s %.2f" % (pages.ids[index], means[index]) for index in np.argsort(means)[:8])


def section(pages, models, table, scores):
    gains = "\n".join("Gain, %s model: %s." % (which, importance(*model)) for which, model in zip(("first", "second"), models))
    sites = len(set(pages.sites))
    return f"""## {pages.style}: `{SETS[pages.style]}`, {len(pages.ids)} pages of {sites} sites, {len(pages.rows)} candidates, {int(pages.labels.sum())} blocks

{table}

Without some columns (first model alone):

{ablations(pages)}

{gains}

Worst pages (fuzzy, mean over splits): {worst(pages, scores)}.
"""


INTRODUCTION = f"""# How the block models were trained

Written by `python3 training/segment.py --data $KUAI_DATA`. All figures are out of fold, by site ({FOLDS} folds, splits with the
seeds {", ".join(map(str, SPLIT_SEEDS))}), by the product's own facts, decoding and scores; the models in `crates/segment/models/` are then
trained on all pages, so judging them on these same pages flatters them. One page's fuzzy F has a standard deviation of about .16:
differences below .02 are noise. LightGBM {lightgbm.__version__}: {ROUNDS} trees of {PARAMETERS["num_leaves"]} leaves, rate {PARAMETERS["learning_rate"]}, columns: `crates/segment/src/blocks/`.
"""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", required=True)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    blocks, sections = program(), [INTRODUCTION]
    for style in SETS:
        pages = Pages(blocks, options.data, style)
        table, scores = cross_validation(pages)
        print(style, table, sep="\n", flush=True)
        if not options.quick:
            models = pages.train()
            for (model, _), name in zip(models, (style, style + "-second")):
                forest.write([model], os.path.join(MODELS, name + ".forest"))
            sections.append(section(pages, models, table, scores))
    if not options.quick:
        open(REPORT, "w").write("\n".join(sections))


if __name__ == "__main__":
    main()
