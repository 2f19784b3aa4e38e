import { type CommitId, parseObjectId } from '@tributary/model/ids';
import { type ImportRecord, isReadableRecord, parseImportRecord, type UnreadableRecord } from '@tributary/model/import-record';
import type { Git } from './git.js';
import { resolveNames } from './objects.js';
import { splitNul } from './parse.js';

/** What the merge commit of an import says of it. */
export interface RecordedImport {
  readonly merge: CommitId;
  readonly record: ImportRecord | UnreadableRecord;
}

/**
 * The import records that can be reached from `revisions`, the newest first. A source may itself have been built from imports: their records came with its history and
 * tell of places in that repository, so what an imported history holds is not looked at. Throws `GIT_FAILED`.
 */
export async function searchImportRecords(git: Git, revisions: readonly string[]): Promise<readonly RecordedImport[]> {
  const all = await searchMerges(git, revisions);
  const tips = all.flatMap(({ record }) => (isReadableRecord(record) ? [record.importedTip] : []));
  const here = await resolveNames(git, tips);
  const imported = tips.filter((_, at) => here[at]?.type === 'commit');
  return imported.length === 0 ? all : searchMerges(git, [...revisions, ...imported.map((tip) => `^${tip}`)]);
}

async function searchMerges(git: Git, revisions: readonly string[]): Promise<readonly RecordedImport[]> {
  const search = [
    'log',
    '--stdin',
    '--merges',
    '-z',
    '--format=%H%n%B',
    '--encoding=UTF-8',
    '--basic-regexp',
    '--grep=^Tributary-Import: ',
  ];
  const output = await git.bytes(search, { input: `${revisions.join('\n')}\n` });
  return splitNul(output.toString('utf8')).flatMap((entry) => {
    const end = entry.indexOf('\n');
    const record = parseImportRecord(entry.slice(end + 1));
    return record === undefined ? [] : [{ merge: parseObjectId(entry.slice(0, end)), record }];
  });
}

/** A commit of a main line, with when it was committed, in seconds since 1970. */
export interface Landing {
  readonly commit: CommitId;
  readonly time: number;
}

/** The first commit on the first-parent line of `head` that contains `commit`: when its branch was merged. `undefined` where none does. Throws `GIT_FAILED`. */
export async function findLanding(git: Git, commit: CommitId, head: CommitId): Promise<Landing | undefined> {
  const descendants = await git.text(['rev-list', '--ancestry-path', `${commit}..${head}`]);
  const holders = new Set<string>([commit, ...descendants.split('\n')]);
  const line = await git.text(['log', '--first-parent', '--format=%H %ct', `${commit}^1..${head}`]);
  const landed = line.split('\n').filter((entry) => entry !== '' && holders.has(entry.slice(0, entry.indexOf(' '))));
  const [id, time] = landed.at(-1)?.split(' ') ?? [];
  return id === undefined ? undefined : { commit: parseObjectId(id), time: Number(time) };
}
