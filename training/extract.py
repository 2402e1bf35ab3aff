#!/usr/bin/env python3
"""Trains the default method: one command from data to model files and report.

    python3 training/extract.py --kuai target/release/kuai --data $KUAI_DATA --measure ../shared/measure

Writes crates/segment/models/{types,first,first-chinese,second}.forest and tables.bin, training/extract-report.md and extract-worst.svg; --quick leaves
out the ablations, which take most of the time, and the report. Seeds are fixed; all figures are
cross-validated in five folds by site. Needs lightgbm, numpy and orjson.
"""
import argparse
import collections
import json
import multiprocessing
import os
import pathlib
import zlib

os.environ.setdefault("OMP_NUM_THREADS", "1")   # a fold a process: LightGBM's threads and fork do not go together

import lightgbm as lgb
import numpy as np

import context
import forest
import pages as labelled_pages
import report
import tables
from decide import decide, is_chinese, text_of
from pages import TEXT_SETS, TYPES

MODELS = pathlib.Path(__file__).parent.parent / "crates" / "segment" / "models"
REPORT = pathlib.Path(__file__).parent / "extract-report.md"
DRAWING = pathlib.Path(__file__).parent / "extract-worst.svg"
FOLDS = 5
COMMON = dict(bagging_freq=1, num_threads=1, force_col_wise=True, verbose=-1, use_missing=False, seed=1, max_bin=63)
FIRST = dict(COMMON, objective="cross_entropy", learning_rate=.18, num_leaves=31, min_data_in_leaf=60, feature_fraction=.4,
             bagging_fraction=.7, lambda_l2=2)
SECOND = dict(FIRST, learning_rate=.1, num_leaves=8)
# The first stage is the mean of several forests, each without one family of columns: they err less together than forests that differ by luck alone.
LEFT_OUT = "what words say (tables)", "the elements around", "the holder of most paragraphs"
TYPE = dict(COMMON, objective="multiclass", num_class=len(TYPES), learning_rate=.08, num_leaves=8, min_data_in_leaf=15,
            feature_fraction=.4, bagging_fraction=.8, lambda_l2=3)
TREES_FIRST, TREES_SECOND, ROUNDS_TYPE = 60, 60, 50
UNITS_MAX = 400            # of a page, in training
SET_WEIGHTS = {"wcxb": 1, "articles": 3, "chinese": 3, "snippets": 1, "blocks-zh": 2, "own": 2}
SNIPPET_WEIGHT = .35       # of a labelled unit
MOVED_MAX, SECOND_WEIGHT = 1, .85   # how far the second stage may move the first's log-odds, and how much of that counts


# --- fitting ----------------------------------------------------------------------------------------------------------

def weights(page, seed):
    """What a mistake costs in the page's F1: the unit's text over the text of the gold."""
    known = page["y"] >= 0
    cost = np.sqrt(np.maximum(page["length"], 1))
    if page["set"] == "snippets":
        cost = np.where(known, SNIPPET_WEIGHT, 0)
    else:
        gold, total = (cost * np.maximum(page["y"], 0)).sum(), cost[known].sum() if known.any() else 1
        cost = np.where(known, cost / (gold + .15 * total + 5) ** .6 / (total + 1) ** .15, 0)
    cost = cost * SET_WEIGHTS[page["set"]]
    some = np.flatnonzero(cost)
    if len(some) > UNITS_MAX:
        chosen = np.random.RandomState(seed).permutation(some)[:UNITS_MAX]
        fewer = np.zeros_like(cost)
        fewer[chosen] = cost[chosen] * cost.sum() / cost[chosen].sum()
        cost = fewer
    return cost


def fit(settings, rounds, rows, pages, costs, indexes, left_out=((),)):
    """A forest for each list of columns that are left out."""
    some = [i for i in indexes if costs[i].any()]
    cost = np.concatenate([costs[i][costs[i] > 0] for i in some])
    known = np.concatenate([rows[i][costs[i] > 0] for i in some])
    wanted = np.concatenate([pages[i]["y"][costs[i] > 0] for i in some])
    forests = []
    for k, gone in enumerate(left_out):
        seen = known.copy()
        seen[:, list(gone)] = 0
        data = lgb.Dataset(seen, wanted, weight=cost * len(cost) / cost.sum())
        forests.append(lgb.train(dict(settings, seed=settings["seed"] + k), data, rounds))
    return forests


