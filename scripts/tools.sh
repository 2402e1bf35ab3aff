# Sourced by ./check and ./kuai: finds or installs what a fresh Debian machine with rustup and git lacks.

have() { command -v "$1" >/dev/null 2>&1; }

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; elif have sudo; then sudo -n "$@"; else return 1; fi
}

# install_debian PACKAGE...: true if they are there afterwards.
install_debian() {
  have apt-get || return 1
  as_root apt-get install -y -qq "$@" >/dev/null 2>&1 && return
  as_root apt-get update -qq >/dev/null 2>&1 && as_root apt-get install -y -qq "$@" >/dev/null 2>&1
}

need_rust_and_c() {
  export PATH="$HOME/.cargo/bin:$HOME/.local/bin:$PATH"
  have cargo || { echo "cargo is missing: install Rust with rustup" >&2; exit 2; }
  have cc || install_debian build-essential || { echo "a C compiler is missing: install gcc (Debian: build-essential)" >&2; exit 2; }
}
