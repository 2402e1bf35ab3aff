"""What wget crawled goes through an archive and out again; warcio, wacz, cdxj-indexer and pywb judge what came of it.

python3 -m pip install warcio wacz cdxj-indexer pywb pillow
python3 benches/peers/exchange.py target/release/kuai [--replay] [--browser]

A site on loopback is crawled by wget into WARC files twice, the second time with --warc-dedup, so that there are revisits. Both are imported, imported
again (nothing may be added), and exported as WARC and as WACZ. Then must hold: `warcio check`, `gzip -t` and `wacz validate` are content; every answer has the
header bytes and the payload digest that wget wrote; the index of the WACZ file is what cdxj-indexer makes of it. With --replay pywb serves
both files, and every page comes back byte for byte through `id_`; with --browser pages look the same live and replayed in headless Chromium.
"""
import base64, gzip, hashlib, http.server, io, json, os, pathlib, shutil, socket, subprocess, sys, tempfile, threading, time, urllib.request, zipfile

from answers import Answers
from warcio.archiveiterator import ArchiveIterator

PIXEL = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAIAAAACUFjqAAAAEklEQVR4nGP4z8CABzGMSjNgCRYAt8pjnQuW8k4AAAAASUVORK5CYII=")
STYLE = b"body { font: 20px sans-serif; background: #eef } h1 { color: #730 } a { margin: 4px } img { width: 80px }"
failures = []


def check(what, holds, detail=""):
    print(f"{'ok  ' if holds else 'FAIL'} {what}" + (f": {detail}" if detail and not holds else ""))
    if not holds:
        failures.append(what)


class Site(Answers):
    """Pages of every kind; `visit` changes one of them."""
    visit = 1
    pages = 30

    def do_GET(self):
        links = "".join(f"<a href='/page/{number}'>{number}</a> " for number in range(self.pages))
        page = f"<!doctype html><link rel=stylesheet href=/style.css><title>{self.path}</title><h1>{self.path}</h1><p>Something to read on {self.path}. <img src=/pixel.png>"
        if self.path == "/":
            page += f"<p>{links}<a href=/chunked>chunked</a> <a href=/packed>packed</a> <a href=/moved>moved</a> <a href=/news>news</a> <a href='/query?b=2&a=1'>query</a> <a href='/Gr%C3%BC%C3%9Fe'>Grüße</a> <a href=/missing>missing</a>"
        if self.path == "/news":
            page += f"<p>Visit {self.visit}."
        kind, body = "text/html; charset=utf-8", page.encode()
        if self.path == "/style.css":
            kind, body = "text/css", STYLE
        if self.path == "/pixel.png":
            kind, body = "image/png", PIXEL
        missing = self.path in ("/missing", "/robots.txt", "/favicon.ico")
        self.send_response(404 if missing else 302 if self.path == "/moved" else 200)
        self.send_header("Content-Type", kind)
        self.send_header("X-Visit", str(self.visit))
        if self.path == "/moved":
            self.send_header("Location", "/page/1")
        if self.path == "/packed":
            body = gzip.compress(body, mtime=0)
            self.send_header("Content-Encoding", "gzip")
        self.send(body)


def tool(name):
    """A program that came with a Python package, beside the Python that runs this or wherever else it is."""
    beside = pathlib.Path(sys.executable).parent / name
    return beside if beside.exists() else shutil.which(name) or sys.exit(f"{name} is missing: python3 -m pip install warcio wacz cdxj-indexer pywb pillow")


def run(*command, cwd=None, code=0):
    done = subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True)
    text = done.stdout + done.stderr
    return done.returncode == code, text.strip()[-2000:]


def crawl(folder, url):
    def wget(name, *flags):
        subprocess.run(["wget", "-q", "-r", "-l3", "-p", "--no-proxy", "--delete-after", f"--warc-file={folder / name}", "--warc-cdx", *flags, url], cwd=folder)
    wget("first")
    Site.visit = 2
    time.sleep(1.1)  # WARC dates are whole seconds, and a revisit is a later one
    wget("second", f"--warc-dedup={folder / 'first.cdx'}")
    return [folder / "first.warc.gz", folder / "second.warc.gz"]


