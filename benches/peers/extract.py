#!/usr/bin/env python3
"""Main text: quality and processor time of kuai and of its peers, on the same pages in the same run.

    python3 benches/peers/extract.py --kuai target/release/kuai --data $KUAI_DATA --measure ../shared/measure [--sets articles,chinese] [--tools kuai resiliparse --rounds 5]

Peers come from PyPI (trafilatura, resiliparse, magic-html) and crates.io (dom_smoothie, rs-trafilatura), into a scratch folder. kuai is
trained on these pages, so its row flatters; the honest figures are the cross-validated ones of training/extract-report.md. Time is that of
reading the files and of all that follows, for all of them; Python's own start is not counted. Of several rounds the quickest counts: noise of the
machine only ever adds.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "training"))
PACKAGES = ("trafilatura", "resiliparse", "magic-html")
CRATES = ("dom_smoothie", "rs-trafilatura")
TOOLS = ("kuai", "kuai-json", *PACKAGES, *CRATES)
TYPES = ("article", "collection", "documentation", "forum", "listing", "product", "service")

CARGO = """[package]
name = "peers"
version = "0.0.0"
edition = "2024"
[dependencies]
dom_smoothie = "0.19"
rs-trafilatura = "0.2"
serde_json = "1"
[profile.release]
debug = false
[workspace]
"""
MAIN = """
use std::io::{self, BufRead, Write};
fn main() {
    let which = std::env::args().nth(1).unwrap();
    let mut out = io::BufWriter::new(io::stdout().lock());
    for path in io::stdin().lock().lines().map_while(Result::ok) {
        let html = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
        let text = std::panic::catch_unwind(|| match which.as_str() {
            "dom_smoothie" => dom_smoothie::Readability::new(html.as_str(), None, None)
                .and_then(|mut page| page.parse()).map(|page| page.text_content.to_string()).unwrap_or_default(),
            _ => rs_trafilatura::extract(&html).map(|found| found.content_text).unwrap_or_default(),
        }).unwrap_or_default();
        writeln!(out, "{}", serde_json::to_string(&text).unwrap()).unwrap();
    }
}
"""
PYTHON = """
import json, sys, time
which, listing = sys.argv[1:]
if which == "trafilatura":
    import trafilatura
    run = lambda html: trafilatura.extract(html) or ""
elif which == "resiliparse":
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.html import HTMLTree
    run = lambda html: extract_plain_text(HTMLTree.parse(html), main_content=True)
else:
    from magic_html import GeneralExtractor
    from lxml.html import fromstring
    extractor = GeneralExtractor()
    def run(html):
        found = extractor.extract(html, base_url="https://example.org/").get("html", "")
        return "\\n".join(fromstring("<div>" + found + "</div>").itertext())
texts, spent = [], time.process_time()
for path in open(listing):
    try:
        texts.append(run(open(path.strip(), encoding="utf8", errors="replace").read()))
    except Exception:
        texts.append("")
