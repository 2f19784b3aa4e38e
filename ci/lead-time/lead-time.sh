#!/bin/sh
# Measures lead times again and again, in a job of any CI engine. Copy it to ci/lead-time.sh. Run it in a clone with the whole history.
#
#   lead-time.sh collect   takes the record from its branch, collects what is new, and pushes the record back
#   lead-time.sh report    writes the page, the summary and the metrics from the record of `collect`
#   lead-time.sh gate      ends with exit code 3 if a figure exceeds a bar of LEAD_TIME_FAIL_IF; without one it does nothing
#
# Variables, all optional:
#
#   COMMIT_TO_PUBLISH         the command that starts commit-to-publish (default: installs ci/commit-to-publish.tgz into a temporary folder)
#   LEAD_TIME_COLLECT         options of `collect`, such as --github
#   LEAD_TIME_REPORT          options of `report`, such as --channels latest --window 13w
#   LEAD_TIME_FAIL_IF         options of the gate, such as --by repo --fail-if p90>+20%
#   LEAD_TIME_EVENTS          folder with *.ndjson files of other jobs, to ingest
#   LEAD_TIME_SITE            folder for the page, the summary and the metrics (default: .tributary/site)
#   LEAD_TIME_BRANCH          the branch that keeps the record (default: lead-time-record)
#   LEAD_TIME_REMOTE          the repository of that branch (default: the remote `origin`)
#   LEAD_TIME_USER, _TOKEN    who pushes, over https
set -euf

record=$PWD/.tributary/record
store=$PWD/.tributary/record.git
site=${LEAD_TIME_SITE:-.tributary/site}
branch=${LEAD_TIME_BRANCH:-lead-time-record}
# The address in a clone of a CI engine may hold a token.
remote=${LEAD_TIME_REMOTE:-$(git remote get-url origin | sed 's#//[^/@]*@#//#')}
attempts=5

fail() {
  printf 'lead-time: %s\n' "$@" >&2
  exit 1
}

# A link in the checkout could lead what this job removes and writes to any place.
refuse_links() {
  for path in .tributary "$record" "$store" .tributary/tool "$site"; do
    [ ! -L "$path" ] || fail "$path is a link. Replace it by a folder."
  done
}

# Git in a repository of its own, so that the clone stays whole and unchanged. Settings of the machine must not change a byte of the record.
in_store() {
  git --git-dir="$store" --work-tree="$record" \
    -c core.autocrlf=false -c core.attributesFile=/dev/null -c core.hooksPath=/dev/null -c gc.auto=0 \
    -c user.name=lead-time -c user.email=lead-time@localhost "$@"
}

# The same with the token, which no command line and no message shows.
with_remote() {
  if [ -n "${LEAD_TIME_TOKEN:-}" ]; then
    # shellcheck disable=SC2016 # git expands it
    GIT_TERMINAL_PROMPT=0 in_store -c credential.helper= \
      -c 'credential.helper=!f() { echo "username=${LEAD_TIME_USER:-x-access-token}"; echo "password=$LEAD_TIME_TOKEN"; }; f' "$@"
  else
    GIT_TERMINAL_PROMPT=0 in_store "$@"
  fi
}

tip_of_branch() {
  found=$(with_remote ls-remote "$remote" "refs/heads/$branch")
  printf '%s' "${found%%[!0-9a-f]*}"
}

# The last commit of the branch, without its history. Without the branch, the record begins.
take_record() {
  rm -rf "$record" "$store"
  mkdir -p "$record"
  git init --quiet --bare "$store"
  base=$(tip_of_branch)
  [ -n "$base" ] || return 0
  with_remote fetch --quiet --depth=1 "$remote" "refs/heads/$branch"
  base=$(in_store rev-parse FETCH_HEAD)
  in_store reset --quiet --hard FETCH_HEAD
}

