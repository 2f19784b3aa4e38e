import { isPlainObject } from '@tributary/model/plain-object';
import { push } from '@tributary/references/groups';
import { ACTIONS, typeOf } from './file-types.js';

/** A script of a package.json. */
export interface ManifestScript {
  /** `packages/ui/package.json#test` */
  readonly id: string;
  readonly text: string;
  readonly isOfRoot: boolean;
}

/** A commit as a CI engine checks it out. Paths are relative to the repository. */
export interface CiTree {
  /** Without submodules. */
  readonly files: ReadonlyMap<string, 'file' | 'link'>;
  /**
   * The files that may lead to others, and those of actions, by the names that a text may use for them: `a.sh` and `a` for `bin/a.sh`, and
   * also `x` for `x/action.yml`.
   */
  readonly byName: ReadonlyMap<string, readonly string[]>;
  /** The scripts of all manifests, by name. */
  readonly scripts: ReadonlyMap<string, readonly ManifestScript[]>;
  readonly isWorkspaceFile: (path: string) => boolean;
}

/**
 * Yields paths and receives their texts in the same order: `undefined` for files that are not text, or too large to be written by a person.
 */
export type Asking<T> = Generator<readonly string[], T, readonly (string | undefined)[]>;

interface TreeParts extends Pick<CiTree, 'files' | 'isWorkspaceFile'> {
  readonly manifests: readonly { readonly path: string; readonly text: string; readonly isOfRoot: boolean }[];
}

/** Builds the tree of a commit. An unreadable manifest has no scripts; it causes an error elsewhere. */
export function buildCiTree({ files, isWorkspaceFile, manifests }: TreeParts): CiTree {
  const byName = new Map<string, string[]>();
  for (const path of files.keys())
    if (typeOf(path) !== undefined || path.startsWith(`${ACTIONS}/`)) for (const name of namesOf(path)) push(byName, name, path);
  const scripts = new Map<string, ManifestScript[]>();
  for (const { path, text, isOfRoot } of manifests)
    for (const [name, script] of scriptsIn(text)) push(scripts, name, { id: `${path}#${name}`, text: script, isOfRoot });
  return { files, byName, scripts, isWorkspaceFile };
}

/** Returns the last segment of a path, with and without its ending, and the folder's name if the file stands for its folder. */
function namesOf(path: string): ReadonlySet<string> {
  const [folder = '', name = ''] = path.includes('/') ? path.split('/').slice(-2) : ['', path];
  return new Set([name, name.replace(/\.\w+$/, ''), ...(STANDS_FOR_FOLDER.test(name) ? [folder] : [])]);
}

/** The files that the name of their folder refers to. */
export const STANDS_FOR_FOLDER = /^(?:index\.\w+|action\.ya?ml|Dockerfile)$/;

function scriptsIn(manifest: string): readonly (readonly [name: string, text: string])[] {
  try {
    const value: unknown = JSON.parse(manifest);
    const scripts = isPlainObject(value) ? value['scripts'] : undefined;
    return Object.entries(isPlainObject(scripts) ? scripts : {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  } catch {
    return [];
  }
}
