# `just` lists the tasks; `just check` is what CI runs.

_default:
    @just --list --unsorted

# Everything that must hold before a change lands.
check:
    ./check

# Quick feedback while working.
test *ARGS:
    cargo nextest run --workspace {{ARGS}}

# Rewrite golden files; read the diff before committing it.
bless:
    KUAI_BLESS=1 cargo nextest run --workspace golden
    git diff --stat

# Raise the floors under the methods' scores on our own pages; read the diff before committing it.
floors:
    KUAI_BLESS=1 cargo nextest run -p kuai-eval --test floors
    git diff --stat crates/eval/floors.toml

# Speed and memory, printed as ratios against peers in the same run (needs KUAI_DATA).
bench:
    python3 -m pip install --quiet selectolax resiliparse || true
    cargo run --release -p kuai-benches --bin parsers
    cargo run --release -p kuai-benches --bin speed
    cargo run --release -p kuai-benches --bin stages
    cargo run --release -p kuai-benches --bin memory
    cargo run --release -p kuai-benches --bin site_models

# Site models on real series of pages: each page of a host teaches in turn, beside the default method (needs KUAI_DATA). To be fair to both, give
# `--default-texts DIR` with what the default method says of hosts it has not seen; `training/extract.py --texts DIR` writes it.
series *ARGS:
    cargo run --release -p kuai-app -- eval --series {{ARGS}}

# Main text beside that of other extractors, quality and CPU time, on the same pages (needs KUAI_DATA, PyPI and crates.io).
peers *ARGS:
    cargo build --release -p kuai-app
    python3 -m pip install --quiet numpy orjson
    python3 benches/peers/extract.py {{ARGS}}

# Our WARC reader beside warcio and fastwarc on sound and broken files (needs PyPI and wget).
warc-peers:
    python3 -m pip install --quiet warcio fastwarc pywb
    cargo build --release -p kuai-warc --example list
    python3 benches/peers/warc.py target/release/examples/list

# What wget crawled, through an archive and out again, judged by warcio, wacz, cdxj-indexer and pywb, and in Chromium (needs PyPI, wget and chromium).
exchange-peers:
    python3 -m pip install --quiet warcio wacz cdxj-indexer pywb pillow
    cargo build --release -p kuai-app
    python3 benches/peers/exchange.py target/release/kuai --browser

# Speed and memory of imports, or, with --kills N, what kill -9 leaves of one.
import-bench *ARGS:
    cargo build --release -p kuai-app
    cargo build --release -p kuai-warc --example synthesize
    python3 benches/peers/import.py target/release/kuai target/release/examples/synthesize {{ARGS}}

# The server beside pywb and memento-client on the same captures (needs PyPI and a folder of pages).
serve-peers FOLDER:
    python3 -m pip install --quiet pywb memento-client setuptools
    cargo build --release -p kuai-app
    python3 benches/peers/cdx.py target/release/kuai {{FOLDER}}

# The server's API under Schemathesis: no answer is a server error, and each is as its OpenAPI description says (needs PyPI and curl).
api-peers EXAMPLES="50":
    python3 -m pip install --quiet schemathesis
    cargo build --release -p kuai-app
    python3 benches/peers/api.py target/release/kuai {{EXAMPLES}}

# Every page of the server on the demo's archive, in light and dark, wide and narrow, as pictures: `just screenshots /tmp/shots` (needs chromium).
screenshots FOLDER:
    KUAI_SCREENSHOTS={{absolute_path(FOLDER)}} cargo nextest run -p kuai-serve -E 'test(screenshots)' --no-capture

# How fast every page of the server is on 100,000 versions, and how many raw bytes it replays a second (needs KUAI_DATA).
serve-load *ARGS:
    cargo build --release -p kuai-app
    cargo run --release -p kuai-benches --bin serve_load -- target/release/kuai {{ARGS}}

# CPU time of fetching a page on loopback, beside a bare socket and reqwest.
fetch:
    cargo run --release -p kuai-benches --bin fetch

# Instructions a byte of every method as pages grow (needs valgrind).
growth:
    cargo run --release -p kuai-benches --bin growth

# Size and speed of the archive on the page histories, beside WARC.gz, git and zstd patch chains (needs KUAI_DATA).
archive:
    python3 -m pip install --quiet warcio zstandard
    cargo run --release -p kuai-benches --bin archive

# The time of a commit at 10^3 to 10^6 versions, and a history of 10,000 (needs KUAI_DATA).
archive-growth VERSIONS="1000000":
    cargo run --release -p kuai-benches --bin archive_growth -- {{VERSIONS}}

# Do watches ring for changes of content, once, and stay silent for changes that no reader sees? (needs KUAI_DATA)
watch-truth *ARGS:
    cargo run --release -p kuai-benches --bin watch_truth -- {{ARGS}}

# Are changes of content told from changes that no reader sees? (needs KUAI_DATA)
changes:
    cargo run --release -p kuai-benches --bin changes

# Freshness and wasted visits of coming back when it pays, beside fixed intervals, on simulated pages.
revisit:
    cargo run --release -p kuai-benches --bin revisit