# Succeeds if the branch has the record. Fails if another job was faster. A push that is refused for another reason ends the script.
keep_record() {
  # As a condition, this function does not end at the first failure; and an empty id would delete the branch.
  in_store add --all --force . && tree=$(in_store write-tree) && [ -n "$tree" ] || fail 'The record could not be written.'
  if [ -n "$base" ] && [ "$tree" = "$(in_store rev-parse "$base^{tree}")" ]; then return 0; fi
  commit=$(in_store commit-tree ${base:+-p "$base"} -m "Lead times up to $(git rev-parse HEAD)" "$tree") && [ -n "$commit" ] ||
    fail 'The record could not be written.'
  if with_remote push --quiet "$remote" "$commit:refs/heads/$branch"; then return 0; fi
  [ "$(tip_of_branch)" = "$base" ] || return 1
  fail "The record was not kept: this job may not push to the branch $branch. The branch is as it was before." \
    'Let the job write: "contents: write" on GitHub; on GitLab a token with "write_repository" in LEAD_TIME_TOKEN.'
}

start_tool() {
  [ -z "${COMMIT_TO_PUBLISH:-}" ] || return 0
  archive=$PWD/ci/commit-to-publish.tgz
  [ -e "$archive" ] || fail 'ci/commit-to-publish.tgz is missing, and COMMIT_TO_PUBLISH is empty.'
  tool=$PWD/.tributary/tool
  if [ ! -e "$tool/node_modules/.bin/commit-to-publish" ]; then
    mkdir -p "$tool"
    (cd "$tool" && npm install --prefix . --silent --no-audit --no-fund --no-save "$archive")
  fi
  PATH=$tool/node_modules/.bin:$PATH
  COMMIT_TO_PUBLISH=commit-to-publish
}

# Lines that are no events are left out, and the job fails for them once the rest is kept.
ingest_events() {
  [ -n "${LEAD_TIME_EVENTS:-}" ] || return 0
  [ -d "$LEAD_TIME_EVENTS" ] || fail "LEAD_TIME_EVENTS: there is no folder $LEAD_TIME_EVENTS."
  find "$LEAD_TIME_EVENTS" -name '*.ndjson' | sort >"$store/events"
  while read -r file; do
    $COMMIT_TO_PUBLISH ingest "$file" --record "$record" || flawed=$file
  done <"$store/events"
}

# Each run adds a segment. Many of them slow reports down.
compact_often() {
  [ "$(find "$record" -name '*.ndjson' | wc -l)" -le 60 ] || $COMMIT_TO_PUBLISH compact --record "$record"
}

# A job that another one overtook does its work again, on the record of that one: an event that is there already counts once.
collect() {
  attempt=1
  flawed=
  while :; do
    take_record
    # shellcheck disable=SC2086 # words
    $COMMIT_TO_PUBLISH collect --record "$record" ${LEAD_TIME_COLLECT:-}
    ingest_events
    compact_often
    if keep_record; then break; fi
    [ "$attempt" -lt "$attempts" ] || fail "The record was not kept: other jobs were faster $attempts times. Run this job again."
    attempt=$((attempt + 1))
    echo "lead-time: another job has pushed to $branch meanwhile; attempt $attempt of $attempts." >&2
  done
  [ -z "$flawed" ] || fail "Not all of $flawed could be ingested. The rest is kept."
}

report() {
  mkdir -p "$site"
  # shellcheck disable=SC2086 # words
  for one in html:index.html markdown:summary.md openmetrics:lead-time.prom; do
    rm -f "$site/${one#*:}" # it may be a link
    $COMMIT_TO_PUBLISH report --record "$record" ${LEAD_TIME_REPORT:-} --format "${one%%:*}" >"$site/${one#*:}"
  done
  if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
    cat "$site/summary.md" >>"$GITHUB_STEP_SUMMARY"
  else
    cat "$site/summary.md"
  fi
}

gate() {
  [ -n "${LEAD_TIME_FAIL_IF:-}" ] || return 0
  # shellcheck disable=SC2086 # words
  $COMMIT_TO_PUBLISH report --record "$record" ${LEAD_TIME_REPORT:-} $LEAD_TIME_FAIL_IF
}

case ${1:-} in
  collect | report | gate)
    refuse_links
    start_tool
    "$1"
    ;;
  *) fail 'usage: lead-time.sh collect | report | gate' ;;
esac
