"""warcio and fastwarc beside us: what each reads of the same WARC files, record by record.

python3 -m pip install warcio fastwarc [pywb]
cargo build --release -p kuai-warc --example list
python3 benches/peers/warc.py target/release/examples/list [FILE.warc[.gz]]...

Without files it makes some: a site on loopback fetched by wget (plain and gzip, twice with --warc-dedup) and recorded by pywb, where that is installed,
records of every type written by warcio, and broken copies of them (cut, flipped, wrong length, wrong digest, a huge header, packed twice). Of whole files
offset, type, length, named fields, block and payload must be the same. Of broken ones we must read every record that a peer reads and whose digest is
right, and none that the whole file does not have.
"""
import base64, gzip, hashlib, http.server, io, pathlib, socket, subprocess, sys, tempfile, threading, time, urllib.error, urllib.request

from answers import Answers
from fastwarc.warc import ArchiveIterator as FastIterator
from warcio.archiveiterator import ArchiveIterator
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter


def sha1(data):
    return "sha1:" + base64.b32encode(hashlib.sha1(data).digest()).decode()


def listed(fields):
    """Named fields as our list writes them; without the angle brackets around addresses, which warcio drops."""
    return sha1("".join(f"{name}: {value[1:-1] if value[:1] + value[-1:] == '<>' else value}\n" for name, value in fields).encode())


def ours(tool, path):
    lines = subprocess.run([tool, path], capture_output=True, text=True, check=True).stdout.splitlines()
    return [tuple(line.split(" ")) for line in lines if not line.startswith("damaged")], [line for line in lines if line.startswith("damaged")]


def warcio(path):
    """What warcio reads: its iterator parses HTTP heads, so blocks are read raw."""
    found = []
    with open(path, "rb") as stream:
        records = ArchiveIterator(stream, no_record_parse=True)
        for record in records:
            block = record.raw_stream.read()
            found.append((records.get_record_offset(), record.rec_type, str(len(block)), sha1(block), payload(record, block), listed(record.rec_headers.headers)))
    return [(str(offset), *rest) for offset, *rest in found]


def payload(record, block):
    """What stands behind the empty line of an HTTP message; all of anything else."""
    if not (record.rec_headers.get_header("Content-Type") or "").startswith("application/http"):
        return sha1(block)
    return sha1(block.partition(b"\r\n\r\n")[2])


def fastwarc(path):
    found = []
    with open(path, "rb") as stream:
        for record in FastIterator(stream, parse_http=False):
            block = record.reader.read()
            found.append((str(record.stream_pos), str(record.record_type), str(len(block)), sha1(block), listed(record.headers.astuples())))
    return found


class Site(Answers):
    def do_GET(self):
        body = f"<title>{self.path}</title><a href=/a>a</a> <a href=/b>b</a> <a href=/chunked>c</a> <a href=/same>s</a>".encode()
        self.send_response(404 if "robots" in self.path else 200)
        self.send_header("Content-Type", "text/html")
        self.send(body)


def made_by_wget(folder):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/"

    def fetch(name, *flags):
        subprocess.run(["wget", "-q", "-r", "-l2", "--no-proxy", "--delete-after", f"--warc-file={folder / name}", "--warc-cdx", *flags, url], cwd=folder)

    fetch("wget")
    fetch("wget-plain", "--no-warc-compression")
    fetch("wget-dedup", f"--warc-dedup={folder / 'wget.cdx'}")
    server.shutdown()
    return sorted(folder.glob("wget*.warc*"))


def made_by_pywb(folder):
    """What pywb records while somebody browses through it; nothing where it is not installed."""
    wayback = pathlib.Path(sys.executable).parent / "wayback"
    if not wayback.exists():
        print("pywb is not installed: none of its files are compared")
        return []
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    place = folder / "pywb"
    place.mkdir()
    (place / "config.yaml").write_text("collections:\n  live: $live\nrecorder: live\n")
    subprocess.run([wayback.parent / "wb-manager", "init", "recorded"], cwd=place, capture_output=True)
    with open(place / "log", "wb") as log, subprocess.Popen([wayback, "-p", str(port), "-b", "127.0.0.1", "--record"], cwd=place, stdout=log, stderr=log) as process:
        for path in ("", "a", "b", "chunked", "same", "a"):
            for _ in range(100):
                try:
                    urllib.request.urlopen(f"http://127.0.0.1:{port}/recorded/record/mp_/http://127.0.0.1:{server.server_port}/{path}", timeout=5).read()
                    break
                except urllib.error.HTTPError:
                    break
                except OSError:
                    time.sleep(0.1)
        process.terminate()
    server.shutdown()
    return sorted((place / "collections/recorded/archive").glob("*.warc*"))


def made_by_warcio(folder):
    path = folder / "warcio.warc.gz"
    with open(path, "wb") as out:
        writer = WARCWriter(out, gzip=True, warc_version="1.1")
        writer.write_record(writer.create_warcinfo_record("warcio.warc.gz", {"software": "warcio"}))
        for number in range(20):
            body = io.BytesIO(b"<p>%d</p>" % (number % 7) * 1000)
            head = StatusAndHeaders("200 OK", [("Content-Type", "text/html"), ("X-Odd", "a:b;c")], protocol="HTTP/1.1")
            uri = f"http://example.org/{number}"
            response = writer.create_warc_record(uri, "response", payload=body, http_headers=head)
            request = StatusAndHeaders(f"GET /{number} HTTP/1.1", [("Host", "example.org")], is_http_request=True)
            writer.write_request_response_pair(writer.create_warc_record(uri, "request", http_headers=request), response)
            digest = response.rec_headers.get_header("WARC-Payload-Digest")
            writer.write_record(writer.create_revisit_record(uri, digest, uri, "2026-01-01T00:00:00Z", http_headers=head))
            for kind in ("resource", "metadata", "conversion"):
                writer.write_record(writer.create_warc_record(uri, kind, payload=io.BytesIO(b"%d" % number), warc_content_type="text/plain"))
    return [path]


