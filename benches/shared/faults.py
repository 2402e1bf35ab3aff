"""What many workers leave on one archive, also when they, Postgres or the object store fail: nothing lost, nothing double, nothing out of order. And how
fast they are together, and what a page costs.

`KUAI_TEST_DURABLE=1 scripts/shared-servers python3 benches/shared/faults.py TARGET [SCENARIO...]`, where TARGET is the folder with `kuai` and `web`. An undisturbed crawl
of the local web into a folder says what is expected; it is copied into Postgres by `kuai copy`, so that one question compares the two. Every
scenario prints what it did. Needs the packages of scripts/local-web.
"""

import functools
import os
import random
import resource
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

TARGET = Path(sys.argv[1])
POSTGRES = os.environ["KUAI_TEST_POSTGRES"]
BIN = Path(os.environ["KUAI_TEST_POSTGRES_BIN"])
DATA = os.environ["KUAI_TEST_POSTGRES_DATA"]
SETTINGS = os.environ["KUAI_TEST_POSTGRES_SETTINGS"]
SITES = os.environ.get("KUAI_SITES", "postgresql-doc python-doc gimp-help").split()
CRAWL_MAX = 900
KILLS = 50
LEASE = 3

scratch = Path(tempfile.mkdtemp(prefix="kuai-faults."))
faults = 0


def say(text):
    print(text, flush=True)


def fail(text):
    global faults
    faults += 1
    say(f"  FAULT {text}")


