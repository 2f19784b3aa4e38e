import { type CommitId, parseObjectId } from '@tributary/model/ids';
import { type ImportRecord, isReadableRecord, parseImportRecord, type UnreadableRecord } from '@tributary/model/import-record';
import type { Git } from './git.js';
import { resolveNames } from './objects.js';
import { splitNul } from './parse.js';

/** What the merge commit of an import says of it. */
export interface RecordedImport {
  readonly merge: CommitId;
  /** What the merge commit joins to its first parent: its second one. An import that is whole joins the tip that its record names. */
  readonly joined: CommitId;
  readonly record: ImportRecord | UnreadableRecord;
  /** The package that the record names, even where the rest of it cannot be read. */
  readonly claims: string | undefined;
}

/**
 * The import records that can be reached from `revisions`, the newest first. A source may itself have been built from imports: their records came with its history and
 * tell of places in that repository, so what an imported history holds is not looked at. A merge commit that only quotes the record of an import which is there, such as
 * that of a pull request, is none. Throws `GIT_FAILED`.
 */
export async function searchImportRecords(git: Git, revisions: readonly string[]): Promise<readonly RecordedImport[]> {
  const all = await searchMerges(git, revisions);
  const imported = await importedHistories(git, all);
  return withoutQuotes(imported.length === 0 ? all : await searchMerges(git, [...revisions, ...imported.map((tip) => `^${tip}`)]));
}

/** The last commits of the histories that these imports have joined, as far as they are here. Throws `GIT_FAILED`. */
async function importedHistories(git: Git, imports: readonly RecordedImport[]): Promise<readonly CommitId[]> {
  const tips = imports.flatMap(({ record }) => (isReadableRecord(record) ? [record.importedTip] : []));
  const here = await resolveNames(git, tips);
  const lost = withoutQuotes(imports).filter((one) => isReadableRecord(one.record) && !isWhole(one));
  return [...tips.filter((_, at) => here[at]?.type === 'commit'), ...lost.map(({ joined }) => joined)];
}

/** Whether a merge commit joins the very history that its record names: not where it was made again, with other commits. */
function isWhole({ record, joined }: RecordedImport): boolean {
  return isReadableRecord(record) && record.importedTip === joined;
}

function withoutQuotes(imports: readonly RecordedImport[]): readonly RecordedImport[] {
  const whole = new Set(imports.filter(isWhole).map(({ joined }) => joined));
  return imports.filter((one) => isWhole(one) || !isReadableRecord(one.record) || !whole.has(one.record.importedTip));
}

async function searchMerges(git: Git, revisions: readonly string[]): Promise<readonly RecordedImport[]> {
  const search = [
    'log',
    '--stdin',
    '--merges',
    '-z',
    '--format=%H %P%n%B',
    '--encoding=UTF-8',
    '--basic-regexp',
    '--grep=^Tributary-Import: ',
  ];
  const output = await git.bytes(search, { input: `${revisions.join('\n')}\n` });
  return splitNul(output.toString('utf8')).flatMap((entry) => {
    const end = entry.indexOf('\n');
    const [merge = '', , joined = ''] = entry.slice(0, end).split(' ');
    const record = parseImportRecord(entry.slice(end + 1));
    const claims = /^Tributary-Package: (.*\S)/m.exec(entry)?.[1];
    return record === undefined ? [] : [{ merge: parseObjectId(merge), joined: parseObjectId(joined), record, claims }];
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
  const line = await git.text(['log', '--first-parent', '--format=%H %ct', head, '--not', `${commit}^@`]);
  const landed = line.split('\n').filter((entry) => entry !== '' && holders.has(entry.slice(0, entry.indexOf(' '))));
  const [id, time] = landed.at(-1)?.split(' ') ?? [];
  return id === undefined ? undefined : { commit: parseObjectId(id), time: Number(time) };
}
