import { join } from 'node:path';
import { type Git, plumbing } from '@tributary/git/git';
import type { ObjectFormat } from '@tributary/git/object-id';
import { type CommitId, type ObjectId, parseWorkspaceName, type RefName } from '@tributary/model/ids';
import type { MessageMapping } from '@tributary/model/message-mapping';
import { type AbsolutePath, parseAbsolutePath, parseRepoPath } from '@tributary/model/paths';
import { RepoUrl } from '@tributary/model/repo-url';
import { type RandomHistoryPlan, type WrittenCommit, writeRandomHistory } from '@tributary/test-repo/random-history';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { parseManifest } from '@tributary/workspaces/manifest';
import type { PlannedPackage } from '../plan/plan.js';
import { type MovedHistory, type MoveOrder, moveHistory } from './move.js';

/** The author and committer of the merge, in every test. */
export const IDENTITY = {
  author: 'Tess Tester <tess@example.com> 1700000000 +0000',
  committer: 'Tess Tester <tess@example.com> 1700000000 +0000',
};

/** What tests choose of a source; the rest is the same for all. */
export interface SourceChoice {
  readonly tip: CommitId;
  /** Tags, which are renamed to `x@<name>`. */
  readonly tags?: readonly { readonly name: string; readonly id: ObjectId }[];
  /** Default: `packages/x`. */
  readonly path?: string;
  readonly subdirectory?: string;
  /** Default: exact. */
  readonly messages?: MessageMapping;
}

/** Rewrites messages so that references name `acme/x`. */
export const QUALIFIED: MessageMapping = { repository: { name: 'acme/x', forge: 'other' } };

function planSource(choice: SourceChoice): PlannedPackage {
  const path = parseRepoPath(choice.path ?? 'packages/x');
  const subdirectory = choice.subdirectory === undefined ? undefined : parseRepoPath(choice.subdirectory);
  const tags = choice.tags ?? [];
  return {
    source: {
      request: { name: parseWorkspaceName('x'), url: new RepoUrl('path', '/source'), branch: undefined, subdirectory, path: undefined },
      ref: 'refs/heads/main' as RefName,
      tip: choice.tip,
      manifest: parseManifest('{"name":"x"}', 'package.json'),
      files: [],
      tags,
    },
    path,
    messages: choice.messages ?? 'exact',
    tagPattern: '{name}@{tag}',
    tags: tags.map((tag) => ({ ...tag, newName: `x@${tag.name}` })),
    cleanUp: [],
    knownTags: [],
    otherTags: [],
    apart: [],
    twins: [],
    rootManifestText: undefined,
  };
}

/** Returns the git folder of a repository with a work tree. */
export function gitDirOf(repo: TempRepo): AbsolutePath {
  return parseAbsolutePath(join(repo.path, '.git'));
}

/** Moves a history within its own repository. */
export function move(git: Git, choice: SourceChoice & Partial<Pick<MoveOrder, 'format' | 'strategy'>>): Promise<MovedHistory> {
  const { format = 'sha1', strategy = 'rewrite' } = choice;
  return moveHistory(git, { planned: planSource(choice), format, strategy, identity: IDENTITY });
}

/** A random history in a repository of its own, with refs. It can be migrated: its tip holds a file below the folder `holding`. */
export interface RandomSource {
  readonly repo: TempRepo;
  readonly git: Git;
  readonly tip: CommitId;
  readonly tags: readonly { readonly name: string; readonly id: ObjectId }[];
}

/** Creates a random source. Returns `undefined` if no commit of the branch holds a file below the folder `holding`. */
export function makeRandomSource(
  plan: RandomHistoryPlan,
  options: { readonly format?: ObjectFormat; readonly holding?: string } = {},
): RandomSource | undefined {
  const { format = 'sha1', holding = '' } = options;
  const repo = TempRepo.create({ bare: true, objectFormat: format });
  const { line, tags } = writeRandomHistory(repo, format, plan);
  const tip = line.findLast((commit) => holdsBelow(commit, holding))?.id;
  if (tip === undefined) {
    repo.dispose();
    return undefined;
  }
  const refs = [{ ref: 'refs/heads/main', id: tip }, ...tags.map(({ name, id }) => ({ ref: `refs/tags/${name}`, id }))];
  repo.gitWithInput(refs.map(({ ref, id }) => `create ${ref} ${id}\n`).join(''), 'update-ref', '--stdin');
  return { repo, git: plumbing(repo.path), tip, tags };
}

function holdsBelow(commit: WrittenCommit, folder: string): boolean {
  return [...commit.files].some((file) => file.startsWith(folder === '' ? '' : `${folder}/`));
}

/**
 * FOR TESTS. Returns the start of an id, long enough not to be taken for a number or a word: it has a digit and a
 * letter. One id of thirty has no letter in its first eight digits.
 */
export function short(id: string): string {
  for (let length = 8; length < id.length; length++) {
    const start = id.slice(0, length);
    if (/\d/.test(start) && /[a-f]/.test(start)) return start;
  }
  return id;
}
