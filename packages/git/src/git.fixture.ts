import { join } from 'node:path';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';

/** The part of a `CleanUp` that is needed. */
interface Later {
  defer(work: () => unknown): void;
}

/** The part of a `TempRepo` that is needed. */
export interface WorkTree {
  readonly path: string;
}

/** The part of a `TempFolder` that is needed. */
interface Home {
  readonly path: string;
  write(name: string, content: string): unknown;
}

/** Makes Ada the user, whose settings have her identity and allow a dangerous protocol. */
export function moveInto(home: Home, until: Later): void {
  home.write('.gitconfig', '[user]\n\tname = Ada\n\temail = ada@example.com\n[protocol "ext"]\n\tallow = always\n');
  setVariable('HOME', home.path, until);
  for (const name of ['GIT_CONFIG_GLOBAL', 'XDG_CONFIG_HOME', 'GIT_AUTHOR_NAME', 'GIT_COMMITTER_NAME', 'EMAIL'])
    setVariable(name, undefined, until);
}

/** Sets a variable of this process and restores it later. */
export function setVariable(name: string, value: string | undefined, until: Later): void {
  const before = process.env[name];
  const set = (to: string | undefined): void => {
    if (to === undefined) delete process.env[name];
    else process.env[name] = to;
  };
  until.defer(() => set(before));
  set(value);
}

/** Returns the git directory of a repository with a working tree. */
export function gitDirOf(repo: WorkTree): AbsolutePath {
  return parseAbsolutePath(join(repo.path, '.git'));
}

/** Hooks that our commands might start. */
export const HOOKS = [
  'reference-transaction',
  'post-index-change',
  'pre-auto-gc',
  'post-checkout',
  'pre-commit',
  'post-commit',
  'post-update',
  'update',
];
