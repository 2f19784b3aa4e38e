import { ToolError } from '@tributary/model/errors';
import { type CommitId, type RefName, shortRef, tagRef } from '@tributary/model/ids';
import type { AbsolutePath } from '@tributary/model/paths';
import type { Services } from '@tributary/terminal/main';
import { type FoundImport, type FoundImports, findImports, findMerges } from '../io/imports.js';
import { readRecordedTags } from '../io/recorded-tags.js';
import { moveRefs, type RefValue, readRefs } from '../io/refs.js';
import { withStagingArea } from '../io/staging-area.js';
import { type LocalRepository, readHeadState } from '../io/target.js';
import type { DiscardResult } from '../result/import-result.js';
import { openInOrder } from './put-in-order.js';
import { refuseToLose } from './refuse-to-lose.js';

export interface DiscardRequest {
  /** A package, or the branch of its migration. */
  readonly name: string;
  readonly into: AbsolutePath;
  /** `show`: only list what would be deleted. */
  readonly extent: 'all' | 'show';
}

/**
 * Discards a migration that is not merged. Deletes its branch and tags in one transaction. The objects are then
 * unreachable until git's own housekeeping removes them. Throws `IMPORT_NOT_FOUND`, `IMPORT_MERGED`, `IMPORT_IN_USE`, `USAGE`, `REFS_NOT_MOVED`.
 */
export async function discard(request: DiscardRequest, services: Services): Promise<DiscardResult> {
  const target = await openInOrder(request.into, services);
  const found = await findImports(target.git, await readHeadState(target.userGit));
  const branch = await chooseBranch(target, found, request.name);
  const imports = found.imports.filter((entry) => entry.branch === branch);
  await refuseToLose(target, branch, imports);
  const tip = (await readRefs(target.git)).get(branch);
  if (tip === undefined) throw notFound(request.name, found);
  const { tags, keptTags } = await collectTags(target, imports);
  const refs: RefValue[] = [...tags, { ref: branch, value: tip }];
  if (request.extent === 'all') await withStagingArea(target, () => moveRefs(target.userGit, { kind: 'delete', refs }));
  return {
    schemaVersion: 1,
    branch: shortRef(branch),
    packages: imports.map(({ record }) => record.package),
    tags: tags.map(({ ref }) => shortRef(ref)),
    keptTags,
  };
}

async function notOpen(target: LocalRepository, found: FoundImports, name: string): Promise<ToolError> {
  const one = found.imports.find(({ record }) => record.package === name) ?? (await mergedOnBranch(target, found, name));
  if (one?.branch !== undefined || one === undefined) return notFound(name, found);
  return merged(one, (await findMerges(target.git, [one], await readHeadState(target.userGit))).get(one.merge));
}

/** Returns an import that both HEAD and the branch of this name contain: the branch belongs to a merged migration. */
async function mergedOnBranch({ git }: LocalRepository, { imports }: FoundImports, name: string): Promise<FoundImport | undefined> {
  const branches = (await git.text(['for-each-ref', '--format=%(refname)', 'refs/heads/migrate', 'refs/heads/sync'])).split('\n');
  const branch = branches.find((ref) => ref === `refs/heads/${name}`);
  if (branch === undefined) return undefined;
  for (const one of imports.filter((entry) => entry.branch === undefined))
    if ((await git.attempt(['merge-base', '--is-ancestor', one.merge, branch])).exit === 0) return one;
  return undefined;
}

async function chooseBranch(target: LocalRepository, found: FoundImports, name: string): Promise<RefName> {
  const named = found.imports.find(({ branch }) => branch !== undefined && shortRef(branch) === name);
  if (named?.branch !== undefined) return named.branch;
  const ofPackage = found.imports.filter(({ record }) => record.package === name);
  const [open, ...more] = ofPackage.filter(({ branch }) => branch?.startsWith('refs/heads/') === true);
  if (open?.branch === undefined) throw await notOpen(target, found, name);
  const branches = [...new Set([open, ...more].flatMap(({ branch }) => (branch === undefined ? [] : [shortRef(branch)])))];
  if (branches.length > 1) throw severalBranches(name, branches);
  const others = found.imports.filter(({ branch, record }) => branch === open.branch && record.package !== name);
  if (others.length === 0) return open.branch;
  throw new ToolError({
    code: 'USAGE',
    message: `${name} was migrated together with ${others.length} others, on one branch.`,
    hint: `Undo all of them with "migrate-repo discard ${shortRef(open.branch)}", then migrate the others again.`,
    data: { branch: shortRef(open.branch), others: others.map(({ record }) => record.package) },
  });
}

/** Returns the error for a package with several branches: an import and a sync, or syncs with different branches of the source. */
function severalBranches(name: string, branches: readonly string[]): ToolError {
  return new ToolError({
    code: 'USAGE',
    message: `${name} is on several unmerged branches: ${branches.join(', ')}.`,
    hint: `Name the one to undo: migrate-repo discard ${branches[0]}`,
    data: { branches },
  });
}

/** Returns the tags to delete. A tag that was moved after the import is kept. */
async function collectTags(target: LocalRepository, imports: readonly FoundImport[]): Promise<{ tags: RefValue[]; keptTags: string[] }> {
  const tags: RefValue[] = [];
  const keptTags: string[] = [];
  for (const found of imports) {
    const { came, moved } = await readRecordedTags(target.git, found);
    tags.push(...came.map(({ name, id }) => ({ ref: tagRef(name), value: id })));
    keptTags.push(...moved.map(({ name }) => name));
  }
  return { tags, keptTags };
}

/**
 * Returns the error for a merged import. `by` is the merge on HEAD's first-parent line that brought it; `undefined` if
 * the branch was fast-forwarded to it.
 */
function merged({ record, merge }: FoundImport, by: CommitId | undefined): ToolError {
  return new ToolError({
    code: 'IMPORT_MERGED',
    message: `${record.package} is already merged, so it can only be reverted.`,
    hint:
      by === undefined
        ? `HEAD was fast-forwarded to its commits. Revert those that follow the import ("git log --first-parent ${merge.slice(0, 10)}~1.." lists them), newest first, then the import: git revert -m 1 ${merge}`
        : `Revert the whole merge, including other imports in it: git revert -m 1 ${by}`,
    data: { name: record.package, merge: by ?? merge },
  });
}

function notFound(name: string, found: FoundImports): ToolError {
  const open = [...new Set(found.imports.flatMap(({ branch }) => (branch === undefined ? [] : [shortRef(branch)])))];
  return new ToolError({
    code: 'IMPORT_NOT_FOUND',
    message: `No unmerged migration of ${name} exists.`,
    hint: open.length === 0 ? 'No migration is waiting to be merged here.' : `Not merged yet: ${open.join(', ')}.`,
    data: { name, open },
  });
}
