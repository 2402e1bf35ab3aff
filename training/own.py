"""The pages that we wrote ourselves to train on (`training/pages/`, in the form of crates/eval/pages/README.md): what each block in them is.

They are no exam: figures are told on the labelled sets alone, and on crates/eval/pages, which nothing is trained on.
"""
import html.parser
import pathlib
import re

FOLDER = pathlib.Path(__file__).parent / "pages"
MARK = re.compile(r"<!--(?:kuai:\w+|/kuai)-->")
TEXTLESS = {"script", "style", "template", "select", "textarea", "svg", "title"}


class Marks(html.parser.HTMLParser):
    """(label, text) of every run of text, in page order."""

    def __init__(self, source):
        super().__init__()
        self.labels, self.segments, self.textless = [], [], 0
        self.feed(source)
        self.close()

    def handle_comment(self, said):
        if said.startswith("kuai:"):
            self.labels.append(said.removeprefix("kuai:"))
        elif said == "/kuai":
            self.labels.pop()

    def handle_starttag(self, tag, _):
        self.textless += tag in TEXTLESS

    def handle_endtag(self, tag):
        self.textless -= tag in TEXTLESS

    def handle_startendtag(self, *_):
        """Nothing stands in it."""

    def handle_data(self, text):
        if self.labels and not self.textless and text.strip():
            self.segments.append((self.labels[-1], text))


def read(folder):
    """(id, path, url) of every page, its marks taken out into `folder`, and what its runs of text are."""
    rows, gold = [], {}
    for path in sorted(FOLDER.glob("*.html")):
        source = path.read_text()
        bare = pathlib.Path(folder) / path.name
        bare.write_text(MARK.sub("", source))
        rows.append((path.stem, bare, ""))
        gold[path.stem] = Marks(source).segments
    return rows, gold
