"""The labelled pages of $KUAI_DATA, and our own of training/pages/, with the features that `kuai features` reads off them."""
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import orjson

import labels
import own

TEXT_SETS = ("wcxb", "articles", "chinese", "snippets")
TYPES = ("article", "collection", "documentation", "forum", "listing", "product", "service")
# Which pages are there for their links, as in crates/segment/src/methods/kuai/hub.rs.
HUB_LINK_RATIO_MIN, HUB_LINK_LENGTH_MIN, HUB_LINKS_MIN, HUB_MAIN_MAX = 3, 6, 30, 12


def module(name, path):
    """A scorer of ../shared/measure as a module."""
    sys.path.insert(0, os.path.dirname(path))
    spec = importlib.util.spec_from_file_location(name, path)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def listing(folder):
    """(id, path, url) of every page of a set."""
    table = folder / "list.tsv"
    if table.exists():
        rows = [line.split("\t") for line in table.read_text().splitlines()]
        return [(row[0], folder / row[1], row[2] if len(row) > 2 else "") for row in rows]
    return [(path.stem, path, "") for path in sorted((folder / "pages").glob("*.html"))]


def is_address(url):
    return url.startswith("http") and not url.startswith("https://example.com")


def site(name, page_id, url):
    """What folds are made of: pages of one site stay together."""
    if name == "blocks-zh":
        return re.sub(r"^(list|v)_", "", page_id).split("_")[0]
    if name in ("chinese", "own"):
        return {"chinese": "zh:", "own": "own:"}[name] + page_id
    if name == "snippets":
        return ".".join(url.split("::")[-1].split("-")[0].split("/")[0].replace(".html", "").split(".")[-2:])
    host = re.sub(r"^[a-z]+://", "", url).split("/")[0].split(".")
    if len(host) > 2 and host[-2] in ("com", "co", "gov", "org", "edu", "net", "ac"):
        return host[-3]
    return host[-2] if len(host) > 1 else host[0] or page_id


def features(kuai, rows):
    """The lines of `kuai features` for these pages, in order."""
    with tempfile.NamedTemporaryFile("w", suffix=".tsv") as table:
        for _, path, url in rows:
            table.write(f"{path}\t{url}\n" if is_address(url) else f"{path}\n")
        table.flush()
        done = subprocess.run([kuai, "features", "--quiet", "--batch", table.name], stdout=subprocess.PIPE, check=True)
    return done.stdout.splitlines()


def hub_texts(kuai, pages, rows):
    """Of pages that may be there for their links what SPCOLA makes of them, of others None. Nothing in it is trained."""
    out = [None] * len(pages)
    for k in [k for k, page in enumerate(pages) if is_mostly_links(page)]:
        done = subprocess.run([kuai, "extract", "--quiet", "--method", "spcola", rows[k][1]], stdout=subprocess.PIPE)
        text = done.stdout.decode()
        if labels.length(text) > HUB_MAIN_MAX:
            out[k] = text
    return out


def is_mostly_links(page):
    link, length = page["X"][:, page["columns"].index("link")], page["length"]
    linked = (length * link).sum()
    telling = ((link >= .5) & (length >= HUB_LINK_LENGTH_MIN)).sum()
    return telling >= HUB_LINKS_MIN and linked >= HUB_LINK_RATIO_MIN * (length.sum() - linked)


def ragged(lists):
    """Lists of hashes as one array and where each begins."""
    starts = np.cumsum([0] + [len(one) for one in lists])
    return np.array([x for one in lists for x in one], np.uint32), starts


def page_type(name, page_id, gold):
    """The type of a page where it is known; our own say it with the first word of their names."""
    kind = {"wcxb": lambda: gold["type"], "articles": lambda: "article", "own": lambda: page_id.split("-")[0]}.get(name, lambda: None)()
    return kind if kind in TYPES else None


def labelled(job):
    name, row, gold, line = job
    page = orjson.loads(line)
    units, elements = page["units"], page["elements"]
    texts = [unit["text"] for unit in units]
    if name in labels.MAIN:
        values = labels.blocked(texts, gold, name)
    elif "text" in gold:
        values = labels.aligned([labels.tokens(text) for text in texts], labels.tokens(gold["text"]))
    else:
        values = labels.asserted(texts, gold["with"], gold["without"])
    kind = page_type(name, row[0], gold)
    return {
        "set": name, "id": row[0], "site": site(name, row[0], row[2]), "type": kind,
        "y": np.array(values), "texts": texts,
        "X": np.array([unit["row"] for unit in units], np.float32).reshape(len(units), len(page["unit_columns"])),
        "page": np.array(page["page"], np.float32),
        "columns": page["unit_columns"], "page_columns": page["page_columns"],
        "length": np.array([unit["length"] for unit in units], np.float32),
        "ruled_out": np.array([unit["ruled_out"] for unit in units], bool),
        "element": np.array([unit["element"] for unit in units], int),
        "parent": np.array([element["parent"] for element in elements], int),
        "tag": [element["tag"] for element in elements],
        "shape": np.array([element["shape"] for element in elements], np.uint32),
        "names": ragged([element["names"] for element in elements]),
        "inline": ragged([unit["names"] for unit in units]),
        "words": ragged([unit["words"] for unit in units]),
    }


def golds(data, measure):
    """Of every set its pages and their gold."""
    sets = {name: json.loads((data / name / "gold.json").read_text()) for name in TEXT_SETS}
    scorer = module("label_score", str(measure / "label" / "score.py"))
    folder = data / "blocks-zh"
    sets["blocks-zh"] = {
        row[0]: list(scorer.labelled(str(row[1]), f"{folder}/labels/{row[0]}.txt"))
        for row in listing(folder) if (folder / "labels" / f"{row[0]}.txt").exists()
    }
    return sets


def read(kuai, data, measure):
    """All labelled pages, and the gold of every set that figures are told of."""
    data, measure = pathlib.Path(data), pathlib.Path(measure)
    gold = golds(data, measure)
    jobs = []
    with tempfile.TemporaryDirectory() as bare:
        own_rows, own_gold = own.read(bare)
        for name in (*TEXT_SETS, "blocks-zh", "own"):
            rows = own_rows if name == "own" else [row for row in listing(data / name) if row[0] in gold[name]]
            for row, line in zip(rows, features(kuai, rows)):
                wanted = own_gold[row[0]] if name == "own" else gold[name][row[0]]
                jobs.append((name, row, [(x[0], x[2]) for x in wanted] if name == "blocks-zh" else wanted, line))
        with ProcessPoolExecutor(2) as pool:
            pages = list(pool.map(labelled, jobs, chunksize=8))
        for page, text in zip(pages, hub_texts(kuai, pages, [row for _, row, _, _ in jobs])):
            page["hub_text"] = text
    return pages, gold
