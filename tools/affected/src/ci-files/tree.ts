import { isPlainObject } from '@tributary/model/plain-object';
import { typeOf } from './file-types.js';

/** A script of a package.json. */
export interface ManifestScript {
  /** `packages/ui/package.json#test` */
  readonly id: string;
  readonly text: string;
  readonly isOfRoot: boolean;
}

/** A commit as a CI engine checks it out. Paths count from the top of the repository. */
export interface CiTree {
  /** Submodules are left out. */
  readonly files: ReadonlyMap<string, 'file' | 'link'>;
  /** The files that may lead to others, by what a text may call them: `a.sh` and `a` for `bin/a.sh`, `x` for `x/action.yml`, too. */
  readonly byName: ReadonlyMap<string, readonly string[]>;
  /** The scripts of all manifests, by name. */
  readonly scripts: ReadonlyMap<string, readonly ManifestScript[]>;
  readonly isWorkspaceFile: (path: string) => boolean;
}

/** Asks for the texts of files, and is given them in their order: `undefined` for what is no text, or too large for one that a person wrote. */
export type Asking<T> = Generator<readonly string[], T, readonly (string | undefined)[]>;

interface TreeParts extends Pick<CiTree, 'files' | 'isWorkspaceFile'> {
  readonly manifests: readonly { readonly path: string; readonly text: string; readonly isOfRoot: boolean }[];
}

/** Puts together what is known of a commit. A manifest that cannot be read has no scripts: it is an error elsewhere. */
export function buildCiTree({ files, isWorkspaceFile, manifests }: TreeParts): CiTree {
  const byName = new Map<string, string[]>();
  for (const path of files.keys()) if (typeOf(path) !== undefined) for (const name of namesOf(path)) push(byName, name, path);
  const scripts = new Map<string, ManifestScript[]>();
  for (const { path, text, isOfRoot } of manifests)
    for (const [name, script] of scriptsIn(text)) push(scripts, name, { id: `${path}#${name}`, text: script, isOfRoot });
  return { files, byName, scripts, isWorkspaceFile };
}

/** The last name of a path, with and without its ending, and the name of the folder that a file stands for. */
function namesOf(path: string): ReadonlySet<string> {
  const [folder = '', name = ''] = path.includes('/') ? path.split('/').slice(-2) : ['', path];
  return new Set([name, name.replace(/\.\w+$/, ''), ...(STANDS_FOR_FOLDER.test(name) ? [folder] : [])]);
}

/** What is meant where only its folder is named. */
export const STANDS_FOR_FOLDER = /^(?:index\.\w+|action\.ya?ml|Dockerfile)$/;

function push<T>(groups: Map<string, T[]>, name: string, value: T): void {
  const known = groups.get(name);
  if (known === undefined) groups.set(name, [value]);
  else known.push(value);
}

function scriptsIn(manifest: string): readonly (readonly [name: string, text: string])[] {
  try {
    const value: unknown = JSON.parse(manifest);
    const scripts = isPlainObject(value) ? value['scripts'] : undefined;
    return Object.entries(isPlainObject(scripts) ? scripts : {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  } catch {
    return [];
  }
}
