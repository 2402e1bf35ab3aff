#!/usr/bin/env python3
"""What other ways of keeping page histories cost, on a folder of histories: one JSON object on standard output.

  baselines.py DIR      DIR has manifest.json; captures are replayed in the order of time

WARC.gz with revisit records is what web archives do today and stands for 1; git (packed as tightly as it can) and zstd
patch chains (a key frame every 20 versions) are its rivals.
Needs git, and warcio and zstandard from PyPI.
"""
import base64, hashlib, io, json, os, subprocess, sys, tempfile

import zstandard
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter


def captures(folder):
    manifest = json.load(open(os.path.join(folder, "manifest.json")))
    found = []
    for series in manifest["series"]:
        for version in series["versions"]:
            path = os.path.join(folder, series["dir"], version["ts"] + ".html")
            found.append((version["ts"], series["url"], path))
    return sorted(found)


def body(path):
    with open(path, "rb") as file:
        return file.read()


def warc_gz(all_captures, folder):
    """Gzipped WARC records; a body seen before becomes a revisit record."""
    path, seen = os.path.join(folder, "x.warc.gz"), {}
    with open(path, "wb") as file:
        writer = WARCWriter(file, gzip=True, warc_version="1.1")
        for stamp, url, page in all_captures:
            payload = body(page)
            date = f"{stamp[:4]}-{stamp[4:6]}-{stamp[6:8]}T{stamp[8:10]}:{stamp[10:12]}:{stamp[12:]}Z"
            head = StatusAndHeaders("200 OK", [("Content-Type", "text/html"), ("Content-Length", str(len(payload)))], protocol="HTTP/1.1")
            digest = "sha1:" + base64.b32encode(hashlib.sha1(payload).digest()).decode()
            dated = {"warc_headers_dict": {"WARC-Date": date}}
            if digest in seen:
                record = writer.create_revisit_record(url, digest, *seen[digest], http_headers=head, **dated)
            else:
                record = writer.create_warc_record(url, "response", payload=io.BytesIO(payload), length=len(payload), http_headers=head, **dated)
                seen[digest] = (url, date)
            writer.write_record(record)
    return os.path.getsize(path)


def git_packed(all_captures, folder):
    """A commit a capture, packed with --aggressive; the pack and its index are counted."""
    repository = os.path.join(folder, "git")
    run = lambda *words: subprocess.run(["git", "-C", repository, *words], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["git", "init", "-q", "--bare", repository], check=True)
    files = {url: f"p{index}" for index, url in enumerate(dict.fromkeys(url for _, url, _ in all_captures))}
    importer = subprocess.Popen(["git", "-C", repository, "fast-import", "--quiet"], stdin=subprocess.PIPE)
    for second, (_, url, page) in enumerate(all_captures):
        payload = body(page)
        commit = f"commit refs/heads/main\ncommitter a <a@x> {second} +0000\ndata 0\nM 100644 inline {files[url]}\ndata {len(payload)}\n"
        importer.stdin.write(commit.encode() + payload + b"\n")
    importer.stdin.close()
    assert importer.wait() == 0
    run("-c", "pack.threads=1", "gc", "--aggressive", "--prune=now", "-q")
    packs = os.path.join(repository, "objects", "pack")
    return sum(os.path.getsize(os.path.join(packs, name)) for name in os.listdir(packs) if name.endswith((".pack", ".idx")))


def patch_chains(all_captures, folder):
    """Each version as a zstd patch of the one before, whole every 20."""
    total, last = 0, {}
    for _, url, page in all_captures:
        payload = body(page)
        count, before = last.get(url, (0, None))
        if count % 20 == 0:
            total += len(zstandard.ZstdCompressor(level=19).compress(payload))
        else:
            window = min(27, max(10, (len(before) + len(payload)).bit_length()))
            parameters = zstandard.ZstdCompressionParameters.from_level(19, window_log=window)
            base = zstandard.ZstdCompressionDict(before, dict_type=zstandard.DICT_TYPE_RAWCONTENT)
            total += len(zstandard.ZstdCompressor(compression_params=parameters, dict_data=base).compress(payload))
        last[url] = (count + 1, payload)
    return total


def main():
    all_captures = captures(sys.argv[1])
    figures = {}
    for name, method in [("WARC.gz with revisits", warc_gz), ("git, packed", git_packed), ("zstd patch chains", patch_chains)]:
        with tempfile.TemporaryDirectory() as folder:
            figures[name] = method(all_captures, folder)
    print(json.dumps(figures))


main()