def psql(query):
    command = [BIN / "psql", "-X", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", POSTGRES, "-c", query]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def kuai(*arguments, **options):
    return subprocess.run([TARGET / "kuai", *arguments], check=True, capture_output=True, text=True, **options).stdout


def processor_seconds(pid):
    """Processor time of a server and of its children, those that have ended included."""
    total = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(stat.parent.name) == pid:
            total += sum(map(int, fields[11:15]))
        elif int(fields[1]) == pid:
            total += sum(map(int, fields[11:13]))
    return total / os.sysconf("SC_CLK_TCK")


class Spent:
    """Processor time since it was made: of workers that have ended, of Postgres, and of the S3 server if there is one."""

    def __init__(self):
        servers = Path(f"/proc/{os.getppid()}/task/{os.getppid()}/children").read_text().split()
        moto = [int(pid) for pid in servers if b"moto" in Path(f"/proc/{pid}/cmdline").read_bytes()]
        self.servers = {"Postgres": int((Path(DATA) / "postmaster.pid").read_text().split()[0])}
        self.servers |= {"the object store": pid for pid in moto}
        self.before = self.now()

    def now(self):
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return {"workers": used.ru_utime + used.ru_stime} | {name: processor_seconds(pid) for name, pid in self.servers.items()}

    def seconds(self):
        return {name: seconds - self.before[name] for name, seconds in self.now().items()}


class Web:
    """The local web, with a log of what it was asked for; or folders, each on a host of its own."""

    def __init__(self, delay=0, folders=None):
        self.log = scratch / f"requests-{time.monotonic_ns()}"
        self.names = list(folders or SITES)
        command = [TARGET / "web", "--port", "0", "--with-parent", "--log", self.log, "--delay", str(delay)]
        command += [f"--site={name}={folder}" for name, folder in (folders or {}).items()]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.starts = {}
        for line in self.process.stdout:
            name, _, address = line.strip().partition(" ")
            if "http://" in address:
                self.starts[name] = address.strip().split()[-1]
            if set(self.names) <= set(self.starts):
                break

    def seeds(self):
        return [self.starts[name] for name in self.names]

    def requests(self):
        """Time in seconds and host of each request for a page."""
        lines = (line.split(" ") for line in self.log.read_text().splitlines())
        return [(int(line[0]) / 1e6, line[1]) for line in lines if len(line) > 3 and not line[2].startswith("/robots.txt")]

    def check_polite(self, pause, seen=0):
        """No host was asked sooner than so many seconds after the request before; from the `seen`-th line of the log on."""
        last, shortest, requests = {}, float("inf"), self.requests()[seen:]
        for moment, host in sorted(requests):
            shortest = min(shortest, moment - last.get(host, float("-inf")))
            last[host] = moment
        if shortest < pause:
            fail("a host was asked too soon, or by two workers at once")
        return f"{len(requests)} requests to {len(last)} hosts, the shortest pause of a host {shortest * 1000:.0f} ms"

    def end(self):
        self.process.kill()
        self.process.wait()


class Archive:
    """A shared archive in a schema of its own."""

    def __init__(self, name, objects=None, lease=LEASE):
        psql(f"DROP SCHEMA IF EXISTS {name} CASCADE")
        self.name = name
        objects = objects or scratch / f"objects-{name}"
        self.place = f"{POSTGRES}?schema={name}&lease={lease}&objects={objects}"

    def captures(self):
        return int(psql(f"SELECT entry_count FROM {self.name}.state"))

    def objects(self):
        return int(psql(f"SELECT count(*) FROM {self.name}.object"))

    def check_same(self, expected):
        """Compares addresses, statuses and bodies; each once, and the feed without gaps."""
        columns = "url, number, status, hash"
        for sign, told in ((expected.name, self.name), "lost"), ((self.name, expected.name), "too much or double"):
            difference = psql(f"SELECT {columns} FROM {sign[0]}.versions EXCEPT SELECT {columns} FROM {sign[1]}.versions LIMIT 5")
            if difference:
                fail(f"{told}: {difference}")
        gaps = psql(f"SELECT count(*) <> coalesce(max(sequence), 0) OR count(*) <> (SELECT entry_count FROM {self.name}.state) FROM {self.name}.entry")
        if gaps != "f":
            fail("the change feed has gaps")
        verified = subprocess.run([TARGET / "kuai", "verify", "--quiet", "--archive", self.place], capture_output=True, text=True)
        if verified.returncode != 0:
            fail(f"verify: {verified.stdout} {verified.stderr}")
        say(f"  {self.captures()} captures; {verified.stdout.strip().splitlines()[-1] if verified.stdout else ''}")


class Workers:
    """Processes that work on one crawl."""

    def __init__(self, archive, web, count, *arguments, environment=None):
        self.archive, self.web, self.arguments = archive, web, arguments
        self.environment = {**os.environ, **(environment or {})}
        self.refused = 0
        self.running = [self.start() for _ in range(count)]

    def start(self):
        # A worker that comes back when the others are done has nothing to do.
        command = [TARGET / "kuai", "collect", *self.web.seeds(), "--once", "--allow-private", "--quiet", "--connections", "8", *self.arguments]
        errors = open(scratch / f"worker-{time.monotonic_ns()}.log", "w+")
        process = subprocess.Popen([*command, "--archive", self.archive.place], stdout=subprocess.DEVNULL, stderr=errors, env=self.environment)
        process.errors = errors
        return process

    def replace(self, worker):
        self.running[self.running.index(worker)] = self.start()

    def alive(self):
        return [worker for worker in self.running if worker.poll() is None]

    def finish(self):
        """Waits for all; one that failed with a reason that passes is started again, as whoever supervises them would."""
        deadline = time.monotonic() + CRAWL_MAX
        while self.alive() or any(worker.returncode not in (0, 1) for worker in self.running):
            for worker in self.running:
                if worker.poll() not in (None, 0, 1):
                    worker.errors.seek(0)
                    say(f"  a worker ended: {worker.errors.read().strip()[-300:]}")
                    self.refused += 1
                    self.replace(worker)
            if time.monotonic() > deadline:
                fail("the crawl does not end")
                [worker.kill() for worker in self.alive()]
                return
            time.sleep(0.05)


def expected(web):
    """What one worker collects into a folder, as a schema to compare with."""
    folder = scratch / "undisturbed"
    began = time.monotonic()
    kuai("collect", *web.seeds(), "--allow-private", "--quiet", "--delay", "0", "--connections", "8", "--archive", folder)
    say(f"undisturbed, one worker, a folder: {time.monotonic() - began:.1f} s")
    archive = Archive("expected")
    told = kuai("copy", folder, archive.place)
    say(f"kuai copy: {told.strip()}; {kuai('verify', '--quiet', '--archive', folder, '--against', archive.place).strip()}")
    back = scratch / "back"
    told = kuai("copy", archive.place, back)
    say(f"and back: {told.strip()}; {kuai('verify', '--quiet', '--archive', folder, '--against', back).strip()}")
    return archive


def workers(web, known):
    """One, two and four workers: the same archive."""
    for count in (1, 2, 4):
        archive = Archive(f"workers_{count}")
        began = time.monotonic()
        Workers(archive, web, count, "--delay", "0").finish()
        say(f"{count} workers: {time.monotonic() - began:.1f} s, {archive.objects()} objects")
        archive.check_same(known())


def again(web, _known):
    """A second crawl of pages that did not change: as few objects as the first."""
    archive = Archive("again")
    command = ["collect", *web.seeds(), "--allow-private", "--quiet", "--delay", "0", "--connections", "8", "--archive", archive.place]
    told = []
    for _ in range(2):
        before = archive.objects() if told else 0
        kuai(*command)
        told.append(archive.objects() - before)
    say(f"{archive.captures()} captures in two crawls, objects {told}")
    if told[1] > 2 * told[0]:
        fail("known pages are not gathered")


def scaling(_web, _known):
    """Workers that wait for slow hosts instead of using the cores up: the more there are, the sooner it is done."""
    hosts, pages, delay, answer = 64, 8, 0.1, 0.8
    folders = {f"site-{number}": small_site(number, pages) for number in range(hosts)}
    web, first, known, seen = Web(delay=int(answer * 1000), folders=folders), None, None, 0
    for count in (1, 2, 4):
        archive, spent = Archive(f"scaling_{count}"), Spent()
        began = time.monotonic()
        Workers(archive, web, count, "--delay", str(delay), "--depth", "1").finish()
        seconds = time.monotonic() - began
        first, known = first or seconds, known or archive
        cores = sum(spent.seconds().values()) / seconds
        # Requests are in the log when they are answered, so two that overlap stand closer than an answer takes.
        say(f"{count} workers of 8 connections: {seconds:.1f} s, {first / seconds:.2f} times as fast as one, {cores:.2f} cores; {web.check_polite(delay + answer, seen)}")
        seen = len(web.requests())
        archive.check_same(known)
    web.end()


def small_site(number, pages):
    """Some real pages, and one that leads to them."""
    folder = scratch / f"site-{number}"
    folder.mkdir()
    source = next(Path("/tmp/localweb/postgresql-doc-15").rglob("html"))
    chosen = sorted(source.glob("*.html"))[number :: 40][:pages]
    for page in chosen:
        shutil.copy(page, folder / f"page-{page.name}")
    links = "".join(f"<li><a href='page-{page.name}'>{page.stem}</a></li>" for page in chosen)
    (folder / "index.html").write_text(f"<title>Site {number}</title><h1>Pages</h1><ul>{links}</ul>")
    return folder


def cost(web, _known):
    """What a page costs one worker, Postgres and the object store; docs/deployment.md counts with it."""
    objects = f"{os.environ['KUAI_TEST_S3']}/cost-{time.time_ns()}" if "KUAI_TEST_S3" in os.environ else None
    archive, spent = Archive("cost", objects=objects), Spent()
    Workers(archive, web, 1, "--delay", "0").finish()
    count, objects = archive.captures(), archive.objects()
    for name, seconds in spent.seconds().items():
        say(f"{name}: {seconds / count * 1000:.2f} ms a page, {seconds / count * 1e6 / 3600:.2f} hours of a core for a million")
    body, stored = psql("SELECT avg(bytes)::bigint || ' ' || avg(stored)::bigint FROM cost.versions").split()
    say(f"{count} pages of {body} B, kept in {stored} B each; {objects} objects, {count / objects:.0f} pages in each")
    blocks = psql("SELECT avg(blocks)::numeric(9, 1) FROM cost.versions WHERE is_page")
    say(f"{blocks} blocks a page")
    sizes = psql(
        "SELECT string_agg(relname || ' ' || pg_total_relation_size(oid), ', ' ORDER BY pg_total_relation_size(oid) DESC) FROM pg_class"
        " WHERE relkind = 'r' AND relnamespace = 'cost'::regnamespace AND pg_total_relation_size(oid) > 100000"
    )
    say(f"bytes in Postgres, indexes included: {sizes}")


def politeness(_web, _known):
    """Four workers with a delay: no host is asked sooner than that after the last request."""
    web, delay = Web(delay=5), 0.1
    archive = Archive("politeness")
    Workers(archive, web, 4, "--delay", str(delay), "--depth", "1", "--max-pages", "400").finish()
    say(f"politeness, 4 workers, delay {delay} s: {web.check_polite(delay)}")
    web.end()


def kills(_web, known):
    """kill -9 of workers at random, fifty times."""
    web = Web(delay=60)  # slow enough that the crawl outlives the kills
    archive = Archive("kills")
    crew = Workers(archive, web, 4, "--delay", "0")
    count, chance = 0, random.Random(5)
    while count < KILLS and crew.alive():
        time.sleep(0.1 + chance.random() * 0.5)
        victim = chance.choice(crew.alive() or [None])
        if victim is None:
            break
        victim.kill()
        victim.wait()
        crew.replace(victim)
        count += 1
    crew.finish()
    say(f"kills: {count} workers killed")
    if count < KILLS:
        fail("the crawl ended before that")
    archive.check_same(renamed(known(), web))
    web.end()


def postgres(_web, known):
    """Postgres restarted, and its connections cut."""
    web = Web(delay=10)
    # A restart may take longer than the short lease of the other scenarios.
    archive = Archive("restarts", lease=60)
    crew = Workers(archive, web, 4, "--delay", "0")
    restarts = cuts = 0
    owner = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
    while crew.alive() and restarts < 3:
        for _ in range(5):
            time.sleep(0.5)
            cuts += int(psql("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name LIKE 'kuai%'"))
        mode = ("fast", "immediate")[restarts % 2]
        control = [*owner, BIN / "pg_ctl", "-D", DATA, "-w", "-m", mode, "-o", SETTINGS, "-l", f"{DATA}/log", "restart"]
        subprocess.run(control, check=True, capture_output=True, cwd="/")
        restarts += 1
    crew.finish()
    say(f"Postgres: {restarts} restarts, {cuts} connections cut, {crew.refused} workers started again")
    archive.check_same(renamed(known(), web))
    web.end()


class Proxy:
    """Between workers and the object store: passes on, refuses, or says nothing."""

    def __init__(self, port):
        self.target, self.mode = port, "pass"
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.counts = {"pass": 0, "refuse": 0, "stall": 0}
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            self.counts[self.mode] += 1
            if self.mode == "refuse":
                client.close()
            else:
                threading.Thread(target=self.carry, args=(client,), daemon=True).start()

    def carry(self, client):
        with client, socket.create_connection(("127.0.0.1", self.target)) as server:
            while True:
                for ready in select.select([client, server], [], [], 0.2)[0]:
                    while self.mode == "stall":
                        time.sleep(0.05)
                    try:
                        data = ready.recv(1 << 16)
                        (server if ready is client else client).sendall(data)
                    except OSError:
                        return
                    if not data or self.mode == "refuse":
                        return


def objects(_web, known):
    """An object store that refuses and stalls."""
    if "KUAI_TEST_S3" not in os.environ:
        return say("objects: SKIPPED, there is no S3 server")
    web = Web(delay=10)
    proxy = Proxy(int(os.environ["AWS_ENDPOINT_URL"].rsplit(":", 1)[1]))
    archive = Archive("stalls", objects=f"{os.environ['KUAI_TEST_S3']}/stalls-{time.time_ns()}")
    crew = Workers(archive, web, 4, "--delay", "0", environment={"AWS_ENDPOINT_URL": f"http://127.0.0.1:{proxy.port}"})
    while crew.alive() and proxy.counts["refuse"] < 40:
        for mode, seconds in ("pass", 1), ("refuse", 1), ("pass", 1), ("stall", 2):
            proxy.mode = mode
            time.sleep(seconds)
    proxy.mode = "pass"
    crew.finish()
    say(f"objects: connections {proxy.counts}, {crew.refused} workers started again")
    archive.check_same(renamed(known(), web))
    web.end()


def frozen(_web, known):
    """A worker that is stopped for longer than its lease and woken again."""
    web = Web(delay=20)
    archive = Archive("frozen")
    crew = Workers(archive, web, 3, "--delay", "0")
    for round in range(3):
        time.sleep(1)
        victim = (crew.alive() or [None])[0]
        if victim is None:
            break
        victim.send_signal(signal.SIGSTOP)
        time.sleep(LEASE * 2.5)
        taken = psql("SELECT count(*) FROM frozen.worker")
        victim.send_signal(signal.SIGCONT)
        say(f"  frozen for {LEASE * 2.5} s, {taken} workers left in the table meanwhile")
        time.sleep(1)
    crew.finish()
    say(f"frozen: {crew.refused} workers were refused and started again")
    archive.check_same(renamed(known(), web))
    web.end()


def renamed(known, web):
    """What is expected, under the port of another web."""
    name = "renamed"
    psql(f"DROP SCHEMA IF EXISTS {name} CASCADE; CREATE SCHEMA {name}")
    (old,) = {start.split("/")[2].split(":")[1] for start in main_web.seeds()}
    (new,) = {start.split("/")[2].split(":")[1] for start in web.seeds()}
    psql(f"CREATE VIEW {name}.versions AS SELECT replace(url, ':{old}/', ':{new}/') AS url, number, status, hash FROM {known.name}.versions")
    renamed = object.__new__(Archive)
    renamed.name = name
    return renamed


SCENARIOS = {run.__name__: run for run in (workers, scaling, again, cost, politeness, kills, postgres, objects, frozen)}

main_web = Web()
known = functools.cache(lambda: expected(main_web))
for name in sys.argv[2:] or SCENARIOS:
    say(f"== {name}: {SCENARIOS[name].__doc__}")
    SCENARIOS[name](main_web, known)
main_web.end()
subprocess.run(["rm", "-rf", scratch])
say("all is well" if faults == 0 else f"{faults} faults")
sys.exit(min(faults, 1))
