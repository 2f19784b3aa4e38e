import type { CommitId } from '@tributary/model/ids';
import type { MergedChange } from './events.js';
import { type MainLineStep, publishedIn } from './layout.js';
import type { MainLine } from './main-line.js';
import type { PullTimes } from './pull-times.js';
import type { TestTimes } from './test-times.js';

interface ChangeSources {
  /** The web page of the repository. */
  readonly webUrl: string | undefined;
  /** By commit of the main line, as `pullsOnLine` returns them. */
  readonly pullOf: ReadonlyMap<CommitId, PullTimes>;
  /** Tests on the main line from CI jobs, which are more precise than checks. */
  readonly tests: ReadonlyMap<CommitId, readonly TestTimes[]>;
}

/** Returns the changes on a main line, oldest first. */
export function changesOf(main: MainLine, { webUrl, pullOf, tests }: ChangeSources): readonly MergedChange[] {
  const tagged = new Set<string>(main.tags.map(({ tag }) => tag.commit));
  const layouts = [...new Set(main.steps.map(({ layout }) => layout))];
  // Other changes would wait for ever: the only package of a repository may be the private root of its workspaces now, and a commit that
  // takes a package away is no change of it.
  const open = new Map(layouts.map((layout) => [layout, publishedIn(layout, main.countedPrivate)]));
  return main.steps.flatMap((step, position): MergedChange[] => {
    const packages = [...step.touched].filter((name) => main.published.has(name) && open.get(step.layout)?.has(name)).sort();
    if (packages.length === 0 || isVersionBump(step, tagged.has(step.commit.id))) return [];
    const pull = pullOf.get(step.commit.id);
    const found = tests.get(pull?.commit ?? step.commit.id);
    const tested = found === undefined ? pull : pull && { ...pull, postMergeTests: found };
    const own = tested === undefined ? { ...(found === undefined ? {} : { tests: found }) } : { pull: tested };
    const clock = pull === undefined && main.mistimed.has(step.commit.id) ? { isMistimed: true as const } : {};
    return [{ position, commit: step.commit, packages, unpublished: step.unpublished, url: urlOf(step.commit, webUrl), ...clock, ...own }];
  });
}

/** Returns the URL of the pull request that the message names, as GitHub writes it; otherwise that of the commit. */
function urlOf({ id, subject }: { readonly id: string; readonly subject: string }, webUrl: string | undefined): string | undefined {
  if (webUrl === undefined) return undefined;
  const number = /^Merge pull request #(\d+) /.exec(subject)?.[1] ?? /\(#(\d+)\)$/.exec(subject)?.[1];
  return number === undefined ? `${webUrl}/commit/${id}` : `${webUrl}/pull/${number}`;
}

const VERSION = String.raw`(?:@?[\w./-]+@)?v?\d+\.\d+\.\d+[\w.+-]*`;
const PREFIX = String.raw`(?:(?:chore|build|ci|release)(?:\([^)]*\))?!?:\s*)?`;
const WORDS = String.raw`(?:(?:release|publish|bump|version|prepare|set|update|new|to|for|the|of|packages?|and)\b[\s:]*)*`;
// In an imported commit, the number names its repository.
const END = String.raw`[\s.]*(?:\[skip ci\])?(?:\s*\((?:[\w.-]+/[\w./-]+)?#\d+\))?$`;

/** Matches `1.2.3`, `Release v1.2.3`, `chore(release): @acme/ui@1.2.3 (#12)`, `v1.2.3 (acme/ui#12)`. */
const NAMES_VERSIONS = new RegExp(`^${PREFIX}${WORDS}${VERSION}(?:[\\s,;&]+(?:and )?${VERSION})*${END}`, 'i');
const NAMES_NOTHING = new RegExp(`^${PREFIX}(?:publish|release|version packages|new versions?|bump versions?)${END}`, 'i');

/**
 * Tells whether a commit only releases the changes before it: it changes a version, and its other content or its message names nothing
 * else. `isTagged`: a release tag points to it.
 */
export function isVersionBump({ commit, bumps, isOnlyVersions }: MainLineStep, isTagged: boolean): boolean {
  if (bumps.size === 0) return isTagged && NAMES_VERSIONS.test(commit.subject);
  return isOnlyVersions || NAMES_VERSIONS.test(commit.subject) || NAMES_NOTHING.test(commit.subject);
}
