import { posix } from 'node:path';
import semver from 'semver';
import { type Mutable, type Ranges, VERSIONS, type World } from './random-world.fixture.js';

/** An entry of a lockfile before it is written. */
interface Locked {
  readonly keys: Set<string>;
  readonly version: string;
  readonly dependencies: Ranges;
  readonly peers: Ranges;
  readonly isWorkspace: boolean;
}

const FIELDS = ['dependencies', 'devDependencies', 'optionalDependencies'];

/** Writes the lockfile that fits the manifests. */
export function writeLock(world: World): string {
  const locked = new Map<string, Locked>();
  for (const [folder, manifest] of [['.', world.root] as const, ...world.members]) lockMember(world, locked, folder, manifest);
  const sorted = [...locked].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return world.lock === 'classic' ? writeClassic(sorted) : writeBerry(sorted);
}

function lockMember(world: World, locked: Map<string, Locked>, folder: string, manifest: Mutable): void {
  const asked = Object.assign({}, ...FIELDS.map((field) => manifest[field])) as Ranges;
  const name = String(manifest['name']);
  if (world.lock === 'berry') {
    const dependencies = Object.fromEntries(Object.entries(asked).map(([key, range]) => [key, withProtocol(range)]));
    const entry = entryOf(locked, `${name}@workspace:${folder}`, { version: '0.0.0-use.local', dependencies, isWorkspace: true });
    Object.assign(entry.peers, manifest['peerDependencies']);
    entry.keys.add(`${name}@workspace:${folder}`);
  }
  for (const [key, range] of Object.entries(asked)) lockDependency(world, locked, key, range, { name, folder });
}

function lockDependency(
  world: World,
  locked: Map<string, Locked>,
  name: string,
  asked: string,
  from: { name: string; folder?: string },
): void {
  const range = overridden(world, name) ?? inCatalog(world, name, asked);
  const [, protocol] = /^(portal|link|file):/.exec(range) ?? [];
  if (protocol !== undefined && from.folder !== undefined) return lockPath(world, locked, name, range, { ...from, folder: from.folder });
  const member = memberFor(world, name, range);
  if (member !== undefined) {
    const [folder, { name: real }] = member;
    if (world.lock !== 'berry') return;
    const entry = entryOf(locked, `${String(real)}@workspace:${folder}`, { version: '0.0.0-use.local', isWorkspace: true });
    entry.keys.add(`${name}@${withProtocol(range)}`);
    return;
  }
  if (range.startsWith('workspace:')) return;
  const version = range.startsWith('patch:') ? '1.0.0' : pick(world, name, range);
  if (version === undefined) return;
  const resolution = range.startsWith('patch:') ? `${name}@${range}::version=1.0.0&hash=abcdef` : `${name}@npm:${version}`;
  const isNew = !locked.has(resolution);
  const dependencies = world.registry.get(`${name}@${version}`) ?? {};
  const ranges =
    world.lock === 'berry' ? Object.fromEntries(Object.entries(dependencies).map(([key, one]) => [key, `npm:${one}`])) : dependencies;
  const entry = entryOf(locked, resolution, { version, dependencies: ranges });
  entry.keys.add(world.lock === 'berry' ? `${name}@${withProtocol(range)}` : `${name}@${range}`);
  if (!isNew) return;
  for (const [key, one] of Object.entries(dependencies)) lockDependency(world, locked, key, one, { name });
  if (range.startsWith('patch:')) lockDependency(world, locked, name, '1.0.0', { name });
}

function lockPath(world: World, locked: Map<string, Locked>, name: string, range: string, from: { name: string; folder: string }): void {
  const key = `${name}@${range}::locator=${encodeURIComponent(`${from.name}@workspace:${from.folder}`)}`;
  const target = world.members.get(posix.join(from.folder, range.replace(/^\w+:/, '')));
  const dependencies = range.startsWith('link:') ? {} : ((target?.['dependencies'] ?? {}) as Ranges);
  const plain = Object.fromEntries(Object.entries(dependencies).filter(([, one]) => /^[\d^~*>]/.test(one)));
  const locked_ = Object.fromEntries(Object.entries(plain).map(([inner, one]) => [inner, `npm:${one}`]));
  entryOf(locked, key, { version: '0.0.0-use.local', dependencies: locked_ }).keys.add(key);
  for (const [inner, one] of Object.entries(plain)) lockDependency(world, locked, inner, one, { name });
}

