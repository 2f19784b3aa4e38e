#!/bin/sh
# The three jobs of a test plan on Buildkite: sh .buildkite/affected.sh plan | shard | gate. Copy it to .buildkite/affected.sh.
# Words that come from a branch, a title or a package are nowhere in it. What a team changes is marked with "Change".
# A command and its arguments, options and ids are several words each, so they stand without quotes.
# shellcheck disable=SC2086
set -eu

# How affected is started, in all jobs the same: by the command in AFFECTED. Without one, a job unpacks the package in the repository, which
# `npm pack` has made, into a temporary folder, and starts it with node. No registry is asked.
if [ -z "${AFFECTED:-}" ]; then
  tool=$(mktemp -d)
  trap 'rm -rf "$tool"' EXIT
  tar -xzf ci/affected.tgz -C "$tool"
fi
affected() {
  ${AFFECTED:-node "$tool/package/out/cli.cjs"} "$@"
}

# Change: how many agents there are; with --target-time 10m no more than it takes.
plan_options=${PLAN_OPTIONS:-"--max-shards 20"}
# Change: how long tests took, a file that all agents reach, such as one on a shared disk or in a cache volume. Without it the number of
# test files says.
timings=${AFFECTED_TIMINGS:-}
# Buildkite does not say what a branch was before a push, so on the default branch everything is tested. Where that is too much, this is the
# commit to compare with, such as the last one that passed.
# export AFFECTED_BASE_REVISION=
# Change: the queue of shards and gate. Without it, that of the job that makes the plan.
# export AFFECTED_QUEUE=linux-large
# Change: turborepo's remote cache. Its tokens come from the agent: see agent-environment.
# export TURBO_API=https://cache.acme.example TURBO_TEAM=acme

folder=.tributary
plan=$folder/plan.json
receipts=$folder/receipts

# Change: what your tests need.
install() {
  corepack enable
  yarn install --immutable
}

# Only what was merged fills turborepo's remote cache for others; everything else reads it.
choose_cache() {
  TURBO_CACHE=local:rw,remote:r
  if on_default_branch; then TURBO_CACHE=local:rw,remote:rw; fi
  export TURBO_CACHE
}

on_default_branch() {
  [ "${BUILDKITE_PULL_REQUEST:-false}" = false ] && [ "$BUILDKITE_BRANCH" = "$BUILDKITE_PIPELINE_DEFAULT_BRANCH" ]
}

# Shown on the page of the build. That it cannot be shown is no reason to fail.
show() {
  if [ -s "$folder/$1.md" ]; then buildkite-agent annotate --context "affected-$1" --style "$2" < "$folder/$1.md" || true; fi
}

# A plan can do without times, so a file that cannot be used is left out. Looked at in a copy: only the gate of the default branch writes to
# the shared one, and `timings collect` writes.
leave_out_broken_timings() {
  [ -f "$timings" ] || return 0
  copy=$folder/timings.json
  if cp "$timings" "$copy" && affected timings collect --into "$copy"; then
    timings=$copy
  else
    echo "Warning: $timings cannot be used, so the number of test files says how long tests take. Delete it: the next build of the default branch makes a new one." >&2
    timings=
  fi
}

make_plan() {
  rm -rf "$folder"
  mkdir -p "$folder"
  leave_out_broken_timings
  affected plan $plan_options ${timings:+--timings "$timings"} --out "$plan" --summary "$folder/plan.md"
  show plan info
  # The steps begin as soon as they are uploaded: the plan has to be there before. A file, since `sh` does not see a failure in a pipe.
  buildkite-agent artifact upload "$plan"
  affected emit buildkite --plan "$plan" > "$folder/steps.json"
  buildkite-agent pipeline upload "$folder/steps.json"
}

# From the job that made it: nobody else's file of that name counts.
fetch_plan() {
  rm -rf "$folder"
  mkdir -p "$receipts"
  buildkite-agent artifact download "$plan" . --step plan
}

run_shard() {
  fetch_plan
  install
  choose_cache
  affected run-shard $SHARDS --plan "$plan" --receipts "$receipts/$LEG"
}

judge() {
  fetch_plan
  # It fails if there is none. That is right if nothing was planned; else the gate says what is missing.
  buildkite-agent artifact download "$receipts/**/*.json" . || true
  status=0
  affected gate --plan "$plan" --receipts "$receipts" --summary "$folder/gate.md" || status=$?
  if [ "$status" = 0 ]; then show gate success; else show gate error; fi
  if [ "$status" = 0 ] && [ -n "$timings" ] && on_default_branch; then
    affected timings collect --plan "$plan" --receipts "$receipts" --into "$timings" || true
  fi
  exit "$status"
}

case "${1:-}" in
  plan) make_plan ;;
  shard) run_shard ;;
  gate) judge ;;
  *)
    echo 'usage: affected.sh plan | shard | gate' >&2
    exit 2
    ;;
esac