# Crawls by topic on the local web: harvest and recall of four strategies, a table and a plot (needs the packages in /tmp/localweb).
topics *ARGS:
    cargo run --release -p kuai-benches --bin topics -- {{ARGS}}

# Kills a writing process again and again and reads everything back (needs KUAI_DATA).
crash KILLS="200":
    cargo run --release -p kuai-benches --bin crash -- {{KILLS}}

# Debian's documentation as sites on loopback, until Ctrl-C (scripts/local-web fetches it): `just web --port 8800`.
web *ARGS:
    cargo run --release -p kuai-benches --bin web -- {{ARGS}}

# `kuai collect` on the local web: cost beside wget and Scrapy, and every page compared with its file (needs scripts/local-web).
collect-bench *ARGS:
    cargo build --release -p kuai-app -p kuai-benches --bin kuai --bin web
    python3 -m pip install --quiet scrapy || true
    cargo run --release -p kuai-benches --bin collect -- {{ARGS}}

# Workers killed and frozen, Postgres restarted and cut off, an object store that refuses and stalls: what comes of it on a shared archive; how workers
# scale, and what a page costs (needs scripts/local-web; installs Postgres and moto).
shared-faults *SCENARIOS:
    cargo build --release -p kuai-app -p kuai-benches --bin kuai --bin web
    KUAI_TEST_DURABLE=1 scripts/shared-servers python3 benches/shared/faults.py target/release {{SCENARIOS}}

# Commits and claims a second on a shared archive, beside the embedded one (needs scripts/local-web; installs Postgres).
shared-bench *ARGS:
    cargo build --release -p kuai-benches --bin shared_bench
    KUAI_TEST_DURABLE=1 scripts/shared-servers target/release/shared_bench {{ARGS}}

# What an address costs the frontier at ten thousand to ten million addresses.
frontier ADDRESSES="10000000":
    cargo run --release -p kuai-benches --bin frontier -- {{ADDRESSES}}

# Kills a crawl with -9 at random moments; what comes of it must be as if nothing had happened (needs scripts/local-web).
kills KILLS="20" *ARGS:
    cargo build --release -p kuai-app -p kuai-benches --bin kuai --bin web
    cargo run --release -p kuai-benches --bin kills -- {{KILLS}} {{ARGS}}

# Fills the disk under a crawl and makes room again (needs scripts/local-web, and Linux).
full-disk *ARGS:
    cargo build --release -p kuai-app -p kuai-benches --bin kuai --bin web
    cargo run --release -p kuai-benches --bin full_disk -- {{ARGS}}

# Does search tell the truth about time? `when` and `--at` against the bytes of the page histories (needs KUAI_DATA).
search-truth:
    cargo run --release -p kuai-benches --bin search_truth

# Kills `kuai index` with -9 at random moments; the index must be as if nothing had happened (needs KUAI_DATA).
search-kills KILLS="50":
    cargo build --release -p kuai-app -p kuai-benches --bin kuai --bin search_kills
    cargo run --release -p kuai-benches --bin search_kills -- target/release/kuai {{KILLS}}

# Known-item queries: main content beside whole pages (needs KUAI_DATA).
search-relevance *ARGS:
    cargo run --release -p kuai-benches --bin search_relevance -- {{ARGS}}

# A million blocks: speed of indexing, size, and how long queries take (needs scripts/local-web).
search-speed BLOCKS="1000000":
    cargo run --release -p kuai-benches --bin search_speed -- {{BLOCKS}}

# html5lib conformance, ours and html5ever's (needs KUAI_DATA).
html5lib *ARGS:
    cargo run --release -p kuai-benches --bin html5lib -- {{ARGS}}

# Our trees and html5ever's on every page of the data sets (needs KUAI_DATA).
same-tree *FOLDERS:
    cargo run --release -p kuai-benches --bin same_tree -- {{FOLDERS}}

# Random markup into our parser and html5ever's for some seconds: `just differ 3600`.
differ SECONDS="600" SEED="1":
    cargo run --release -p kuai-benches --bin differ -- {{SECONDS}} {{SEED}}

# Cut and rebuild every page of the data sets (needs KUAI_DATA).
sweep:
    cargo run --release -p kuai-benches --bin sweep

# Charsets of the data sets and the html5lib encoding tests (needs KUAI_DATA).
charsets:
    cargo run --release -p kuai-benches --bin charsets

# Estimated boxes against Chromium's (needs KUAI_DATA and chromium).
boxes MEASURED="/tmp/kuai-boxes":
    python3 -m pip install --quiet websocket-client
    python3 benches/boxes/measure.py "$KUAI_DATA/segment/pages" {{MEASURED}}
    cargo run --release -p kuai-benches --bin boxes -- {{MEASURED}}

# Fuzz a target for some seconds: `just fuzz page 600`.
fuzz TARGET SECONDS="600":
    mkdir -p fuzz/corpus/{{TARGET}}
    cd fuzz && RUSTC_BOOTSTRAP=1 cargo fuzz run {{TARGET}} corpus/{{TARGET}} ../crates/eval/pages -- -max_total_time={{SECONDS}} -max_len=65536 -timeout=10
