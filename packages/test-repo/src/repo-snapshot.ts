import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** The parts of a repository that a rejected or undone run must not change. Compare two with `toEqual`. */
export interface RepoSnapshot {
  /** The text of the file `HEAD`: `ref: refs/heads/main`, or an id. */
  readonly head: string;
  /** `<id> <type> <name>` of every ref, ordered by name. */
  readonly refs: readonly string[];
  /** Hash of the index file; `absent` without one. */
  readonly index: string;
  /** `git status --porcelain=v1 -uall`, line by line; empty for a bare repository. */
  readonly status: readonly string[];
  readonly config: string;
  readonly hooks: readonly string[];
  /** All other files of the git directory except objects and what `affected` keeps there (FETCH_HEAD, logs, worktrees, left-over locks): path to hash. */
  readonly gitFolder: Readonly<Record<string, string>>;
  /** Files, links and folders outside `.git`, including ignored ones: path to mode and hash. Empty for a bare repository. */
  readonly worktree: Readonly<Record<string, string>>;
}

/** Runs git in the repository and returns its stdout. */
export type RunGit = (...args: string[]) => Buffer;

/** Reads the state of a repository without writing: even the index is not refreshed. */
export function takeSnapshot(folder: string, git: RunGit): RepoSnapshot {
  const lines = (...args: string[]): string[] =>
    git(...args)
      .toString('utf8')
      .split('\n')
      .filter((line) => line !== '');
  const [gitFolder = '', bare = ''] = lines('rev-parse', '--absolute-git-dir', '--is-bare-repository');
  const files = hashFiles(gitFolder, ['objects', 'tributary']);
  return {
    head: readFileSync(join(gitFolder, 'HEAD'), 'utf8').trim(),
    refs: lines('for-each-ref', '--format=%(objectname) %(objecttype) %(refname)'),
    index: files.index ?? 'absent',
    status: bare === 'true' ? [] : lines('--no-optional-locks', 'status', '--porcelain=v1', '-uall'),
    config: readFileSync(join(gitFolder, 'config'), 'utf8'),
    hooks: Object.keys(files).filter((name) => name.startsWith('hooks/')),
    gitFolder: Object.fromEntries(Object.entries(files).filter(([name]) => !isShownElsewhere(name))),
    worktree: bare === 'true' ? {} : hashFiles(folder, ['.git']),
  };
}

/**
 * Returns whether other fields cover a file. A ref may move between its own file and `packed-refs` without a change; a left-over lock
 * counts as a trace.
 */
function isShownElsewhere(name: string): boolean {
  return /^(HEAD|index|config|packed-refs|refs(\/.*)?)$/.test(name) && !name.endsWith('.lock');
}

/** Returns path → `<mode> <hash>` for everything below `folder`, in order, without the top-level names in `leftOut`. */
function hashFiles(folder: string, leftOut: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  const visit = (below: string): void => {
    for (const name of readdirSync(join(folder, below)).sort()) {
      const path = below === '' ? name : `${below}/${name}`;
      if (leftOut.includes(path)) continue;
      const stat = lstatSync(join(folder, path));
      if (stat.isDirectory()) {
        found[path] = 'folder';
        visit(path);
      } else {
        const content = stat.isSymbolicLink() ? readlinkSync(join(folder, path)) : readFileSync(join(folder, path));
        found[path] = `${stat.mode.toString(8)} ${hash(content)}`;
      }
    }
  };
  visit('');
  return found;
}

function hash(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
}
