#!/usr/bin/env bash
# Installs the engines, validators and test runners of `npm run test:engines` into a folder: `scripts/engine-tools.sh <folder> > tools.env`.
# Prints a line `NAME=path` for each, to be sourced. Each is tried separately, with a time limit. One that cannot be installed is left out,
# with a message on stderr, and its tests are skipped. The installers' output goes to `<folder>/<program>.log`. Exits with 0 even if some
# fail.
set -uo pipefail
folder=${1:?usage: scripts/engine-tools.sh <folder>}
mkdir -p "$folder/bin" || exit 70
folder=$(cd "$folder" && pwd) || exit 70
each=${TRIBUTARY_TOOL_LIMIT:-180} # seconds; act is compiled, which takes a machine of two cores a hundred
all=${TRIBUTARY_TOOLS_LIMIT:-300}
trap 'kill "$child" 2> /dev/null; exit 130' INT
trap 'kill "$child" 2> /dev/null; exit 143' TERM

# In the background, because bash handles signals only between commands and during `wait`.
child=
limited() {
  local left=$((all - SECONDS))
  [ "$left" -gt 0 ] || { echo "no time is left"; return 1; }
  if command -v timeout > /dev/null; then timeout --kill-after=10s "$((left < each ? left : each))" "$@" & else "$@" & fi
  child=$!
  wait "$child"
}

# <NAME> <program> <how…>: installs the program into <folder>/bin, or leaves it out.
provide() {
  local name=$1 program=$2
  shift 2
  if "$@" > "$folder/$program.log" 2>&1 && [ -x "$folder/bin/$program" ]; then
    printf '%s=%q\n' "$name" "$folder/bin/$program"
  else
    local reason
    reason=$(tail -n 1 "$folder/$program.log")
    echo "$program is left out: ${reason:-its installation took too long, or said nothing}" >&2
  fi
}

by_go() { # <program> <package@version> <what Go calls the program>
  GOBIN="$folder/go" limited go install "$2" && mv "$folder/go/$3" "$folder/bin/$1"
}

by_npm() { # <package> <version>; each in a folder of its own
  limited npm install --prefix "$folder/npm/$1" --no-save --no-audit --no-fund --loglevel=error "$1@$2" || return 1
  ln -sf "$folder/npm/$1/node_modules/.bin/$1" "$folder/bin/$1"
}

by_npm_node() { # <program> <version>
  limited npm install --prefix "$folder/npm/$1" --no-save --no-audit --no-fund --loglevel=error "node@$2" || return 1
  ln -sf "$folder/npm/$1/node_modules/node/bin/node" "$folder/bin/$1" && "$folder/bin/$1" --version
}

by_pip() { # <package> <version>
  limited python3 -m venv "$folder/venv" && limited "$folder/venv/bin/pip" install --quiet "$1==$2" || return 1
  ln -sf "$folder/venv/bin/$1" "$folder/bin/$1"
}

by_pip_library() { # <program> <package> <version>; the program is a Python that has the library
  limited python3 -m venv "$folder/venv" && limited "$folder/venv/bin/pip" install --quiet "$2==$3" || return 1
  # Not a link: Python finds its libraries by the folder in which it was started.
  printf '#!/bin/sh\nexec %q "$@"\n' "$folder/venv/bin/python3" > "$folder/bin/$1" && chmod +x "$folder/bin/$1"
}

# gitlab-ci-local copies with rsync and looks for it beside itself too. Where a machine has none, Debian's is unpacked there, with the one
# library that it needs and a small machine lacks; nothing is installed.
unpack_rsync() {
  command -v rsync > /dev/null && return
  (cd "$folder" && limited apt-get download rsync libpopt0) || return 1
  local package
  for package in "$folder"/rsync_*.deb "$folder"/libpopt0_*.deb; do dpkg-deb -x "$package" "$folder/debian" || return 1; done
  local library
  library=$(echo "$folder"/debian/usr/lib/*)
  # shellcheck disable=SC2016
  printf '#!/bin/sh\nLD_LIBRARY_PATH=%q exec %q "$@"\n' "$library" "$folder/debian/usr/bin/rsync" > "$folder/bin/rsync"
  chmod +x "$folder/bin/rsync" && "$folder/bin/rsync" --version
}

provide ACT act by_go act github.com/nektos/act@v0.2.89 act
provide ACTIONLINT actionlint by_go actionlint github.com/rhysd/actionlint/cmd/actionlint@v1.7.12 actionlint
provide CHECK_JSONSCHEMA check-jsonschema by_pip check-jsonschema 0.39.0
provide OPENMETRICS_PYTHON openmetrics-python by_pip_library openmetrics-python prometheus-client 0.26.0
unpack_rsync > "$folder/rsync.log" 2>&1 || echo "rsync is left out, and with it the tests of gitlab-ci-local" >&2
provide GITLAB_CI_LOCAL gitlab-ci-local by_npm gitlab-ci-local 4.64.1
# Newer versions need a newer Go.
provide BUILDKITE_AGENT buildkite-agent by_go buildkite-agent github.com/buildkite/agent/v3@v3.62.0 agent
provide NPM_GROOVY_LINT npm-groovy-lint by_npm npm-groovy-lint 15.2.2
provide TURBOREPO_REMOTE_CACHE turborepo-remote-cache by_npm turborepo-remote-cache 2.12.0
# Test runners. Playwright needs no browser for tests that open no page.
provide VITEST vitest by_npm vitest 3.2.4
provide PLAYWRIGHT playwright by_npm playwright 1.56.0
provide MOCHA mocha by_npm mocha 11.8.0
# The versions of Node on which the packed tools are tried, beside the one that runs the tests.
provide NODE_22 node-22 by_npm_node node-22 22.23.3
provide NODE_24 node-24 by_npm_node node-24 24.21.0
