import { lineAt } from '@tributary/model/file-text';
import { isRecord } from '@tributary/model/record';
import { type ParseError, parse } from 'jsonc-parser';
import { type Fields, fieldsOf, metadataOf, textOf, textsOf } from './fields.js';
import {
  type LockEntry,
  type Lockfile,
  PLAIN_ENTRY,
  readLockText,
  Unreadable,
  type UnreadableLockfile,
  type UnsupportedLockfile,
} from './lockfile.js';

/** Reads a package-lock.json or npm-shrinkwrap.json, of `lockfileVersion` 1 to 3; before npm 5 there was none. Never throws. */
export function parseNpm(text: string): Lockfile | UnreadableLockfile | UnsupportedLockfile {
  return readLockText(text, buildLockfile);
}

function buildLockfile(text: string): Lockfile | UnsupportedLockfile {
  const lock = parseJson(text);
  if (!isRecord(lock)) throw new Unreadable('it must hold a JSON object');
  const { lockfileVersion = 1, packages, dependencies } = lock;
  if (lock['lockfileVersion'] === undefined && packages === undefined && dependencies === undefined)
    throw new Unreadable('it is no lockfile, for it has neither a version nor dependencies');
  const version = Number(lockfileVersion);
  if (![1, 2, 3].includes(version)) return { kind: 'unsupported', found: JSON.stringify(lockfileVersion), known: '1 to 3' };
  const nodes = isRecord(packages) ? Object.entries(packages) : flatten(fieldsOf(dependencies), '');
  // A link hides packages of its name further up.
  const byFolder = new Map(nodes.map(([folder, node]) => [folder, buildEntry(folder, fieldsOf(node))] as const));
  return {
    kind: 'npm',
    version,
    entries: [...byFolder.values()].flatMap((entry) => entry ?? []),
    resolve: ({ from, name }) => climb(byFolder, from?.folder ?? '', name),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const errors: ParseError[] = [];
    parse(text, errors, { disallowComments: true });
    throw new Unreadable(`line ${lineAt(text, errors[0]?.offset ?? 0)} is not JSON`);
  }
}

/** Version 1 nests its packages and calls their dependencies `requires`. */
function flatten(dependencies: Fields, above: string): readonly (readonly [string, Fields])[] {
  return Object.entries(dependencies).flatMap(([name, value]) => {
    const node = fieldsOf(value);
    const folder = `${above}node_modules/${name}`;
    const [, alias, version] = /^npm:(@?[^@]+)@(.*)$/.exec(textOf(node['version']) ?? '') ?? [];
    const own = { ...node, dependencies: node['requires'], name: alias ?? name, version: version ?? node['version'] };
    return [[folder, own] as const, ...flatten(fieldsOf(node['dependencies']), `${folder}/`)];
  });
}

/** `undefined` for a link. */
function buildEntry(folder: string, node: Fields): LockEntry | undefined {
  if (node['link'] === true) return undefined;
  return {
    ...PLAIN_ENTRY,
    ...metadataOf(node),
    name: textOf(node['name']) ?? folder.replace(/^.*node_modules\//, ''),
    version: textOf(node['version']) ?? '',
    folder,
    archive: textOf(node['resolved']),
    dependencies: new Map([...textsOf(node['dependencies']), ...textsOf(node['optionalDependencies'])]),
    binaries: Object.keys(fieldsOf(node['bin'])),
    hasBuildScript: node['hasInstallScript'] === true,
    isOnlyPeer: node['peer'] === true,
  };
}

/** As Node looks for a package: in the node_modules of each folder from `from` upwards. */
function climb(byFolder: ReadonlyMap<string, LockEntry | undefined>, from: string, name: string): LockEntry | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('/'), 0))) {
    const place = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (folder === '' || byFolder.has(place)) return byFolder.get(place);
  }
}
