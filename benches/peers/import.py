"""How fast `kuai import` is, how much memory it takes, and whether one that was killed ends as one that was not.

cargo build --release -p kuai-app; cargo build --release -p kuai-warc --example synthesize
python3 benches/peers/import.py target/release/kuai target/release/examples/synthesize [--megabytes N] [--kills N] [--pages FOLDER]...

Makes a WARC file of so many unpacked megabytes (real pages below the folders, or made-up ones), imports it with and without cutting pages, and tells
unpacked bytes a second of processor time, and the most memory. `gzip -dc` of the same file is timed beside it, because machines differ and are
shared. With --kills an import is killed with -9 at random moments and started again, and must end with the same answers as an undisturbed one.
"""
import argparse, json, os, pathlib, random, re, shutil, subprocess, sys, tempfile, time


def timed(*command):
    """Processor seconds, seconds, and the most memory in MB."""
    begin = time.monotonic()
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{command[0]} failed: {process.stderr.read().decode()[-500:]}")
    return usage.ru_utime + usage.ru_stime, time.monotonic() - begin, usage.ru_maxrss / 1000


def measure(kuai, file, unpacked, folder):
    cpu, *_ = timed("gzip", "-dc", file)
    print(f"gzip -dc: {unpacked / 1e6 / cpu:.0f} MB/s of processor time")
    for flags in (["--whole"], []):
        archive = folder / "measured"
        cpu, wall, memory = timed(kuai, "-q", "import", "--archive", archive, *flags, file)
        stored = sum(path.stat().st_size for path in archive.iterdir())
        print(f"import {' '.join(flags)}: {unpacked / 1e6 / cpu:.1f} MB/s of processor time, {unpacked / 1e6 / wall:.1f} MB/s in all, "
              f"{memory:.0f} MB of memory at most; {stored / 1e6:.0f} MB stored")
        shutil.rmtree(archive)


def holdings(kuai, archive):
    """What an archive holds, whatever the order in which addresses came in."""
    out = archive.with_suffix(".warc")
    subprocess.run([kuai, "-q", "export", "--archive", archive, "-o", out], check=True)
    blocks = []
    with open(out, "rb") as file:
        while line := file.readline():
            if not line.startswith(b"WARC/"):
                continue
            fields = {}
            while (line := file.readline().strip()):
                name, _, value = line.partition(b": ")
                fields[name] = value
            block = file.read(int(fields[b"Content-Length"]))
            # Which of two answers refers to the other depends on the order in which they came in.
            head = block.partition(b"\r\n\r\n")[0]
            digest = fields.get(b"WARC-Payload-Digest", b"")
            blocks.append((fields.get(b"WARC-Target-URI", b""), fields[b"WARC-Date"] if digest else b"", head, digest))
    out.unlink()
    stats = json.loads(subprocess.run([kuai, "stats", "--archive", archive, "--json"], check=True, capture_output=True).stdout)
    return sorted(blocks), {name: stats[name] for name in ("urls", "versions", "captures", "blocks") if name in stats}


def kills(kuai, file, folder, count):
    expected, killed = folder / "expected", folder / "killed"
    begin = time.monotonic()
    timed(kuai, "-q", "import", "--archive", expected, file)
    whole = time.monotonic() - begin
    chance, done = random.Random(7), 0
    while done < count:
        process = subprocess.Popen([kuai, "-q", "import", "--archive", killed, file], stderr=subprocess.DEVNULL)
        time.sleep(chance.uniform(0.02, max(0.1, 2 * whole / count)))
        if process.poll() is not None:
            break
        process.kill()
        process.wait()
        done += 1
    timed(kuai, "-q", "import", "--archive", killed, file)
    is_same = holdings(kuai, expected) == holdings(kuai, killed)
    verified = subprocess.run([kuai, "-q", "verify", "--archive", killed]).returncode == 0
    print(f"killed {done} times: {'the same as undisturbed' if is_same else 'DIFFERENT'}; {'verified' if verified else 'DAMAGED'}")
    return is_same and verified


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kuai", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("synthesize", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--megabytes", type=int, default=300)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--pages", action="append", default=[])
    arguments = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="kuai-import-"))
    file = folder / "synthetic.warc.gz"
    told = subprocess.run([arguments.synthesize, str(arguments.megabytes), file, *arguments.pages], check=True, capture_output=True, text=True).stdout
    unpacked = int(re.search(r"(\d+) bytes unpacked", told)[1])
    print(f"{told.strip()}, {file.stat().st_size} packed")
    is_good = True
    if arguments.kills:
        is_good = kills(arguments.kuai, file, folder, arguments.kills)
    else:
        measure(arguments.kuai, file, unpacked, folder)
    shutil.rmtree(folder)
    sys.exit(0 if is_good else 1)


main()
