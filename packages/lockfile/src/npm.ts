import { lineAt } from '@tributary/model/file-text';
import type { RepoFolder } from '@tributary/model/paths';
import { isPlainObject } from '@tributary/model/plain-object';
import { type ParseError, parse } from 'jsonc-parser';
import {
  fieldsOf,
  hasPlatformPackages,
  isForAllPlatforms,
  type LockFields,
  optionalOf,
  optionalPeersOf,
  textOf,
  textsOf,
} from './fields.js';
import { type LockEntry, type LockfileReading, readLockText, Unreadable } from './lockfile.js';

/**
 * Parses a package-lock.json or npm-shrinkwrap.json, with `lockfileVersion` 1 to 3; npm before 5 had none. With `names`, it returns only
 * the entries of packages with these names. Never throws.
 */
export function parseNpm(text: string, names?: ReadonlySet<string>, importer: RepoFolder = ''): LockfileReading {
  return readLockText(text, (bare) => buildLockfile(bare, names, importer));
}

function buildLockfile(text: string, names: ReadonlySet<string> | undefined, importer: RepoFolder): LockfileReading {
  const lock = parseJson(text);
  if (!isPlainObject(lock)) throw new Unreadable('it must be a JSON object');
  const { lockfileVersion = 1, packages, dependencies } = lock;
  if (lock['lockfileVersion'] === undefined && packages === undefined && dependencies === undefined)
    throw new Unreadable('it is not a lockfile: it has neither a version nor dependencies');
  if (![1, 2, 3].includes(Number(lockfileVersion))) return { kind: 'unsupported', found: JSON.stringify(lockfileVersion), known: '1 to 3' };
  const nodes = isPlainObject(packages) ? packages : flatten(fieldsOf(dependencies), '');
  const wanted = Object.entries(nodes).filter(([folder, node]) => names?.has(nameOf(folder, fieldsOf(node))) ?? true);
  // A link hides packages of the same name further up.
  const byFolder = new Map(wanted.map(([folder, node]) => [folder, buildEntry(folder, fieldsOf(node))] as const));
  return {
    kind: 'npm',
    entries: [...byFolder.values()].flatMap((entry) => entry ?? []),
    resolve: ({ from, name }) => climb(byFolder, from?.folder ?? importer, name),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const errors: ParseError[] = [];
    try {
      parse(text, errors, { disallowComments: true });
    } catch (error) {
      if (error instanceof RangeError) throw new Unreadable('it is not JSON, and nested too deeply');
      throw error;
    }
    throw new Unreadable(`line ${lineAt(text, errors[0]?.offset ?? 0)} is not JSON`);
  }
}

/** Returns the packages by folder. Version 1 nests its packages and calls their dependencies `requires`. */
function flatten(dependencies: LockFields, above: string): LockFields {
  const nodes = Object.entries(dependencies).map(([name, value]) => {
    const node = fieldsOf(value);
    const folder = `${above}node_modules/${name}`;
    const [, alias, version] = /^npm:(@?[^@]+)@(.*)$/.exec(textOf(node['version']) ?? '') ?? [];
    const own = { ...node, dependencies: node['requires'], name: alias ?? name, version: version ?? node['version'] };
    return { [folder]: own, ...flatten(fieldsOf(node['dependencies']), `${folder}/`) };
  });
  return Object.assign({}, ...nodes) as LockFields;
}

/** Returns an entry; `undefined` for a link. */
function buildEntry(folder: string, node: LockFields): LockEntry | undefined {
  if (node['link'] === true) return undefined;
  return {
    name: nameOf(folder, node),
    version: textOf(node['version']) ?? '',
    descriptors: [],
    folder,
    archive: textOf(node['resolved']),
    dependencies: textsOf(node['dependencies'], node['optionalDependencies']),
    peerDependencies: textsOf(node['peerDependencies']),
    optionalPeers: optionalPeersOf(node),
    binaries: Object.keys(fieldsOf(node['bin'])),
    hasBuildScript: node['hasInstallScript'] === true && isForAllPlatforms(node) && !hasPlatformPackages(optionalOf(node)),
    isOnlyPeer: node['peer'] === true,
  };
}

function nameOf(folder: string, node: LockFields): string {
  return textOf(node['name']) ?? folder.replace(/^.*node_modules\//, '');
}

/** Finds a package as Node does: in the node_modules of each folder from `from` upwards. */
function climb(byFolder: ReadonlyMap<string, LockEntry | undefined>, from: string, name: string): LockEntry | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('/'), 0))) {
    const candidate = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (folder === '' || byFolder.has(candidate)) return byFolder.get(candidate);
  }
}
