"""What the report of the default method shows besides its figures: what matters, what it is unsure of, and where it fails worst."""
import html
import re

import numpy as np

# Columns that belong together.
FAMILIES = {
    "what names of classes say (tables)": r"^t_",
    "what words say (tables)": r"^w_(mean|max)$",
    "the elements around": r"^(p|g|gg|a5|s)_",
    "the units before and after": r"^w\d+_",
    "the holder of most paragraphs": r"holder|^up_to_path$|^path_to",
    "repetition": r"^(rep_|item_|copies)",
    "title and description": r"^(title_|description_|text_since|from_h1)",
    "elements of like shape": r"^shape",
    "the type of page": r"^type_",
}
BINS = (0, .1, .3, .5, .7, .9, 1.0001)
DRAWN = 12
ROW = 46


def places(columns, family):
    """Where the columns of a family stand."""
    found = [k for k, column in enumerate(columns) if re.search(FAMILIES[family], column)]
    assert found, family
    return found


def without(rows, columns, family):
    """The same rows with one family of columns blanked."""
    gone = places(columns, family)
    def blank(page):
        page = page.copy()
        page[:, gone] = 0
        return page
    return [blank(page) for page in rows]


def calibration(pages, answers):
    """How likely units were said to be main text, and how much of their words was."""
    known = [(page, np.flatnonzero(page["y"] >= 0)) for page in pages]
    said = np.concatenate([answer[some] for answer, (_, some) in zip(answers, known)])
    true = np.concatenate([page["y"][some] for page, some in known])
    words = np.concatenate([page["length"][some] for page, some in known])
    lines = ["| said | is | share of all words |", "| --- | --- | --- |"]
    for low, high in zip(BINS, BINS[1:]):
        here = (said >= low) & (said < high)
        mean = lambda values: (values[here] * words[here]).sum() / words[here].sum()
        lines.append(f"| {low:.1f} to {min(high, 1):.1f}: {mean(said):.2f} | {mean(true):.2f} | {100 * words[here].sum() / words.sum():.1f} % |")
    return "\n".join(lines)


def expected(page, p, floor):
    """The best F1 that keeping the likeliest units can be expected to have, as decide.rs has it."""
    length = np.maximum(page["length"], floor)
    order = np.argsort(-p, kind="stable")
    hit = np.cumsum(p[order] * length[order])
    return float((2 * hit / (np.cumsum(length[order]) + hit[-1])).max()) if len(p) and hit[-1] > 0 else 0.


def reliability(expectations, f1s):
    """The F1 that was expected of pages, and the one that they have."""
    lines = ["| expected F1 | pages | mean expected | mean F1 |", "| --- | --- | --- | --- |"]
    for low, high in ((0, .5), (.5, .7), (.7, .8), (.8, .9), (.9, .95), (.95, 1.0001)):
        here = [k for k, value in enumerate(expectations) if low <= value < high]
        if here:
            lines.append(f"| {low:.2f} to {min(high, 1):.2f} | {len(here)} | {np.mean([expectations[k] for k in here]):.3f} | {np.mean([f1s[k] for k in here]):.3f} |")
    return "\n".join(lines)


def types(found, kinds, names):
    """How sure the model was of the type of page, and how often it was right."""
    known = kinds >= 0
    sure, right = found[known].max(1), found[known].argmax(1) == kinds[known]
    lines = ["| said | right | pages |", "| --- | --- | --- |"]
    for low, high in ((0, .4), (.4, .6), (.6, .8), (.8, .95), (.95, 1.0001)):
        here = (sure >= low) & (sure < high)
        lines.append(f"| {low:.2f} to {min(high, 1):.2f}: {sure[here].mean():.2f} | {right[here].mean():.2f} | {here.sum()} |")
    return "\n".join(lines)


def drawing(pages, answers, kept, f1s, order):
    """The worst pages as strips, a unit as wide as its text: above what is main text, then how likely it was said to be, below what was kept."""
    chosen = order[:DRAWN]
    width, out = 860, []
    for row, k in enumerate(chosen):
        page, top, left = pages[k], 20 + row * ROW, 10.
        name = f'{page["set"]} {page["id"]}, {page["type"] or "no type"}: F1 {f1s[k]:.2f}'
        out.append(f'<text x="10" y="{top - 4}" font-size="11" font-family="sans-serif">{html.escape(name)}</text>')
        scale = width / max(page["length"].sum(), 1)
        for y, p, keep, length in zip(page["y"], answers[k], kept[k], page["length"]):
            wide = length * scale
            grey, green = int(255 - 200 * p), 255 - int(200 * max(y, 0))
            for shade, lightest, at in ((f"rgb({green},255,{green})", green, 0), (f"rgb({grey},{grey},{grey})", grey, 9), ("#36c", 255 - 255 * keep, 18)):
                if wide >= .3 and lightest < 250:   # what is white is not drawn
                    out.append(f'<rect x="{left:.1f}" y="{top + at}" width="{wide:.1f}" height="8" fill="{shade}"/>')
            left += wide
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 880 {20 + len(chosen) * ROW}">' + "".join(out) + "</svg>\n"
