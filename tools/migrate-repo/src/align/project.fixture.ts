import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import { parseSemverRange } from '@tributary/workspaces/ranges';
import { workspacesOf } from '@tributary/workspaces/testing/parse-graph';
import type { ImportedPackage, LockedVersions, Monorepo, OldLock } from './project.js';

/** Locked versions by `name@range`. */
type LockText = Readonly<Record<string, string>>;

interface ProjectText {
  /** Manifests by folder. The root's folder is `''`; its manifest is added if it is missing. */
  readonly manifests: Readonly<Record<string, object>>;
  /** What each imported package had locked, by folder, in merge order. */
  readonly importedPackages: Readonly<Record<string, LockText>>;
  readonly rootLock?: LockText;
  readonly files?: Readonly<Record<string, string>>;
  /** Released versions by folder. */
  readonly released?: Readonly<Record<string, string>>;
}

/** FOR TESTS. Returns a project as an alignment step finds it. Its manifests are indented with two spaces. */
export function projectOf({ manifests, importedPackages, rootLock, files = {}, released = {} }: ProjectText): Monorepo {
  const workspaces = workspacesOf(manifests);
  const texts = new Map<string, string>(Object.entries(files));
  for (const { path, manifest } of workspaces) texts.set(path === '' ? 'package.json' : `${path}/package.json`, layOut(manifest.raw));
  return {
    files: { paths: [...texts.keys()].sort() as RepoPath[], read: (path) => texts.get(path) },
    workspaces,
    importedPackages: Object.entries(importedPackages).map(([path, lock]): ImportedPackage => {
      const workspace = workspaces.find((one) => one.path === (path as RepoFolder));
      if (workspace === undefined) throw new Error(`${path} is no workspace`);
      return { name: workspace.name, path: path as RepoPath, manifest: workspace.manifest, oldLock: oldLockOf(lock) };
    }),
    rootLock: rootLock === undefined ? undefined : lockOf(rootLock),
    released: new Map(Object.entries(released)) as Monorepo['released'],
  };
}

export function layOut(manifest: object): string {
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

function lockOf(text: LockText): LockedVersions {
  const versionsOf = (name: string): readonly string[] =>
    Object.entries(text).flatMap(([request, version]) => (request.startsWith(`${name}@`) ? [version] : []));
  return { resolve: (name, range) => text[`${name}@${range}`], versionsOf };
}

function oldLockOf(text: LockText): OldLock {
  const locked = lockOf(text);
  const requests = Object.entries(text).map(([request, version]) => {
    const [, name = '', range = ''] = /^(.+)@(.*)$/.exec(request) ?? [];
    return { name, range, version };
  });
  const topVersionOf = (name: string): string | undefined =>
    locked.versionsOf(name).find((version) => parseSemverRange('*')?.test(version) === true);
  const rest = {
    binaries: new Map<string, string>(),
    ignored: [],
    addressed: [],
    packed: [],
    peers: [],
    builds: [],
    asks: new Map<string, ReadonlySet<string>>(),
    indirect: new Set<string>(),
    askersOf: () => [],
    ownVersionsOf: locked.versionsOf,
    hosts: new Map<string, readonly string[]>(),
  };
  return { ...locked, ...rest, kind: 'yarn classic', file: 'yarn.lock', requests, topVersionOf };
}
