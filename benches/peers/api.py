"""The server's API under Schemathesis: whatever is asked by its own OpenAPI description, no answer is a server error and each is as described (`just api-peers`).

    python3 benches/peers/api.py KUAI [MAX-EXAMPLES]

Two pages of two versions each are served on loopback, with a token that may collect but reach no private address.
"""

import os
import re
import subprocess
import sys
import tempfile

CHECKS = "not_a_server_error,response_schema_conformance,content_type_conformance,status_code_conformance"
PAGE = "<title>{title}</title><ul><li><a href=/>Home</a></ul><h1>{title}</h1><p>{text} It goes on for a sentence or two, so that it is a text.</p>"


def put(kuai, archive, folder):
    for number, (url, time, text) in enumerate([
        ("http://e.org/", "2026-01-01T00:00:00Z", "The first version of the first page."),
        ("http://e.org/", "2026-02-01T00:00:00Z", "The second version of the first page."),
        ("http://e.org/other", "2026-01-02T00:00:00Z", "The other page as it was."),
        ("http://e.org/other", "2026-03-02T00:00:00Z", "The other page as it is."),
    ]):
        file = os.path.join(folder, f"{number}.html")
        with open(file, "w", encoding="utf-8") as page:
            page.write(PAGE.format(title=f"Page {number}", text=text))
        subprocess.run([kuai, "put", "--archive", archive, "--url", url, "--time", time, file], check=True, capture_output=True)


def serve(kuai, archive, access):
    command = [kuai, "serve", "--archive", archive, "--listen", "127.0.0.1:0", "--access", access]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    return server, re.match(r"(http://\S+)/", server.stdout.readline()).group(1)


def main():
    kuai, examples = os.path.abspath(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "50"
    with tempfile.TemporaryDirectory() as folder:
        archive, access = os.path.join(folder, "archive"), os.path.join(folder, "access.txt")
        put(kuai, archive, folder)
        made = subprocess.run([kuai, "serve", "token", "--name", "schemathesis", "--role", "collect"], check=True, capture_output=True, text=True)
        with open(access, "w", encoding="utf-8") as lines:
            lines.write(made.stdout)
        token = made.stderr.strip().rsplit(" ", 1)[1]
        server, address = serve(kuai, archive, access)
        try:
            run = subprocess.run([
                sys.executable, "-m", "schemathesis.cli", "run", f"{address}/api/v1/openapi.json", "--header", f"Authorization: Bearer {token}",
                "--checks", CHECKS, "--max-examples", examples, "--continue-on-failure", "--no-color", "--generation-database", "none",
                "--suppress-health-check", "all", "--request-timeout", "30",
            ], cwd=folder)
            # The server is still there, and has answered nothing with 5xx but that it is busy.
            print(subprocess.run(["curl", "-s", "-H", f"Authorization: Bearer {token}", f"{address}/metrics"], capture_output=True, text=True)
                  .stdout.count('status="5'), "kinds of server errors in /metrics")
        finally:
            server.terminate()
            server.wait()
        sys.exit(run.returncode)


if __name__ == "__main__":
    main()
