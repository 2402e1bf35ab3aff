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
    cargo run --release -p kuai-benches --bin speed
    cargo run --release -p kuai-benches --bin stages
    cargo run --release -p kuai-benches --bin memory

# Instructions a byte of every method as pages grow (needs valgrind).
growth:
    cargo run --release -p kuai-benches --bin growth

# html5lib conformance, ours and html5ever's (needs KUAI_DATA).
html5lib *ARGS:
    cargo run --release -p kuai-benches --bin html5lib -- {{ARGS}}

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
