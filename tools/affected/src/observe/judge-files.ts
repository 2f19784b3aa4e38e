import { isNamedTest } from '../plan/runner.js';
import type { ChangedSince } from './changed-since.js';
import { findRuns, type JudgeScene, type ObservedPiece, pathsThatDiffer, withFolders } from './judge-piece.js';
import type { KeptObservation } from './kept-observation.js';
import { inputTable, type Observation, type TestFileInputs } from './observation.js';

/** The test files of a piece that observations prove unaffected; `whole`: why none is, as a clause. */
export type FilesVerdict =
  | { readonly whole: string }
  | {
      /** By paths from the workspace, ordered. */
      readonly spared: readonly string[];
      /** The number of observed test files. */
      readonly of: number;
      /** Whether files have come that look like tests, and that no run observed. */
      readonly hasNew: boolean;
      /** Why the spared ones are, as a clause. */
      readonly because: string;
    };

/**
 * Decides which test files of a piece a change does not affect. The conditions are those of `judgePiece`, with the inputs of each file instead
 * of those of the piece: in no counted run has the file used anything that differs since the last run. A change of what all files share selects
 * all of them.
 */
export function judgeFiles(piece: ObservedPiece, kept: readonly KeptObservation[], scene: JudgeScene): FilesVerdict {
  const runs = findRuns(piece, kept, scene);
  if ('because' in runs) return { whole: runs.because };
  const { counted, all, changed, last, times } = runs;
  const isOthers = all.nested.length === 0 ? piece.isOthersManifest : () => false;
  const judges: FileJudge[] = [];
  for (const one of counted) {
    if (one.testFiles === undefined || 'unclear' in one.testFiles) return { whole: whyUnclear(one) };
    judges.push(new FileJudge(one, one.testFiles, { changed, isOthers }));
  }
  const shared = judges.map((judge) => judge.shared).find((path) => path !== undefined);
  if (shared !== undefined)
    return { whole: `all its test files use ${shared}, which differs from the observed run at ${last.commit.slice(0, 10)}` };
  // A file that one run of the last commit lacks was not observed there.
  const known = judges.filter(({ commit }) => commit === last.commit).map(({ files }) => files);
  const observed = [...(known[0] ?? [])].filter((file) => known.every((files) => files.has(file))).sort();
  const spared = observed.filter((file) => judges.every((judge) => !judge.isTouched(file)));
  return {
    spared,
    of: observed.length,
    hasNew: judges.some(({ hasNew }) => hasNew),
    because: `used nothing that changed, ${times}`,
  };
}

/** Names the run: one that was traced without `"observed": "files"` counts like any other. */
function whyUnclear({ testFiles: files, commit }: Observation): string {
  const why =
    files === undefined ? `the observed run at ${commit.slice(0, 10)} did not tell them apart` : 'unclear' in files ? files.unclear : '';
  return `its test files cannot be judged one by one: ${why}`;
}

interface Changes {
  readonly changed: ChangedSince;
  readonly isOthers: (path: string) => boolean;
}

/** Judges the test files of one observation. */
class FileJudge {
  readonly commit: string;
  /** The observed files. */
  readonly files: ReadonlySet<string>;
  /** A changed input that all files share. */
  readonly shared: string | undefined;
  readonly hasNew: boolean;
  private readonly touched: ReadonlySet<number>;
  private readonly each: ReadonlyMap<string, readonly number[]>;

  constructor(observation: Observation, { shared, search, each }: Exclude<TestFileInputs, { unclear: string }>, changes: Changes) {
    const { paths, lists } = inputTable(observation);
    const { changed, isOthers } = changes;
    this.commit = observation.commit;
    this.each = new Map(Object.entries(each));
    this.files = new Set(this.each.keys());
    const isOther = pathsThatDiffer(observation.platform, changed);
    const isTool = new Set(observation.apart.tools);
    const ofPaths = paths.flatMap((path, at) => (isOther(path) && !(isTool.has(path) && isOthers(path)) ? [at] : []));
    const ofLists = lists.flatMap((path, at) => (changed.listings.has(path) || isOther(path) ? [paths.length + at] : []));
    this.touched = new Set([...ofPaths, ...ofLists]);
    const searched = new Set(search);
    const place = shared.find(
      (at) => this.touched.has(at) && !(searched.has(at) && hasOnlyNewTests(lists[at - paths.length] ?? '', changed)),
    );
    this.shared = place === undefined ? undefined : (paths[place] ?? `the list of ${lists[place - paths.length]}`);
    this.hasNew = search.some((at) => this.touched.has(at));
  }

  /** A file that this run lacks is newer than it. */
  isTouched(file: string): boolean {
    return this.each.get(file)?.some((place) => this.touched.has(place)) === true;
  }
}

/**
 * Tells whether the entries of a folder differ only by test files, which the runner looks for there. A file of `__mocks__` acts without being
 * looked up by its path.
 */
function hasOnlyNewTests(folder: string, { moved, files }: ChangedSince): boolean {
  if (withFolders(folder).some((one) => moved.has(one) || files.has(one))) return false;
  const top = folder === '.' ? '' : `${folder}/`;
  const entries = [...moved].filter((path) => path.startsWith(top) && !path.slice(top.length).includes('/'));
  return entries.every((path) => isNamedTest(path) && files.has(path) && !path.includes('__mocks__'));
}
