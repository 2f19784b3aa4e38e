import { type CommitId, parseObjectId } from '@tributary/model/ids';
import { type ImportRecord, isReadableRecord, parseImportRecord, type UnreadableRecord } from '@tributary/model/import-record';
import type { Git } from './git.js';
import { resolveNames } from './objects.js';
import { splitNul } from './parse.js';

/** An import, as its merge commit records it. */
export interface RecordedImport {
  readonly merge: CommitId;
  /** The second parent of the merge commit. For a complete import, it is the tip that the record names. */
  readonly joined: CommitId;
  readonly record: ImportRecord | UnreadableRecord;
  /** The package that the record names, even if the rest of the record is invalid. */
  readonly claims: string | undefined;
}

/**
 * Returns the import records reachable from `revisions`, newest first. It skips the history of imports: a source may itself contain
 * imports, and their records name paths in that repository. It also skips a merge commit that only quotes the record of another import,
 * such as that of a pull request. Throws `GIT_FAILED`.
 */
export async function searchImportRecords(git: Git, revisions: readonly string[]): Promise<readonly RecordedImport[]> {
  const all = await searchMerges(git, revisions);
  const imported = await importedHistories(git, all);
  return withoutQuotes(imported.length === 0 ? all : await searchMerges(git, [...revisions, ...imported.map((tip) => `^${tip}`)]));
}

/** Returns the tips of the histories that these imports merged, as far as they exist here. Throws `GIT_FAILED`. */
async function importedHistories(git: Git, imports: readonly RecordedImport[]): Promise<readonly CommitId[]> {
  const tips = imports.flatMap(({ record }) => (isReadableRecord(record) ? [record.importedTip] : []));
  const here = await resolveNames(git, tips);
  const lost = withoutQuotes(imports).filter((one) => isReadableRecord(one.record) && !isWhole(one));
  return [...tips.filter((_, at) => here[at]?.type === 'commit'), ...lost.map(({ joined }) => joined)];
}

/** Returns whether a merge commit merges the history that its record names; false if that history was rewritten. */
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

/** A commit of a main line with its commit time, in seconds since 1970. */
export interface Landing {
  readonly commit: CommitId;
  readonly time: number;
}

/**
 * Returns the first commit on the first-parent line of `head` that contains `commit`: the merge of its branch. `undefined` if there is
 * none. Throws `GIT_FAILED`.
 */
export async function findLanding(git: Git, commit: CommitId, head: CommitId): Promise<Landing | undefined> {
  const descendants = await git.text(['rev-list', '--ancestry-path', `${commit}..${head}`]);
  const holders = new Set<string>([commit, ...descendants.split('\n')]);
  const line = await git.text(['log', '--first-parent', '--format=%H %ct', head, '--not', `${commit}^@`]);
  const landed = line.split('\n').filter((entry) => entry !== '' && holders.has(entry.slice(0, entry.indexOf(' '))));
  const [id, time] = landed.at(-1)?.split(' ') ?? [];
  return id === undefined ? undefined : { commit: parseObjectId(id), time: Number(time) };
}
