import type { Git } from '@tributary/git/git';
import { splitNul } from '@tributary/git/parse';
import { ToolError } from '@tributary/model/errors';
import { type CommitId, parseObjectId, type RefName, shortRef } from '@tributary/model/ids';
import { type ImportRecord, isReadableRecord, parseImportRecord } from '@tributary/model/import-record';

/** An import that a clone knows of. */
export interface FoundImport {
  readonly record: ImportRecord;
  /** The merge commit that carries the record. */
  readonly merge: CommitId;
  /** `undefined`: HEAD contains it; else the first branch that does. */
  readonly branch: RefName | undefined;
}

export interface FoundImports {
  /** Ordered by package; one entry for each merge. */
  readonly imports: readonly FoundImport[];
  /** Records that cannot be read, and why. */
  readonly unreadable: readonly { readonly merge: CommitId; readonly problem: string }[];
}

/** Reads the import records of everything that HEAD and the branches contain, local ones and those of remotes. Throws `GIT_FAILED`. */
export async function findImports(git: Git, head: CommitId): Promise<FoundImports> {
  const inHead = await searchRecords(git, [head]);
  const branches = (await git.text(['for-each-ref', '--format=%(refname)', 'refs/heads', 'refs/remotes']))
    .split('\n')
    .filter((ref) => ref !== '');
  const elsewhere = branches.length === 0 ? [] : await searchRecords(git, [...branches, `^${head}`]);
  const found = [...inHead.map((entry) => ({ ...entry, branch: undefined })), ...(await withBranches(git, elsewhere))];
  const imports = found.flatMap(({ record, merge, branch }) => (isReadableRecord(record) ? [{ record, merge, branch }] : []));
  const unreadable = found.flatMap(({ record, merge }) => (isReadableRecord(record) ? [] : [{ merge, problem: record.problem }]));
  return { imports: imports.sort((a, b) => (a.record.package < b.record.package ? -1 : 1)), unreadable };
}

/** The newest import of a package. Throws `IMPORT_NOT_FOUND`. */
export function chooseImport(found: FoundImports, name: string): FoundImport {
  const candidates = found.imports.filter(({ record }) => record.package === name);
  const chosen = candidates.find(({ branch }) => branch === undefined) ?? candidates[0];
  if (chosen !== undefined) return chosen;
  const known = [...new Set(found.imports.map(({ record }) => record.package))];
  throw new ToolError({
    code: 'IMPORT_NOT_FOUND',
    message: `No commit of HEAD or of a branch records an import of ${name}.`,
    hint:
      known.length === 0 ? 'Nothing was imported here yet; fetch the branch if somebody else did.' : `Imported were: ${known.join(', ')}.`,
    data: { name, known },
  });
}

type Entry = Pick<FoundImport, 'merge'> & { readonly record: NonNullable<ReturnType<typeof parseImportRecord>> };

async function searchRecords(git: Git, revisions: readonly string[]): Promise<Entry[]> {
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

async function withBranches(git: Git, entries: readonly Entry[]): Promise<(Entry & { readonly branch: RefName | undefined })[]> {
  const found = [];
  for (const entry of entries) {
    const holders = await git.text(['for-each-ref', '--contains', entry.merge, '--format=%(refname)', 'refs/heads', 'refs/remotes']);
    found.push({ ...entry, branch: holders.split('\n')[0] as RefName | undefined });
  }
  return found;
}

/** Where an import stands, for people. */
export function placeOf(found: FoundImport): string {
  return found.branch === undefined ? 'merged' : `on ${shortRef(found.branch)}`;
}
