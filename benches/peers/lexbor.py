"""lexbor beside us, through the two libraries that bring it to Python: the processor seconds of parsing pages that lie in memory.

python3 lexbor.py selectolax|resiliparse ROUNDS FOLDER    prints the seconds of the best round; 0 rounds only read the pages
"""
import sys
import time
from pathlib import Path


def selectolax():
    from selectolax.lexbor import LexborHTMLParser
    return LexborHTMLParser, lambda path: path.read_bytes()


def resiliparse():
    from resiliparse.parse.html import HTMLTree
    return HTMLTree.parse, lambda path: path.read_bytes().decode()


def main():
    library, rounds, folder = sys.argv[1:]
    parse, read = {"selectolax": selectolax, "resiliparse": resiliparse}[library]()
    pages = [read(path) for path in sorted(Path(folder).iterdir())]
    best = float("inf")
    for _ in range(int(rounds)):
        start = time.process_time()
        for page in pages:
            parse(page)  # The tree is freed at once: nothing holds it.
        best = min(best, time.process_time() - start)
    print(best)


main()
