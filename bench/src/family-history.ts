import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type Git, plumbing } from '@tributary/git/git';
import { readObjects } from '@tributary/git/objects';
import { parseCommit } from '@tributary/migrate-repo/history/commit';
import { undoCommitBody, undoTagBody } from '@tributary/migrate-repo/history/move-body';
import { listHistory } from '@tributary/migrate-repo/history/source-history';
import { parseTagObject } from '@tributary/migrate-repo/history/tag-object';
import type { PackageResult } from '@tributary/migrate-repo/result/result';
import { type ObjectId, parseObjectId } from '@tributary/model/ids';
import { parseAbsolutePath } from '@tributary/model/paths';
import type { Environment } from '@tributary/process/environment';
import { callProgram, runProgram } from '@tributary/process/spawn';

/** How many commits of the branch, and how many tags, are equal, of how many. `undefined`: git-filter-repo is not installed. */
export type ComparedHistory =
  | { readonly equal: number; readonly commits: number; readonly equalTags: number; readonly tags: number }
  | undefined;

/** The options with which git-filter-repo keeps every commit, as migrate-repo does. */
const SAME_MODE = [
  ...['--force', '--quiet', '--preserve-commit-hashes', '--preserve-commit-encoding'],
  ...['--prune-empty', 'never', '--prune-degenerate', 'never'],
];

/**
 * Compares the imported branch of a package and its tags with git-filter-repo's rewrite of the source, after undoing migrate-repo's changes
 * to messages. Of each commit it compares tree, parents, authors, dates and message; of each tag name, tagger, message and commit.
 * Signatures do not count, because git-filter-repo removes them.
 */
export async function compareHistory(
  {
    name,
    source,
    path,
    sourceCommit,
    commits,
    tags,
  }: Pick<PackageResult, 'name' | 'source' | 'path' | 'sourceCommit' | 'commits' | 'tags'>,
  place: { readonly fresh: string; readonly copy: string; readonly env: Environment },
): Promise<ComparedHistory> {
  const { fresh, copy, env } = place;
  const program = process.env['GIT_FILTER_REPO'] ?? 'git-filter-repo';
  const version = await callProgram({ program, args: ['--version'], env }).catch(() => undefined);
  if (version?.exit !== 0 || commits === null) return undefined;
  await runProgram({ program: 'git', args: ['clone', '--quiet', '--bare', '--no-local', source, copy], env });
  await runProgram({ program: 'git', args: ['update-ref', 'refs/heads/compared', sourceCommit], cwd: copy, env });
  await runProgram({ program: 'git', args: ['config', 'gc.writeCommitGraph', 'false'], cwd: copy, env });
  const refs = ['refs/heads/compared', ...tags.map(({ from }) => `refs/tags/${from}`)];
  const options = [...SAME_MODE, '--refs', ...refs, '--to-subdirectory-filter', path, '--tag-rename', `v:${name}@`];
  await runProgram({ program, args: options, cwd: copy, env });
  const theirs = plumbing(parseAbsolutePath(copy));
  const ours = plumbing(parseAbsolutePath(join(fresh, '.git')));
  const pairs = tags.map(({ from, to }) => ({ theirs: `refs/tags/${from.replace(/^v/, `${name}@`)}`, ours: `refs/tags/${to}` }));
  const [known, here] = [
    await outline(theirs, ['refs/heads/compared', ...pairs.map((one) => one.theirs)]),
    await outline(ours, [`${commits.merge}^2`, ...pairs.map((one) => one.ours)]),
  ];
  const all = new Set(known.branch);
  const equalTags = pairs.filter((_, at) => known.tags[at] === here.tags[at]).length;
  const equal = here.branch.filter((one) => all.has(one)).length;
  return { equal, commits: Math.max(here.branch.length, known.branch.length), equalTags, tags: pairs.length };
}

interface Outline {
  /** The commits of the branch, each as a text that is equal for equal commits; see `commitTexts`. */
  readonly branch: readonly string[];
  readonly tags: readonly string[];
}

async function outline(git: Git, [branch = '', ...tags]: readonly string[]): Promise<Outline> {
  const ids = (await git.text(['rev-parse', branch, ...tags.map((tag) => `${tag}^{commit}`)])).split('\n').map(parseObjectId);
  const [tip, ...tagged] = ids;
  const texts = await commitTexts(git, ids);
  const reachable = tip === undefined ? [] : await listHistory(git, [tip]);
  const objects = tags.length === 0 ? [] : (await git.text(['rev-parse', ...tags])).split('\n').map(parseObjectId);
  const found: string[] = [];
  for (const [at, object] of objects.entries())
    found.push(JSON.stringify([...(await tagTexts(git, object, tagged[at])), texts.get(tagged[at] as ObjectId)]));
  return { branch: reachable.map((id) => texts.get(id) ?? ''), tags: found };
}

/**
 * Returns the text of an annotated tag and of tags to which it points; empty for a tag that is the commit itself. Omits the name in it,
 * which git-filter-repo changes like the ref.
 */
async function tagTexts(git: Git, object: ObjectId, commit: ObjectId | undefined): Promise<readonly string[]> {
  if (object === commit) return [];
  const [content] = await readObjects(git, [object]);
  if (content === undefined) throw new Error(`${object} is not there`);
  const tag = parseTagObject(content.content);
  const rest = undoTagBody(tag.rest).toString('latin1');
  return [rest.replace(/-----BEGIN (?:PGP|SSH) SIGNATURE-----[\s\S]*$/, ''), ...(await tagTexts(git, tag.object, commit))];
}

/** Returns each commit as a text that is equal for equal commits and includes the parents' texts: parents come first. */
async function commitTexts(git: Git, tips: readonly ObjectId[]): Promise<ReadonlyMap<ObjectId, string>> {
  const ids = await listHistory(git, tips);
  const byId = new Map<ObjectId, string>();
  for (const { id, content } of await readObjects(git, ids)) {
    const { tree, parents, rest } = parseCommit(content);
    const hash = createHash('sha256').update(JSON.stringify([tree, parents.map((parent) => byId.get(parent) ?? parent)]));
    byId.set(id, hash.update(withoutSignatures(undoCommitBody(rest))).digest('hex'));
  }
  return byId;
}

/** Removes signature headers; continuation lines start with a blank. */
function withoutSignatures(rest: Buffer): Buffer {
  const text = rest.toString('latin1');
  const end = text.indexOf('\n\n');
  const headers = end < 0 ? text : text.slice(0, end + 1);
  return Buffer.from(
    `${headers.replace(/^(?:gpgsig|gpgsig-sha256|mergetag) .*\n(?: .*\n)*/gm, '')}${text.slice(headers.length)}`,
    'latin1',
  );
}