def answers(*paths):
    """Header bytes and payload digest of every answer, by address and time."""
    found = {}
    for path in paths:
        with open(path, "rb") as stream:
            for record in ArchiveIterator(stream, no_record_parse=True):
                if record.rec_type not in ("response", "revisit"):
                    continue
                block = record.raw_stream.read()
                head, _, payload = block.partition(b"\r\n\r\n")
                named = record.rec_headers.get_header("WARC-Payload-Digest")
                digest = "sha1:" + base64.b32encode(hashlib.sha1(payload).digest()).decode()
                # wget ends the block of a revisit behind the headers, with or without the empty line.
                uri = record.rec_headers.get_header("WARC-Target-URI").strip("<>")
                found[(uri, record.rec_headers.get_header("WARC-Date"))] = (record.rec_type, head.rstrip(b"\r\n"), named or digest)
    return found


def compare_answers(what, given, came):
    check(f"{what}: every answer is there", given.keys() == came.keys(), f"{sorted(given.keys() ^ came.keys())[:4]}")
    both = given.keys() & came.keys()
    heads = [key for key in both if given[key][1] != came[key][1]]
    digests = [key for key in both if given[key][2] != came[key][2]]
    check(f"{what}: header bytes are the same ({len(both)} answers)", not heads, f"{heads[:3]}")
    check(f"{what}: payload digests are the same", not digests, f"{[(key, given[key][2], came[key][2]) for key in digests[:3]]}")


def compare_index(folder, wacz):
    """The lines of our index, and those that cdxj-indexer makes of the same file."""
    with zipfile.ZipFile(wacz) as file:
        file.extractall(folder / "wacz")
        lines = gzip.decompress(file.read("indexes/index.cdx.gz")).decode().splitlines()
    holds, text = run(tool("cdxj-indexer"), "-s", "-o", folder / "peer.cdxj", folder / "wacz/archive/data.warc.gz")
    check("cdxj-indexer reads the WARC of the WACZ file", holds, text)
    kept = ("url", "mime", "status", "digest", "length", "offset", "filename")

    def read(line):
        key, stamp, fields = line.split(" ", 2)
        fields = json.loads(fields)
        return key, stamp, *(str(fields.get(name, "")) for name in kept)
    peer = [read(line) for line in (folder / "peer.cdxj").read_text().splitlines()]
    ours = [read(line) for line in lines]
    check(f"the index is cdxj-indexer's ({len(ours)} lines)", sorted(ours) == sorted(peer), f"{sorted(set(ours) ^ set(peer))[:4]}")
    check("the index is sorted", lines == sorted(lines))


def free_port():
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return server.getsockname()[1]