json.dump({"seconds": time.process_time() - spent, "texts": texts}, sys.stdout)
"""


def seconds_of(command, **options):
    """Output of a command and the processor time it took."""
    before = os.times()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True, **options)
    after = os.times()
    return done.stdout, after.children_user - before.children_user + after.children_system - before.children_system


def by_kuai(kuai, listing, is_timed_as_json):
    """The texts, and the time that it takes to write them: alone, as the peers do, or with all that the JSON tells."""
    command = [kuai, "extract", "--quiet", "--jobs", "1", "--batch", str(listing)]
    out, json_seconds = seconds_of([*command, "--json"])
    texts = [json.loads(line).get("text", "") for line in out.splitlines()]
    return texts, json_seconds if is_timed_as_json else seconds_of([*command, "--format", "text"])[1]


def by_crate(program, which, listing):
    with open(listing) as paths:
        out, seconds = seconds_of([program, which], stdin=paths)
    return [json.loads(line) for line in out.splitlines()], seconds


def by_package(python, which, listing):
    out, _ = seconds_of([python, "-c", PYTHON, which, str(listing)])
    found = json.loads(out)
    return found["texts"], found["seconds"]


def pythons():
    """This Python, then newer ones that may be there: magic-html wants 3.12."""
    yield sys.executable
    for minor in range(12, 20):
        yield from filter(None, [shutil.which(f"python3.{minor}")])
        yield from map(str, sorted(pathlib.Path.home().glob(f".pyenv/versions/3.{minor}.*/bin/python")))


def installed(scratch, package):
    """The Python of a folder of its own with the package in it; None where no Python here can have it."""
    more = ["lxml_html_clean"] if package == "trafilatura" else []
    folder = scratch / package
    for python in pythons():
        made = subprocess.run([python, "-m", "venv", "--clear", folder], stderr=subprocess.DEVNULL).returncode == 0
        if made and subprocess.run([folder / "bin" / "pip", "install", "--quiet", package, *more], stderr=subprocess.DEVNULL).returncode == 0:
            return folder / "bin" / "python"
    print(f"{package} cannot be installed here and is left out")
    return None


def built_crates(scratch):
    folder = scratch / "peers"
    (folder / "src").mkdir(parents=True, exist_ok=True)
    (folder / "Cargo.toml").write_text(CARGO)
    (folder / "src" / "main.rs").write_text(MAIN)
    subprocess.run(["cargo", "build", "--release", "--quiet", "--target-dir", folder / "target"], cwd=folder, check=True)
    return folder / "target" / "release" / "peers"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kuai", default="target/release/kuai")
    parser.add_argument("--data", default=os.environ.get("KUAI_DATA"))
    parser.add_argument("--measure", type=pathlib.Path, default=pathlib.Path("../shared/measure"))
    parser.add_argument("--sets", default="articles,chinese,snippets,wcxb")
    parser.add_argument("--tools", nargs="+", choices=TOOLS, default=TOOLS, help="only these, instead of all")
    parser.add_argument("--rounds", type=int, default=1, help="how often each tool runs over each set")
    parser.add_argument("--scratch", type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir()) / "kuai-peers")
    args = parser.parse_args()
    from pages import listing, module
    scorer = module("extract_score", str(args.measure / "extract" / "score.py"))
    args.scratch.mkdir(exist_ok=True)
    packages = {name: installed(args.scratch, name) for name in PACKAGES if name in args.tools}
    program = built_crates(args.scratch) if set(CRATES) & set(args.tools) else None
    tools = {"kuai": lambda paths: by_kuai(args.kuai, paths, False), "kuai-json": lambda paths: by_kuai(args.kuai, paths, True)}
    tools |= {name: lambda paths, name=name: by_package(packages[name], name, paths) for name in packages if packages[name]}
    tools |= {name: lambda paths, name=name: by_crate(program, name, paths) for name in CRATES}
    tools = {name: run for name, run in tools.items() if name in args.tools}
    for name in args.sets.split(","):
        folder = pathlib.Path(args.data) / name
        rows = listing(folder)
        gold = json.loads((folder / "gold.json").read_text())
        paths = args.scratch / f"{name}.txt"
        paths.write_text("".join(f"{row[1]}\n" for row in rows))
        megabytes = sum(row[1].stat().st_size for row in rows) / 1e6
        print(f"\n{name}: {len(rows)} pages, {megabytes:.0f} MB")
        for tool, run in tools.items():
            started = time.time()
            rounds = [run(paths) for _ in range(args.rounds)]
            texts, seconds = rounds[0][0], min(seconds for _, seconds in rounds)
            out = {row[0]: text for row, text in zip(rows, texts)}
            result = scorer.score(gold, out)
            figures = [f"{kind} {result[kind]['f1']:.4f}" for kind in ("word", "shingle", "snippet") if kind in result]
            if name == "wcxb":
                figures += [f"{kind[:4]} {scorer.score({k: v for k, v in gold.items() if v['type'] == kind}, out)['word']['f1']:.3f}" for kind in TYPES]
            print(f"  {tool:<15} {megabytes / seconds:7.1f} MB/s   {'  '.join(figures)}   ({time.time() - started:.0f} s)", flush=True)


if __name__ == "__main__":
    main()
