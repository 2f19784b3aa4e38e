import { join } from 'node:path';
import { type Git, plumbing } from '@tributary/git/git';
import { readObjects } from '@tributary/git/objects';
import { parseCommit } from '@tributary/migrate-repo/history/commit';
import { undoCommitBody } from '@tributary/migrate-repo/history/move-body';
import { listHistory } from '@tributary/migrate-repo/history/source-history';
import type { PackageResult } from '@tributary/migrate-repo/result';
import { type ObjectId, parseObjectId } from '@tributary/model/ids';
import { parseAbsolutePath } from '@tributary/model/paths';
import type { Environment } from '@tributary/process/environment';
import { callProgram, runProgram } from '@tributary/process/spawn';

/** `undefined`: git-filter-repo is not here. Otherwise how many commits are equal, of how many. */
export type ComparedHistory = { readonly equal: number; readonly commits: number } | undefined;

/** The options under which git-filter-repo keeps every commit, as migrate-repo does. */
const SAME_MODE = [
  ...['--force', '--quiet', '--preserve-commit-hashes', '--preserve-commit-encoding'],
  ...['--prune-empty', 'never', '--prune-degenerate', 'never'],
];

/**
 * Compares the imported branch of a package with what git-filter-repo makes of the source: the tree, the parents, authors, dates and the message of each commit, once what
 * migrate-repo changed in messages is undone. Signatures do not count: git-filter-repo takes them off.
 */
export async function compareHistory(
  { source, path, sourceCommit, commits }: Pick<PackageResult, 'source' | 'path' | 'sourceCommit' | 'commits'>,
  place: { readonly fresh: string; readonly copy: string; readonly env: Environment },
): Promise<ComparedHistory> {
  const { fresh, copy, env } = place;
  const program = process.env['GIT_FILTER_REPO'] ?? 'git-filter-repo';
  const version = await callProgram({ program, args: ['--version'], env }).catch(() => undefined);
  if (version?.exit !== 0 || commits === null) return undefined;
  await runProgram({ program: 'git', args: ['clone', '--quiet', '--bare', '--no-local', '--no-tags', source, copy], env });
  await runProgram({ program: 'git', args: ['update-ref', 'refs/heads/compared', sourceCommit], cwd: copy, env });
  await runProgram({ program: 'git', args: ['config', 'gc.writeCommitGraph', 'false'], cwd: copy, env });
  const options = [...SAME_MODE, '--refs', 'refs/heads/compared', '--to-subdirectory-filter', path];
  await runProgram({ program, args: options, cwd: copy, env });
  const theirs = await outline(plumbing(parseAbsolutePath(copy)), 'refs/heads/compared');
  const ours = await outline(plumbing(parseAbsolutePath(join(fresh, '.git'))), `${commits.merge}^2`);
  const known = new Set(theirs);
  return { equal: ours.filter((one) => known.has(one)).length, commits: Math.max(ours.length, theirs.length) };
}

/** Each commit as a text that is the same for the same commit, with those of its parents in it: parents come first. */
async function outline(git: Git, ref: string): Promise<readonly string[]> {
  const { createHash } = await import('node:crypto');
  const tip = parseObjectId(await git.text(['rev-parse', ref]));
  const ids = await listHistory(git, [tip]);
  const byId = new Map<ObjectId, string>();
  for (const { id, content } of await readObjects(git, ids)) {
    const { tree, parents, rest } = parseCommit(content);
    const hash = createHash('sha256').update(JSON.stringify([tree, parents.map((parent) => byId.get(parent) ?? parent)]));
    byId.set(id, hash.update(withoutSignatures(undoCommitBody(rest))).digest('hex'));
  }
  return [...byId.values()];
}

/** Headers over several lines continue with a blank. */
function withoutSignatures(rest: Buffer): Buffer {
  const text = rest.toString('latin1');
  const end = text.indexOf('\n\n');
  const headers = end < 0 ? text : text.slice(0, end + 1);
  return Buffer.from(
    `${headers.replace(/^(?:gpgsig|gpgsig-sha256|mergetag) .*\n(?: .*\n)*/gm, '')}${text.slice(headers.length)}`,
    'latin1',
  );
}