class Pywb:
    def __init__(self, folder, files):
        self.folder, self.port = folder / "pywb", free_port()
        self.folder.mkdir()
        for name, path in files.items():
            run(tool("wb-manager"), "init", name, cwd=self.folder)
            flags = ["--unpack-wacz"] if path.suffix == ".wacz" else []
            holds, text = run(tool("wb-manager"), "add", *flags, name, path, cwd=self.folder)
            check(f"pywb takes {path.name}", holds, text)

    def __enter__(self):
        self.log = open(self.folder / "log", "wb")
        self.process = subprocess.Popen([tool("wayback"), "-p", str(self.port), "-b", "127.0.0.1"], cwd=self.folder, stdout=self.log, stderr=self.log)
        for _ in range(200):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/", timeout=2).read()
                return self
            except OSError:
                time.sleep(0.1)
        raise SystemExit("pywb does not answer: " + (self.folder / "log").read_text()[-500:])

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def url(self, collection, stamp, modifier, url):
        return f"http://127.0.0.1:{self.port}/{collection}/{stamp}{modifier}/{url}"


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def fetch(url):
    """Status, and the body without its content encoding."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), NoRedirect)
    try:
        answer = opener.open(url, timeout=20)
    except urllib.error.HTTPError as error:
        answer = error
    body = answer.read()
    if answer.headers.get("Content-Encoding") == "gzip":
        body = gzip.decompress(body)
    return answer.status if hasattr(answer, "status") else answer.code, body


def replay(pywb, given, files):
    live = {uri: fetch(uri) for uri, _ in given}
    for name in files:
        wrong = []
        for uri, date in given:
            stamp = "".join(letter for letter in date if letter.isdigit())
            expected = live[uri]
            if uri.endswith("/news"):
                continue  # another page at each visit
            came = fetch(pywb.url(name, stamp, "id_", uri))
            if uri.endswith("/moved"):
                came, expected = came[0], expected[0]  # pywb sends redirects without their body
            if came != expected:
                wrong.append((uri, came, expected))
        check(f"pywb gives every page of {name} byte for byte ({len(given)})", not wrong, f"{wrong[:3]}")


BANNER = 90  # pixels that pywb puts above every page


def screenshot(folder, name, url, banner=0):
    path = folder / f"{name}.png"
    run("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--window-size=900,{500 + banner}", "--virtual-time-budget=8000",
        "--proxy-server=direct://", f"--screenshot={path}", f"--user-data-dir={folder / 'profile'}", url)
    return path


def same_picture(first, second):
    from PIL import Image, ImageChops
    first, second = Image.open(first).convert("RGB"), Image.open(second).convert("RGB")
    second = second.crop((0, second.height - first.height, *second.size))
    return first.size == second.size and ImageChops.difference(first, second).getbbox() is None


def browse(folder, pywb, given, files):
    dates = dict(sorted(given))
    root = min(uri for uri in dates)
    for page in ("", "page/7", "chunked", "packed"):
        uri = root + page
        live = screenshot(folder, f"live-{page.replace('/', '-')}", uri)
        for name in files:
            stamp = "".join(letter for letter in dates[uri] if letter.isdigit())
            replayed = screenshot(folder, f"{name}-{page.replace('/', '-')}", pywb.url(name, stamp, "mp_", uri), BANNER)
            holds = live.exists() and replayed.exists() and same_picture(live, replayed)
            check(f"/{page} of {name} looks as it does live", holds, f"{live} {replayed}")


def main():
    kuai = pathlib.Path(sys.argv[1]).resolve()
    flags = sys.argv[2:]
    folder = pathlib.Path(tempfile.mkdtemp(prefix="kuai-exchange-"))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    given_files = crawl(folder, f"http://127.0.0.1:{server.server_port}/")
    given = answers(*given_files)
    revisits = sum(kind == "revisit" for kind, *_ in given.values())
    check(f"wget wrote {len(given)} answers, {revisits} of them revisits", revisits > 10 and len(given) > 60)

    import_ = [kuai, "import", "--archive", folder / "archive", "--json", *given_files]
    holds, text = run(*import_)
    check("both files are imported without a problem", holds, text)
    holds, text = run(*import_)
    added = [sum(json.loads(line)[name] for name in ("new_urls", "new_versions", "seen_again", "problems")) for line in text.splitlines() if line.startswith("{")]
    check("imported again they add nothing", holds and added == [0, 0], text)

    warc, wacz = folder / "out.warc.gz", folder / "out.wacz"
    for path in (warc, wacz):
        holds, text = run(kuai, "export", "--archive", folder / "archive", "-o", path)
        check(f"exported as {path.name}", holds, text)
    check("warcio check", *run(tool("warcio"), "check", warc))
    check("gzip -t", *run("gzip", "-t", warc))
    check("wacz validate", *run(tool("wacz"), "validate", "-f", wacz))
    compare_answers("WARC", given, answers(warc))
    compare_index(folder, wacz)
    compare_answers("WACZ", given, answers(folder / "wacz/archive/data.warc.gz"))
    holds, text = run(kuai, "import", "--archive", folder / "second", wacz)
    check("the WACZ file is imported into another archive", holds, text)
    again = folder / "again.warc.gz"
    run(kuai, "export", "--archive", folder / "second", "-o", again)
    compare_answers("through WACZ", given, answers(again))

    if "--replay" in flags or "--browser" in flags:
        files = {"warc": warc, "wacz": wacz}
        with Pywb(folder, files) as pywb:
            replay(pywb, given, files)
            if "--browser" in flags:
                browse(folder, pywb, given, files)
    server.shutdown()
    if failures:
        sys.exit(f"{len(failures)} failed; what was written is in {folder}")
    shutil.rmtree(folder)


main()