def broken(folder, path):
    """Broken copies of a gzip file."""
    whole, plain = path.read_bytes(), gzip.decompress(path.read_bytes())
    places = [len(whole) * part // 12 for part in range(1, 12)]
    copies = {
        **{f"cut-{at}": whole[:at] for at in places},
        **{f"flipped-{at}": whole[:at] + bytes([whole[at] ^ 0x10]) + whole[at + 1:] for at in places},
        **{f"plain-flipped-{at * 3 % len(plain)}": plain[:at * 3 % len(plain)] + b"\0" + plain[at * 3 % len(plain) + 1:] for at in places},
        **{f"missing-{at}": whole[:at] + whole[at + 200:] for at in places},
        "too-long": plain.replace(b"Content-Length: 1\r\n", b"Content-Length: 3\r\n", 1),
        "much-too-long": plain.replace(b"Content-Length: 1\r\n", b"Content-Length: 99999999\r\n", 1),
        "too-short": plain.replace(b"Content-Length: 80", b"Content-Length: 79", 1),
        "wrong-digest": plain.replace(b"-Digest: sha1:A", b"-Digest: sha1:B").replace(b"-Digest: sha1:C", b"-Digest: sha1:D"),
        "huge-header": plain.replace(b"WARC-Type: metadata\r\n", b"WARC-Type: metadata\r\nX: " + b"x" * (2 << 20) + b"\r\n", 1),
        "one-member": gzip.compress(plain),
        "packed-twice": gzip.compress(whole),
    }
    for name, data in copies.items():
        copy = folder / f"broken-{name}.warc{'' if data[:4] == b'WARC' else '.gz'}"
        copy.write_bytes(data)
        yield copy


def sound(records, fields_of, block_of):
    """Type, length and block of the records that a peer reads before it gives up, and whose digest is right."""
    found = set()
    try:
        for record in records:
            fields, block = fields_of(record), block_of(record)
            has_head = fields.get("content-type", "").startswith("application/http")
            payload = block.partition(b"\r\n\r\n")[2] if has_head else block
            is_right = fields.get("warc-block-digest") in (None, sha1(block))
            is_right &= fields.get("warc-type") == "revisit" or fields.get("warc-payload-digest") in (None, sha1(payload))
            if is_right and fields.get("warc-type") and str(len(block)) == fields.get("content-length"):
                found.add((fields["warc-type"], str(len(block)), sha1(block)))
    except Exception:  # any, as peers raise what they like
        pass
    return found


def lower(pairs):
    return {name.lower(): value for name, value in pairs}


def compare_broken(tool, path, whole):
    mine, damages = ours(tool, path)
    mine = {line[1:4] for line in mine}
    with open(path, "rb") as stream:
        by_warcio = sound(ArchiveIterator(stream, no_record_parse=True), lambda record: lower(record.rec_headers.headers), lambda record: record.raw_stream.read())
    with open(path, "rb") as stream:
        by_fastwarc = sound(FastIterator(stream, parse_http=False), lambda record: lower(record.headers.astuples()), lambda record: record.reader.read())
    # A record with a header of megabytes is none to us; peers read it.
    peers = (by_warcio | by_fastwarc) & whole if "huge" not in path.name else set()
    missed, invented = peers - mine, mine - whole
    print(f"{path.name}: {len(mine)} of {len(whole)} records, {len(damages)} told as damaged; warcio {len(by_warcio)}, fastwarc {len(by_fastwarc)}"
          + (f"; MISSED {missed}" if missed else "") + (f"; INVENTED {invented}" if invented else ""))
    return not missed and not invented


def tolerant(read, path):
    """What a peer reads before it gives up."""
    try:
        return read(path), ""
    except Exception as error:  # any, as peers raise what they like
        return None, f"{type(error).__name__}: {str(error)[:60]!r}"


def compare(tool, path):
    mine, damages = ours(tool, path)
    by_warcio, warcio_error = tolerant(warcio, path)
    by_fastwarc, fastwarc_error = tolerant(fastwarc, path)
    same_warcio = by_warcio == mine
    same_fastwarc = by_fastwarc == [(*line[:4], line[5]) for line in mine]
    print(f"{path.name}: {len(mine)} records, {len(damages)} damaged; "
          f"warcio {'the same' if same_warcio else warcio_error or len(by_warcio)}, fastwarc {'the same' if same_fastwarc else fastwarc_error or len(by_fastwarc)}")
    for damage in damages[:5]:
        print("   ", damage)
    return same_warcio and same_fastwarc and not damages


def main():
    tool, *files = sys.argv[1:]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        whole = [pathlib.Path(file) for file in files] or made_by_wget(folder) + made_by_pywb(folder) + made_by_warcio(folder)
        agreed = [compare(tool, path) for path in whole]
        if not files:
            print("broken:")
            records = {line[1:4] for line in ours(tool, whole[-1])[0]}
            agreed += [compare_broken(tool, path, records) for path in broken(folder, whole[-1])]
    sys.exit(0 if all(agreed) else 1)


main()