def predict(forests, rows):
    """How likely each row is, by the mean of what the forests say."""
    said = sum(forest.predict(rows, raw_score=True) for forest in forests) / len(forests) if len(rows) else np.zeros(0)
    return 1 / (1 + np.exp(-said))


def in_processes(work, count):
    """Runs work(0..count), two at a time; the data is shared by forking."""
    global WORK
    WORK = work
    with multiprocessing.get_context("fork").Pool(2) as pool:
        return pool.map(run_work, range(count), chunksize=max(1, count // 200))


def run_work(index):
    return WORK(index)


class Encoded:
    """The tables' columns of all pages, as a model that must not know some fold sees them in training."""

    def __init__(self, pages, folds, names, words):
        self.pages, self.folds, self.tables = pages, folds, (names, words)

    def without(self, fold):
        """Every page sees the tables without its own fold and without this one."""
        look_ups = {own: [tables.LookUp(table, {own, fold} - {None}) for table in self.tables] for own in range(FOLDS)}
        return in_processes(lambda i: tables.encode(self.pages[i], *look_ups[self.folds[i]]), len(self.pages))


def first_rows(pages, encoded, types):
    return [np.concatenate([page["X"], said, np.tile(kind, (len(said), 1))], 1).astype(np.float32)
            for page, said, kind in zip(pages, encoded, types)]


def out_of_fold(settings, rounds, rows_without, pages, costs, folds, left_out=((),)):
    """Each page's answers by forests that know nothing of its fold, and the columns' shares of the gain."""
    rows = {}
    def one(fold):
        forests = fit(settings, rounds, rows[fold], pages, costs, np.flatnonzero(folds != fold), left_out)
        found = [predict(forests, rows[fold][i]) for i in np.flatnonzero(folds == fold)]
        return found, sum(forest.feature_importance("gain") for forest in forests)
    answers, gains = [None] * len(pages), 0
    for pair in ((0, 1), (2, 3), (4,)):
        rows = {fold: rows_without(fold) for fold in pair}
        for fold, (found, gain) in zip(pair, in_processes(lambda k: one(pair[k]), len(pair))):
            gains = gains + gain
            for i, answer in zip(np.flatnonzero(folds == fold), found):
                answers[i] = answer
    return answers, gains / gains.sum()


def fit_types(pages, folds):
    columns = np.array([page["page"] for page in pages])
    kinds = np.array([TYPES.index(page["type"]) if page["type"] else -1 for page in pages])
    known = kinds >= 0
    train = lambda chosen: lgb.train(TYPE, lgb.Dataset(columns[chosen], kinds[chosen]), ROUNDS_TYPE)
    found = np.zeros((len(pages), len(TYPES)), np.float32)
    for fold in range(FOLDS):
        found[folds == fold] = train((folds != fold) & known).predict(columns[folds == fold])
    return train(known), found, kinds


def for_chinese(pages, costs):
    """What the first stage for Chinese pages is trained on: not `wcxb`, which has no Chinese page and marks other things as main text."""
    return [cost * (page["set"] != "wcxb") for page, cost in zip(pages, costs)]


def first_stage(rows_without, pages, costs, folds, left_out):
    """Out-of-fold answers of the first stage, Chinese pages by forests of their own, and the columns' shares of the gain."""
    answers, gain = out_of_fold(FIRST, TREES_FIRST, rows_without, pages, costs, folds, left_out)
    chinese, _ = out_of_fold(FIRST, TREES_FIRST, rows_without, pages, for_chinese(pages, costs), folds, left_out)
    return [own if is_chinese(page) else other for page, own, other in zip(pages, chinese, answers)], gain


# --- judging ----------------------------------------------------------------------------------------------------------

def texts(pages, answers, types):
    out = collections.defaultdict(dict)
    for page, p, kind in zip(pages, answers, types):
        out[page["set"]][page["id"]] = text_of(page, p, decide(page, p, kind), kind)
    return out


def together(first, second):
    """Both stages' answers together, as crates/segment/src/methods/kuai/model.rs has them."""
    odds = lambda p: np.log(np.clip(p, 1e-6, 1 - 1e-6) / (1 - np.clip(p, 1e-6, 1 - 1e-6)))
    moved = lambda first, second: first + SECOND_WEIGHT * np.clip(second - first, -MOVED_MAX, MOVED_MAX)
    return [1 / (1 + np.exp(-moved(odds(before), odds(own)))) for before, own in zip(first, second)]


def scores(pages, gold, answers, types, measure):
    """A row of figures."""
    extract = labelled_pages.module("extract_score", str(measure / "extract" / "score.py"))
    label = labelled_pages.module("label_score", str(measure / "label" / "score.py"))
    out, row = texts(pages, answers, types), {}
    for name in TEXT_SETS:
        result = extract.score(gold[name], out[name])
        if name == "snippets":
            row["snippets"] = result["snippet"]["f1"]
            continue
        row[name + " word"], row[name + " shingle"] = result["word"]["f1"], result["shingle"]["f1"]
        if name == "wcxb":
            for kind in TYPES:
                row[kind] = extract.score({k: v for k, v in gold[name].items() if v["type"] == kind}, out[name])["word"]["f1"]
    blocks = [label.score_page(gold["blocks-zh"][k], text, []) for k, text in out["blocks-zh"].items()]
    for key in ("content", "noise"):
        row["blocks " + key] = float(np.mean([block[key] for block in blocks if block[key] is not None]))
    return row


def page_scores(pages, gold, answers, types, measure):
    """The places of pages with a gold text, the word F1 of each, and what was kept of every page."""
    extract = labelled_pages.module("extract_score", str(measure / "extract" / "score.py"))
    kept = [decide(page, p, kind) for page, p, kind in zip(pages, answers, types)]
    judged = [k for k, page in enumerate(pages) if page["set"] in ("wcxb", "articles", "chinese")]
    def one(n):
        page = pages[judged[n]]
        text = text_of(page, answers[judged[n]], kept[judged[n]], types[judged[n]])
        return extract.score({page["id"]: gold[page["set"]][page["id"]]}, {page["id"]: text})["word"]["f1"]
    return judged, in_processes(one, len(judged)), kept


# --- the report -------------------------------------------------------------------------------------------------------

def table(rows):
    keys = list(next(iter(rows.values())))
    lines = ["| | " + " | ".join(keys) + " |", "| --- |" + " --- |" * len(keys)]
    for name, row in rows.items():
        lines.append(f"| {name} | " + " | ".join(f"{row[key]:.3f}".replace("0.", ".", 1) for key in keys) + " |")
    return "\n".join(lines)


def gains(names, shares, count):
    order = np.argsort(-shares)[:count]
    return ", ".join(f"{names[i]} {100 * shares[i]:.1f}" for i in order)


# --- everything together ------------------------------------------------------------------------------------------------

def prepare(args):
    pages, gold = labelled_pages.read(args.kuai, args.data, args.measure)
    folds = np.array([zlib.crc32(page["site"].encode()) % FOLDS for page in pages])
    return pages, gold, folds


def second_rows(pages, rows, columns, answers, types):
    kept = [columns.index(name) for name in context.KEPT]
    def one(i):
        around = context.rows(pages[i], answers[i])
        return np.concatenate([around, rows[i][:, kept], np.tile(types[i], (len(around), 1))], 1).astype(np.float32)
    return in_processes(one, len(pages)), context.NAMES + context.KEPT + ["type_" + kind for kind in TYPES]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kuai", default="target/release/kuai", help="the program whose features are trained on")
    parser.add_argument("--data", default=os.environ.get("KUAI_DATA"), help="the labelled pages, unpacked")
    parser.add_argument("--measure", type=pathlib.Path, default=pathlib.Path("../shared/measure"), help="the scorers")
    parser.add_argument("--texts", type=pathlib.Path, help="a folder for what is told of each page by a model that has not seen its site, SET.json each")
    parser.add_argument("--quick", action="store_true", help="no ablations and no report")
    args = parser.parse_args()
    pages, gold, folds = prepare(args)
    print(len(pages), "pages,", sum(len(page["y"]) for page in pages), "units", flush=True)

    type_model, types, kinds = fit_types(pages, folds)
    for page, shares in zip(pages, in_processes(lambda i: tables.page_shares(pages[i]), len(pages))):
        page["shares"] = shares
    names, words = tables.Table(pages, folds, 0, 3), tables.Table(pages, folds, 1, 4)
    columns = pages[0]["columns"] + tables.NAMES + ["type_" + kind for kind in TYPES]
    left_out = [report.places(columns, family) for family in LEFT_OUT]
    encoded = Encoded(pages, folds, names, words)
    costs = [weights(page, i) for i, page in enumerate(pages)]
    figures = {}
    held = {}   # the same rows serve all ablations
    def rows_without(fold):
        if fold not in held:
            held[fold] = first_rows(pages, encoded.without(fold), types)
        return held[fold]
    first, first_gain = first_stage(rows_without, pages, costs, folds, left_out)
    figures["first stage"] = scores(pages, gold, first, types, args.measure)
    print(table(figures), flush=True)
    rows = rows_without(None)
    around, around_columns = second_rows(pages, rows, columns, first, types)
    second, second_gain = out_of_fold(SECOND, TREES_SECOND, lambda fold: around, pages, costs, folds)
    second = together(first, second)
    figures["both stages"] = scores(pages, gold, second, types, args.measure)
    print(table(figures), flush=True)

    if args.texts:
        args.texts.mkdir(parents=True, exist_ok=True)
        for name, told in texts(pages, second, types).items():
            (args.texts / f"{name}.json").write_text(json.dumps(told))

    everything = range(len(pages))
    MODELS.mkdir(exist_ok=True)
    forest.write([type_model], MODELS / "types.forest")
    forest.write(fit(FIRST, TREES_FIRST, rows, pages, costs, everything, left_out), MODELS / "first.forest")
    forest.write(fit(FIRST, TREES_FIRST, rows, pages, for_chinese(pages, costs), everything, left_out), MODELS / "first-chinese.forest")
    forest.write(fit(SECOND, TREES_SECOND, around, pages, costs, everything), MODELS / "second.forest")
    (MODELS / "tables.bin").write_bytes(names.bytes() + words.bytes())
    if args.quick:
        return
    known = kinds >= 0
    accuracy = (types[known].argmax(1) == kinds[known]).mean()
    ablations = {"everything": figures["first stage"]}
    for family in report.FAMILIES:
        answers, _ = first_stage(lambda fold: report.without(rows_without(fold), columns, family), pages, costs, folds, left_out)
        ablations["without " + family] = scores(pages, gold, answers, types, args.measure)
        print(table(ablations), flush=True)
    answers, _ = out_of_fold(FIRST, TREES_FIRST, rows_without, pages, costs, folds, left_out)
    ablations["without a forest for Chinese"] = scores(pages, gold, answers, types, args.measure)
    for name in SET_WEIGHTS:
        fewer = [cost * (page["set"] != name) for cost, page in zip(costs, pages)]
        answers, _ = first_stage(rows_without, pages, fewer, folds, left_out)
        ablations[f"not trained on `{name}`"] = scores(pages, gold, answers, types, args.measure)
        print(table(ablations), flush=True)
    judged, f1s, kept = page_scores(pages, gold, second, types, args.measure)
    expectations = [report.expected(pages[k], second[k], context.LENGTH_MIN) for k in judged]
    order = np.argsort(f1s)
    chosen = [judged[k] for k in order]
    DRAWING.write_text(report.drawing(pages, second, kept, dict(zip(judged, f1s)), chosen))
    worst = ", ".join(f"{pages[k]['set']} {pages[k]['id']} ({pages[k]['type'] or '-'}) {f1s[n]:.2f}" for n, k in zip(order[:30], chosen))
    REPORT.write_text(f"""# How the default method was trained, and how good it is

Made by `python3 training/extract.py` from {len(pages)} pages with {sum(len(page["y"]) for page in pages):,} units; five folds by site. Every figure
is of pages whose site the model had not seen. Word F1, shingle F1 and snippet F1 as `measure/extract/score.py` has them; blocks: content kept and noise removed.

{table(figures)}

Types of pages told right: {100 * accuracy:.1f} %.

Share of the gain, first stage: {gains(columns, first_gain, 40)}.

Second stage: {gains(around_columns, second_gain, 20)}.

Tables: {len(names.sums):,} names, {len(words.sums):,} words.

## What matters

The first stage alone, trained without some columns or without some pages. Differences below .003 are noise.

{table(ablations)}

## What it is unsure of

How likely units were said to be main text, and what part of their words was (all sets, out of fold):

{report.calibration(pages, second)}

The F1 that is expected of a page (`text_confidence` in JSON) and the word F1 that it has, on pages with a gold text:

{report.reliability(expectations, f1s)}

Types of pages (`type_confidence` in JSON):

{report.types(types, kinds, TYPES)}

## Where it fails worst

The worst pages by word F1: {worst}.

The first of them drawn, a unit of text as wide as its words: green is main text, grey what the model takes for it, blue what is kept.

![worst pages](extract-worst.svg)
""")


if __name__ == "__main__":
    main()
