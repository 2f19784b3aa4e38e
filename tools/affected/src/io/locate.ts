import { existsSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { type FoundRepository, refuseUntrusted } from '@tributary/git/ownership';
import { ToolError } from '@tributary/model/errors';
import { type AbsolutePath, parseAbsolutePath, type RepoFolder } from '@tributary/model/paths';
import { readTextFile } from '@tributary/process/unusable-file';

/** A project in a git repository on this machine. */
export interface RepoLocation extends FoundRepository {
  /** The git directory with the objects; of a linked worktree, that of the main repository. */
  readonly commonDir: AbsolutePath;
  /** The root of the project, relative to the repository. */
  readonly project: RepoFolder;
  /** `shallow`: a clone with truncated history. */
  readonly depth: 'shallow' | 'full';
}

/**
 * Finds the repository and project around a folder, and starts git only for the repository of another user. The project is the nearest
 * folder with a yarn.lock, otherwise the outermost one with a package.json, as in Yarn. Throws `TARGET_NOT_FOUND`, `TARGET_NOT_TRUSTED`.
 */
export async function locate(folder: AbsolutePath): Promise<RepoLocation> {
  const found = findRepository(folder);
  await refuseUntrusted(found);
  const { gitDir, workTree } = found;
  return { ...found, project: workTree === undefined ? '' : projectAround(folder, workTree), ...natureOf(gitDir) };
}

function findRepository(folder: AbsolutePath): FoundRepository {
  for (let at: string = folder; ; at = dirname(at)) {
    const gitDir = gitDirIn(at);
    if (gitDir !== undefined) return { gitDir, workTree: at as AbsolutePath };
    if (isGitDir(at)) return { gitDir: at as AbsolutePath, workTree: undefined };
    if (at === dirname(at)) break;
  }
  throw new ToolError({
    code: 'TARGET_NOT_FOUND',
    message: `${folder} is not in a git repository.`,
    hint: 'Run the command inside the monorepo, or name it with --cwd.',
  });
}

/** Returns the git directory: `.git` is a folder or, for a linked worktree or a submodule, a file with its path. */
function gitDirIn(folder: string): AbsolutePath | undefined {
  const path = join(folder, '.git');
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  if (stat.isDirectory()) return isGitDir(path) ? parseAbsolutePath(path) : undefined;
  // Reading a named pipe would wait for ever.
  if (!stat.isFile()) return undefined;
  const named = /^gitdir: (.*?)\r?\n?$/.exec(readTextFile(path))?.[1];
  return named === undefined ? undefined : parseAbsolutePath(resolve(folder, named));
}

function isGitDir(folder: string): boolean {
  return existsSync(join(folder, 'HEAD')) && (existsSync(join(folder, 'objects')) || existsSync(join(folder, 'commondir')));
}

function natureOf(gitDir: string): Pick<RepoLocation, 'commonDir' | 'depth'> {
  const common = join(gitDir, 'commondir');
  const shared = existsSync(common) ? resolve(gitDir, readTextFile(common).trim()) : gitDir;
  return { commonDir: parseAbsolutePath(shared), depth: existsSync(join(shared, 'shallow')) ? 'shallow' : 'full' };
}

function projectAround(folder: string, top: string): RepoFolder {
  let outermost = top;
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, 'yarn.lock'))) return fromTop(top, at);
    if (existsSync(join(at, 'package.json'))) outermost = at;
    if (at === top || at === dirname(at)) return fromTop(top, outermost);
  }
}

function fromTop(top: string, folder: string): RepoFolder {
  return (top === folder ? '' : relative(top, folder).split(sep).join('/')) as RepoFolder;
}
