"""kuai's CDX answers, raw replay and Memento beside pywb's and memento-client's, on the same captures (`just serve-peers`).

    python3 benches/peers/cdx.py KUAI FOLDER-OF-PAGES

Prints what differs. Left out of the comparison, and explained in docs/serve.md: length, offset, filename and source, which speak of a WARC file that kuai does not
have, and the status of revisits, which pywb's index leaves out.
"""

import datetime
import http.server
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

from memento_client import MementoClient

PAGES = 400
NOT_COMPARED = {"length", "offset", "filename", "orig.length", "orig.offset", "orig.filename", "source", "source-coll", "access"}
TYPES = {".html": "text/html", ".css": "text/css", ".png": "image/png", ".js": "text/javascript"}


def captures(root, folder):
    files = [os.path.join(at, name) for at, _, names in sorted(os.walk(root)) for name in sorted(names)]
    files = [file for file in files if os.path.splitext(file)[1] in TYPES][:PAGES]
    for number, file in enumerate(files):
        host = ("www." if number % 5 == 0 else "") + ("sub." if number % 7 == 0 else "") + "help.example"
        url = f"http://{host}/{os.path.relpath(file, root)}" + ("?b=2&a=1" if number % 11 == 0 else "")
        for times in range(1 + number % 3):
            body = file
            if times == 2:
                body = os.path.join(folder, f"later-{number}")
                with open(file, "rb") as before, open(body, "wb") as later:
                    later.write(before.read() + b" ")
            yield {
                "url": url,
                "time": f"202{times + 3}-0{1 + number % 9}-01T0{times}:00:00Z",
                "file": body,
                "headers": {"Content-Type": TYPES[os.path.splitext(file)[1]]},
                "status": 404 if number % 13 == 0 else 200,
            }


def questions(url):
    one = "url=" + urllib.parse.quote(url)
    every = "url=*.help.example"
    return [
        one, every, "url=help.example/*", "url=help.example&matchType=host", "url=sub.help.example&matchType=domain",
        "url=HTTP://www.Help.example:80" + urllib.parse.quote(urllib.parse.urlsplit(url).path), "url=nothing.example",
        f"{every}&limit=7", f"{every}&from=2024&to=2024", f"{every}&from=202405", f"{every}&to=20240601",
        f"{every}&filter=mime:css", f"{every}&filter=!mime:html", f"{every}&filter==mime:text/html&filter==status:404",
        f"{every}&filter=~url:.*s0[0-9].*&filter=mime:text", f"{every}&filter=!~urlkey:.*gimp-", f"{every}&filter=~timestamp:2023.*",
        "url=help.example/*&sort=reverse&limit=5", f"{every}&reverse=true", f"{one}&closest=2024&limit=2", f"{every}&closest=20240601&limit=10",
        f"{every}&fl=urlkey,timestamp,digest", f"{every}&fl=timestamp,mime&output=json", f"{every}&fl=url,mime&output=text",
        f"{every}&collapseTime=4&filter=!mime:revisit", f"{every}&output=json", "url=help.example/*&resolveRevisits=true",
        "url=help.example&matchType=nonsense", f"{every}&output=xml", "",
    ]


def ask(address):
    try:
        with urllib.request.urlopen(address, timeout=120) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def lines(answer, question):
    status, body = answer
    if status != 200 or "output=text" in question:
        return [status] if status != 200 else body.decode().splitlines()
    told = []
    for line in body.decode().splitlines():
        at = line.index("{")
        fields = {name: value for name, value in json.loads(line[at:]).items() if name not in NOT_COMPARED}
        if fields.get("mime") == "warc/revisit" or "resolveRevisits" in question:
            fields.pop("status", None)
        told.append((line[:at], fields))
    return told


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def wait_for(address):
    for _ in range(200):
        try:
            return ask(address)
        except OSError:
            time.sleep(0.2)
    sys.exit(f"{address} does not answer")


def compare(pywb, main, replay, given):
    same = 0
    asked = questions(given[len(given) // 2]["url"])
    for question in asked:
        theirs, ours = (lines(ask(f"{at}?{question}"), question) for at in (f"{pywb}/c/cdx", f"{main}/cdx"))
        same += theirs == ours
        if theirs != ours:
            print(f"differs: {question}: {len(theirs)} lines and {len(ours)}", next(pair for pair in zip(theirs, ours) if pair[0] != pair[1]))
    print(f"CDX: {same} of {len(asked)} answers are the same over {len(given)} captures")
    equal = 0
    for capture in given:
        stamp = "".join(digit for digit in capture["time"] if digit.isdigit())
        with open(capture["file"], "rb") as file:
            expected = (capture["status"], file.read())
        equal += all(ask(f"{at}/{stamp}id_/{capture['url']}") == expected for at in (f"{pywb}/c", f"{replay}/web"))
    print(f"raw: {equal} of {len(given)} captures are byte-equal to what was captured, from both")


def negotiate(main, url):
    client = MementoClient(timegate_uri=f"{main}/timegate/", check_native_timegate=False)
    for year, expected in [(2010, 2024), (2024, 2024), (2025, 2025), (2030, 2026)]:
        found = client.get_memento_info(url, datetime.datetime(year, 6, 1))["mementos"]
        assert found["closest"]["datetime"].year == expected and found["closest"]["http_status_code"] == 200, found
        assert (found["first"]["datetime"].year, found["last"]["datetime"].year) == (2024, 2026), found
    print("memento-client: 4 of 4 times were negotiated")


def main():
    kuai, root = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    live = http.server.ThreadingHTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
    live.RequestHandlerClass.log_message = lambda *_: None
    threading.Thread(target=live.serve_forever, daemon=True).start()
    original = f"http://127.0.0.1:{live.server_port}/"
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        given = list(captures(root, folder))
        # memento-client insists on asking the original first, so it is one that answers.
        for year in (2024, 2025, 2026):
            with open(f"own-{year}", "w") as file:
                file.write(f"<p>{year}")
        own = [{"url": original, "time": f"{year}-06-01T00:00:00Z", "file": f"own-{year}"} for year in (2024, 2025, 2026)]
        with open("list.jsonl", "w") as file:
            file.writelines(json.dumps(capture) + "\n" for capture in given + own)
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        subprocess.check_call([kuai, "put", "--archive", "a", "--list", "list.jsonl", "--quiet"], **quiet)
        subprocess.check_call([kuai, "export", "--archive", "a", "-o", "all.warc.gz", "--quiet"])
        subprocess.check_call(["wb-manager", "init", "c"], **quiet)
        subprocess.check_call(["wb-manager", "add", "c", "all.warc.gz"], **quiet)
        ports = [free_port() for _ in range(3)]
        pywb, main_side, replay = (f"http://127.0.0.1:{port}" for port in ports)
        servers = [
            subprocess.Popen(["wayback", "-p", str(ports[0]), "-b", "127.0.0.1"], **quiet),
            subprocess.Popen([kuai, "serve", "--archive", "a", "--listen", main_side[7:], "--replay-listen", replay[7:]], **quiet),
        ]
        try:
            wait_for(pywb)
            wait_for(main_side)
            compare(pywb, main_side, replay, given)
            negotiate(main_side, original)
        finally:
            for server in servers:
                server.terminate()
                server.wait()


main()
