import { isPlainObject } from '@tributary/model/plain-object';
import type { Manifest } from '@tributary/workspaces/manifest';
import { collectAsks } from './asks.js';
import { unknownFormat } from './broken.js';
import { directDependencies } from './direct.js';
import { installedPeers, type PeerAsk, requiredPeers, requiredPeersIn } from './peers.js';
import type { LockEdge, LockReading } from './reading.js';

/** One folder below node_modules, as npm's lockfile has it. */
type NpmNode = Readonly<Record<string, unknown>>;

/**
 * Reads a package-lock.json or npm-shrinkwrap.json, of `lockfileVersion` 1 to 3; before npm 5 there was none. Throws an `Error` for a text that is none,
 * `LOCKFILE_UNSUPPORTED`.
 */
export function readNpmLock(text: string, manifest: Manifest, file: string): LockReading {
  const lock: unknown = JSON.parse(text);
  if (!isPlainObject(lock)) throw new Error('it is no JSON object');
  const version = lock['lockfileVersion'] ?? 1;
  if (![1, 2, 3].includes(Number(version))) throw unknownFormat(file, JSON.stringify(version), '1 to 3');
  const nodes = isPlainObject(lock['packages']) ? nodesOf(lock['packages']) : flatten(lock['dependencies'], '');
  const edges = [...directDependencies(manifest)].map(([name, range]) => edgeOf(nodes, { from: '', name, range, direct: true }));
  for (const [from, node] of nodes) {
    if (from === '' || node['link'] === true) continue;
    for (const [name, range] of pairsOf({ ...record(node['dependencies']), ...record(node['optionalDependencies']) })) {
      edges.push(edgeOf(nodes, { from, name, range, direct: false }));
    }
  }
  const installed = [...nodes].filter(([path, node]) => path.includes('node_modules/') && typeof node['version'] === 'string');
  return {
    kind: 'npm',
    edges,
    packages: installed.map(([path, node]) => ({
      name: nameOf(path, node),
      version: String(node['version']),
      source: textOf(node['resolved']),
    })),
    tops: new Map(installed.flatMap(([path, node]) => (isTop(path) ? [[folderName(path), String(node['version'])]] : []))),
    asks: collectAsks(installed.map(([path, node]) => ({ names: [nameOf(path, node), folderName(path)], asked: askedBy(node) }))),
    builds: installed.flatMap(([path, node]) => (hasBuild(node) ? [`${nameOf(path, node)}@${String(node['version'])}`] : [])),
    peers: installedPeers(peerAsks(nodes, manifest), manifest),
    binaries: new Map(installed.filter(([path]) => isTop(path)).flatMap(binariesOf)),
  };
}

function nodesOf(packages: NpmNode): ReadonlyMap<string, NpmNode> {
  return new Map(Object.entries(packages).flatMap(([path, node]) => (isPlainObject(node) ? [[path, node] as const] : [])));
}

/** Version 1 nests its packages and calls their requests `requires`. */
function flatten(dependencies: unknown, above: string): ReadonlyMap<string, NpmNode> {
  const nodes = new Map<string, NpmNode>();
  for (const [name, node] of Object.entries(record(dependencies))) {
    if (!isPlainObject(node)) continue;
    const path = `${above}node_modules/${name}`;
    const [, alias, version] = /^npm:(.+)@([^@]+)$/.exec(String(node['version'])) ?? [];
    nodes.set(path, {
      ...node,
      dependencies: record(node['requires']),
      version: version ?? node['version'],
      ...(alias === undefined ? {} : { name: alias }),
    });
    for (const entry of flatten(node['dependencies'], `${path}/`)) nodes.set(...entry);
  }
  return nodes;
}

function edgeOf(nodes: ReadonlyMap<string, NpmNode>, asked: { from: string; name: string; range: string; direct: boolean }): LockEdge {
  const { from, name, range, direct } = asked;
  const node = climb(nodes, from, name);
  const version = node === undefined || node['link'] === true || !/^\d/.test(String(node['version'])) ? undefined : String(node['version']);
  return { name, range, version, direct };
}

/** As Node looks for a package: in the node_modules of each folder from `from` upwards. */
function climb(nodes: ReadonlyMap<string, NpmNode>, from: string, name: string): NpmNode | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('/'), 0))) {
    const found = nodes.get(folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`);
    if (found !== undefined || folder === '') return found;
  }
}

/** Of what is behind the dependencies only that which peers alone have brought, as the file says. Version 1 knows no peers. */
function peerAsks(nodes: ReadonlyMap<string, NpmNode>, manifest: Manifest): readonly PeerAsk[] {
  const direct = directDependencies(manifest);
  const own = requiredPeers(manifest).map((name) => ({ name, from: '', by: undefined, reach: 'package' as const }));
  const others = [...nodes].flatMap(([path, node]) => {
    if (path === '' || node['link'] === true) return [];
    const reach = isTop(path) && direct.has(folderName(path)) ? ('dependency' as const) : ('indirect' as const);
    const by = `${nameOf(path, node)}@${String(node['version'])}`;
    return requiredPeersIn(node).map((name) => ({ name, from: path, by, reach }));
  });
  return [...own, ...others].flatMap(({ from, ...ask }): readonly PeerAsk[] => {
    const found = climb(nodes, from, ask.name);
    const isBrought = found !== undefined && found['link'] !== true && (ask.reach !== 'indirect' || found['peer'] === true);
    return isBrought ? [{ ...ask, version: String(found['version']) }] : [];
  });
}

/** Of no platform alone, as fsevents is. */
function hasBuild(node: NpmNode): boolean {
  return node['hasInstallScript'] === true && node['os'] === undefined && node['cpu'] === undefined;
}

function askedBy(node: NpmNode): readonly string[] {
  const { dependencies, optionalDependencies } = node;
  return [...Object.keys(record(dependencies)), ...Object.keys(record(optionalDependencies)), ...requiredPeersIn(node)];
}

function nameOf(path: string, node: NpmNode): string {
  return typeof node['name'] === 'string' ? node['name'] : folderName(path);
}

function folderName(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function isTop(path: string): boolean {
  return path.lastIndexOf('node_modules/') === 0;
}

function binariesOf([path, node]: readonly [string, NpmNode]): [string, string][] {
  return Object.keys(record(node['bin'])).map((binary) => [binary, folderName(path)]);
}

function record(value: unknown): NpmNode {
  return isPlainObject(value) ? value : {};
}

function pairsOf(value: NpmNode): [string, string][] {
  return Object.entries(value).flatMap(([name, range]) => (typeof range === 'string' ? [[name, range]] : []));
}
