#!/bin/sh
# The three jobs of a test plan on Buildkite: sh .buildkite/affected.sh plan | shard | gate, or `all` in one job. Copy it to
# .buildkite/affected.sh.
# No text from a branch, a title or a package is part of this script. The lines to change are marked with "Change".
# Commands with arguments, options and ids must split into words, so they are not quoted.
# shellcheck disable=SC2086
set -eu

# AFFECTED is the command that starts affected, the same in all jobs. If it is empty, each job unpacks ci/affected.tgz, which `npm pack`
# makes, into a temporary folder and starts it with node. No job uses a registry for it.
if [ -z "${AFFECTED:-}" ]; then
  tool=$(mktemp -d)
  trap 'rm -rf "$tool"' EXIT
  tar -xzf ci/affected.tgz -C "$tool"
fi
affected() {
  ${AFFECTED:-node "$tool/package/out/cli.cjs"} "$@"
}

# Change: how many agents there are; --target-time 10m uses as few as possible.
plan_options=${PLAN_OPTIONS:-"--max-shards 20"}
# Change: the file with test times, which all agents must reach, for example on a shared disk or in a cache volume. Without it the plan
# estimates times from the number of test files.
timings=${AFFECTED_TIMINGS:-}
# Buildkite does not report the commit before a push, so a push to the default branch tests everything. To avoid that, set the commit to
# compare with, such as the last one that passed.
# export AFFECTED_BASE_REVISION=
# Change: the queue of shards and gate (default: the queue of the job that makes the plan).
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

# Only builds of the default branch write to turborepo's remote cache; all others only read it.
choose_cache() {
  TURBO_CACHE=local:rw,remote:r
  if on_default_branch; then TURBO_CACHE=local:rw,remote:rw; fi
  export TURBO_CACHE
}

on_default_branch() {
  [ "${BUILDKITE_PULL_REQUEST:-false}" = false ] && [ "$BUILDKITE_BRANCH" = "$BUILDKITE_PIPELINE_DEFAULT_BRANCH" ]
}

# Shows a summary on the page of the build. A failure to show it does not fail the job.
show() {
  if [ -s "$folder/$1.md" ]; then buildkite-agent annotate --context "affected-$1" --style "$2" < "$folder/$1.md" || true; fi
}

# A plan works without times, so an unusable file is ignored. The check writes, so it works on a copy: only the gate of the default branch
# writes to the shared file.
leave_out_broken_timings() {
  [ -f "$timings" ] || return 0
  copy=$folder/timings.json
  if cp "$timings" "$copy" && affected timings collect --allow-missing --into "$copy"; then
    timings=$copy
  else
    echo "Warning: $timings cannot be used. The plan estimates times from the number of test files. Delete the file: the next build of the default branch makes a new one." >&2
    timings=
  fi
}

make_plan() {
  rm -rf "$folder"
  mkdir -p "$folder"
  leave_out_broken_timings
  affected plan $plan_options ${timings:+--timings "$timings"} --out "$plan" --summary "$folder/plan.md"
  show plan info
  # Steps start as soon as they are uploaded, so the plan is uploaded first. `sh` ignores a failure in a pipe, hence the file.
  buildkite-agent artifact upload "$plan"
  affected emit buildkite --plan "$plan" > "$folder/steps.json"
  buildkite-agent pipeline upload "$folder/steps.json"
}

# Takes the plan only from the step that made it.
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
  # The download fails if there is no receipt. That is right if nothing was planned; otherwise the gate reports what is missing.
  buildkite-agent artifact download "$receipts/**/*.json" . || true
  status=0
  affected gate --plan "$plan" --receipts "$receipts" --summary "$folder/gate.md" || status=$?
  if [ "$status" = 0 ]; then show gate success; else show gate error; fi
  if [ "$status" = 0 ] && [ -n "$timings" ] && on_default_branch; then
    affected timings collect --allow-missing --plan "$plan" --receipts "$receipts" --into "$timings" || true
  fi
  if [ "${BUILDKITE_SOURCE:-}" = schedule ]; then affected check; fi
  exit "$status"
}

# All in one job, without an artifact. The gate says what failed, and what did not run.
run_all() {
  rm -rf "$folder"
  mkdir -p "$folder"
  install
  choose_cache
  affected plan ${PLAN_OPTIONS:---shards 1} --out "$plan" --summary "$folder/plan.md"
  failed=0 status=0
  affected run-shard --all --plan "$plan" --receipts "$receipts" || failed=$?
  affected gate --plan "$plan" --receipts "$receipts" --summary "$folder/gate.md" || status=$?
  if [ "$status" = 0 ]; then show gate success; else show gate error; fi
  if [ "${BUILDKITE_SOURCE:-}" = schedule ]; then affected check; fi
  [ "$status" = 0 ] || exit "$status"
  exit "$failed"
}

case "${1:-}" in
  plan) make_plan ;;
  shard) run_shard ;;
  gate) judge ;;
  all) run_all ;;
  *)
    echo 'usage: affected.sh plan | shard | gate | all' >&2
    exit 2
    ;;
esac
