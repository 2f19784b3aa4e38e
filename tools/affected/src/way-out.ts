import type { AllCode, AllReason } from '@tributary/model/changeset';

const WHOLE_HISTORY = 'Check out the whole history (actions/checkout: fetch-depth: 0), or fetch the base before.';
const LOCKFILE = 'Run yarn install and commit yarn.lock; the next change is compared with it.';
const AGAIN = 'The next change is compared as usual.';

const WAYS: Readonly<Record<AllCode, string>> = {
  BASE_UNKNOWN: `Name one with --base, or with "affected.base" in tributary.json. ${WHOLE_HISTORY}`,
  BASE_IS_HEAD: 'Name an older commit with --base.',
  BASE_UNREADABLE: AGAIN,
  BASE_REWRITTEN: AGAIN,
  NO_MERGE_BASE: WHOLE_HISTORY,
  HISTORY_SHALLOW: WHOLE_HISTORY,
  HEAD_UNRELATED: 'Check out the pull request, or name base and head with --base and --head.',
  API_INCOMPLETE: 'Run it in a clone with the commits of the pull request, so that git is asked.',
  FILES_UNKNOWN: 'List files by their paths from the root of the repository, one a line, or leave the list out.',
  CONFIG_CHANGED: 'The next change is judged by the new rules.',
  RULE: 'If you know better, "affected.rules" in tributary.json comes first, and affected check verifies what it says.',
  FILE_UNCLAIMED: 'Say who reads it in "affected.rules" of tributary.json; affected tune proposes what is known.',
  ROOT_MANIFEST_CHANGED:
    'Move a setting into a file of its own, or into the workspaces that need it; let shared settings read single keys.',
  ROOT_DEPENDENCY_CHANGED:
    'Move the dependency to the workspaces that use it; if no test loads it, list it in "affected.rootOnlyDependencies" of tributary.json.',
  YARN_SETTING_CHANGED: AGAIN,
  SETTINGS_UNREADABLE: 'Correct the file.',
  LOCKFILE_CLASSIC: 'Yarn 2 and later list in yarn.lock what each workspace needs.',
  LOCKFILE_MISSING: LOCKFILE,
  LOCKFILE_UNREADABLE: LOCKFILE,
  LOCKFILE_UNKNOWN: LOCKFILE,
  SUBMODULE: 'Only a checkout of the submodule could tell what it holds.',
  SOURCES_MISSING: 'Leave out --no-fetch, or check out with the contents of the files.',
  FAILED: 'Mend the cause; without --fallback the command fails.',
};

/** Returns what to do about it; `undefined` for a code that is none, in a plan from elsewhere. */
export function wayOut(code: string): string | undefined {
  return Object.hasOwn(WAYS, code) ? WAYS[code as AllCode] : undefined;
}

/** Describes for people why every workspace is selected, and what to do about it. */
export function describeAll(all: AllReason): string {
  return `${all.reason} [${all.code}]\n${WAYS[all.code]}`;
}