function overridden(world: World, name: string): string | undefined {
  return world.lock === 'berry' ? (world.root['resolutions'] as Ranges | undefined)?.[name] : undefined;
}

function inCatalog(world: World, name: string, range: string): string {
  return range === 'catalog:' ? ((world.settings['catalog'] as Ranges | undefined)?.[name] ?? '^1.0.0') : range;
}

function memberFor(world: World, name: string, range: string): [string, Mutable] | undefined {
  const [, alias = name, wanted = range] = /^npm:(@?[^@]+)@(.*)$/.exec(range) ?? [];
  return [...world.members].find(([folder, manifest]) => {
    if (range === `workspace:${folder}`) return true;
    if (manifest['name'] !== alias) return false;
    return range.startsWith('workspace:') || (semver.validRange(wanted) !== null && semver.satisfies(String(manifest['version']), wanted));
  });
}

/** Picks a version. Yarn keeps the entries of a lockfile, and `picks` remembers them. */
function pick(world: World, name: string, range: string): string | undefined {
  const wanted = range.replace(/^npm:(@?[^@]+@)?/, '');
  const key = `${name}@${wanted}`;
  const version = world.picks.get(key) ?? VERSIONS.find((one) => semver.satisfies(one, wanted));
  if (version !== undefined) world.picks.set(key, version);
  return version;
}

function withProtocol(range: string): string {
  return /^[a-z]+:/.test(range) ? range : `npm:${range}`;
}

function entryOf(
  locked: Map<string, Locked>,
  resolution: string,
  made: { version: string; dependencies?: Ranges; isWorkspace?: boolean },
): Locked {
  const old = locked.get(resolution);
  const dependencies = made.dependencies ?? old?.dependencies ?? {};
  const entry = {
    keys: old?.keys ?? new Set<string>(),
    version: made.version,
    dependencies,
    peers: old?.peers ?? {},
    isWorkspace: made.isWorkspace === true,
  };
  locked.set(resolution, entry);
  return entry;
}

function writeBerry(entries: readonly (readonly [string, Locked])[]): string {
  const blocks = entries.map(([resolution, { keys, version, dependencies, peers, isWorkspace }]) =>
    [
      `${quote([...keys].toSorted().join(', '))}:`,
      `  version: ${version}`,
      `  resolution: "${resolution}"`,
      ...block('dependencies', dependencies),
      ...block('peerDependencies', peers),
      ...(isWorkspace ? [] : [`  checksum: 10c0/${version.replaceAll('.', '')}${'ab'.repeat(20)}`]),
      `  languageName: ${isWorkspace ? 'unknown' : 'node'}`,
      `  linkType: ${isWorkspace ? 'soft' : 'hard'}`,
      '',
    ].join('\n'),
  );
  return [
    '# This file is generated by running "yarn install" inside your project.',
    '',
    '__metadata:',
    '  version: 8',
    '  cacheKey: 10c0',
    '',
    ...blocks,
  ].join('\n');
}

function block(title: string, ranges: Ranges): string[] {
  const lines = Object.entries(ranges)
    .toSorted()
    .map(([name, range]) => `    ${quote(name)}: ${quote(range)}`);
  return lines.length === 0 ? [] : [`  ${title}:`, ...lines];
}

function quote(text: string): string {
  return /^[\w-]+$/.test(text) ? text : JSON.stringify(text);
}

function writeClassic(entries: readonly (readonly [string, Locked])[]): string {
  const blocks = entries.map(([resolution, { keys, version, dependencies }]) => {
    const names = [...keys].toSorted().map((key) => (key.startsWith('@') || /[*>]/.test(key) ? `"${key}"` : key));
    const lines = Object.entries(dependencies)
      .toSorted()
      .map(([name, range]) => `    ${name.startsWith('@') ? `"${name}"` : name} "${range}"`);
    const file = resolution.replace('@npm:', '-');
    return [
      `${names.join(', ')}:`,
      `  version "${version}"`,
      `  resolved "https://packages.example.com/${file}.tgz#${version.replaceAll('.', '')}"`,
      `  integrity sha512-${version.replaceAll('.', '')}`,
      ...(lines.length === 0 ? [] : ['  dependencies:', ...lines]),
      '',
    ].join('\n');
  });
  return ['# THIS IS AN AUTOGENERATED FILE. DO NOT EDIT THIS FILE DIRECTLY.', '# yarn lockfile v1', '', '', ...blocks].join('\n');
}
