import { isDeepStrictEqual } from 'node:util';
import type { WorkspaceName } from '@tributary/model/ids';
import { isPlainObject } from '@tributary/model/plain-object';
import type { Workspace } from '@tributary/workspaces/discover';
import type { Message } from '../../message.js';
import { someOf } from '../../text.js';
import { findCatalogRange } from '../catalog-range.js';
import type { ImportedPackage, Monorepo } from '../project.js';
import { createReleases, isRewritten, type PackageRelease, type PackerChoice } from './release.js';

/** The package.json in a package's archive, compared with the one before. */
export interface PublishedManifest {
  readonly name: WorkspaceName;
  readonly done: Message;
  /** `undefined` if every consumer can read it. */
  readonly decision: Message | undefined;
}

/**
 * Compares the manifests of the published imported packages. npm packs a package.json unchanged; Yarn replaces
 * Yarn-only ranges with versions.
 */
export function comparePublished(project: Monorepo, choice: PackerChoice): readonly PublishedManifest[] {
  const releaseOf = createReleases(project, choice);
  return project.importedPackages.flatMap(({ name, path, manifest, siblings }): readonly PublishedManifest[] => {
    const workspace = project.workspaces.find((one) => one.path === path);
    if (workspace === undefined || manifest.private) return [];
    const release = releaseOf(workspace);
    const before = asYarnPacks({ manifest }, project, siblings);
    const after = release.packer === 'yarn' ? asYarnPacks(workspace, project) : workspace.manifest.raw;
    const changed = differences(before, after);
    const differing = fieldsOf(before, after).filter((field) => !isDeepStrictEqual(before[field], after[field]));
    return [{ name, done: tell(release, { changed, differing }), decision: decide(after) }];
  });
}

const BLOCKS = ['dependencies', 'optionalDependencies', 'peerDependencies', 'devDependencies'] as const;

/** Returns the manifest as Yarn packs it. Source: `beforeWorkspacePacking` of @yarnpkg/plugin-pack and of plugin-catalog. */
function asYarnPacks(
  { manifest: { raw } }: Pick<Workspace, 'manifest'>,
  project: Monorepo,
  siblings: NonNullable<ImportedPackage['siblings']> = new Map(),
): Readonly<Record<string, unknown>> {
  const versions = new Map<string, string>(project.workspaces.map(({ name, manifest }) => [name, manifest.version ?? '0.0.0']));
  const packed = BLOCKS.flatMap((block): readonly (readonly [string, unknown])[] => {
    const entries = raw[block];
    if (!isPlainObject(entries)) return [];
    const plain = Object.entries(entries).map(([name, range]) => {
      if (typeof range !== 'string') return [name, range];
      const meant = findCatalogRange(project, name, range) ?? range;
      return [name, publishedRange(meant, siblings.get(name)?.version ?? versions.get(name))];
    });
    return [[block, Object.fromEntries(plain)]];
  });
  return { ...raw, ...Object.fromEntries(packed) };
}

/** Returns the range that packing writes for `workspace:`; other ranges are unchanged. */
export function publishedRange(range: string, version: string | undefined): string {
  const [, selector] = /^workspace:(.*)$/.exec(range) ?? [];
  if (selector === undefined || version === undefined) return range;
  if (selector === '*' || selector.includes('/')) return version;
  return selector === '^' || selector === '~' ? `${selector}${version}` : selector;
}

/** Fields that consumers do not use. */
const OWN: readonly string[] = ['devDependencies', 'scripts', 'packageManager'];

/** Returns the differences in words, in the order of the fields, without fields that consumers do not use. */
function differences(before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>): readonly string[] {
  const fields = fieldsOf(before, after).filter((key) => !OWN.includes(key));
  return fields.flatMap((field) => {
    const [was, is] = field === 'bin' ? [binariesOf(before), binariesOf(after)] : [before[field], after[field]];
    if (isDeepStrictEqual(was, is)) return [];
    const [old, now] = [was ?? {}, is ?? {}];
    if (!isPlainObject(old) || !isPlainObject(now)) return [`\`${field}\``];
    const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter((name) => !isDeepStrictEqual(old[name], now[name]));
    return names.map((name) => `${field} \`${name}\` ${change(old[name], now[name])}`);
  });
}

function fieldsOf(before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])];
}

/** Returns the binaries of a manifest. Yarn writes a single binary with the package's name as a text, which means the same. */
function binariesOf({ name, bin }: Readonly<Record<string, unknown>>): unknown {
  if (isPlainObject(bin)) return bin;
  return bin === undefined ? undefined : { [String(name).replace(/^@[^/]*\//, '')]: bin };
}

function change(was: unknown, is: unknown): string {
  if (was === undefined) return `added: \`${text(is)}\``;
  return is === undefined ? 'taken out' : `\`${text(was)}\` -> \`${text(is)}\``;
}

function text(value: unknown): string {
  return (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll('`', "'");
}

const SHOWN = 8;

interface Compared {
  readonly changed: readonly string[];
  /** All differing fields, including those without effect for consumers. */
  readonly differing: readonly string[];
}

function tell({ packer, tool, seenIn, folder }: PackageRelease, { changed, differing }: Compared): Message {
  const who = packer === 'yarn' ? 'Yarn' : 'npm';
  const how = tool === undefined || seenIn === undefined ? 'how it is released is not known' : `${tool}, as ${seenIn} tells`;
  if (folder !== undefined)
    return { text: `A build creates the files that it publishes, so its package.json was not compared.`, detail: `\`${folder}\`; ${how}` };
  if (changed.length === 0 && differing.length === 0) return { text: `${who} would publish the same package.json as before.`, detail: how };
  if (changed.length === 0)
    return {
      text: `For whoever installs it, ${who} would publish the same package.json as before.`,
      detail: `${how}; it differs in ${differing.map((field) => `\`${field}\`${OWN.includes(field) ? '' : ', written as Yarn writes it'}`).join(', ')}`,
    };
  return {
    text: `${who} would publish a different package.json than before.`,
    detail: `${how}: ${someOf(changed, SHOWN)}`,
  };
}

function decide(after: Readonly<Record<string, unknown>>): Message | undefined {
  const unreadable = BLOCKS.filter((block) => !OWN.includes(block)).flatMap((block) => {
    const entries = after[block];
    const ranges = isPlainObject(entries) ? Object.entries(entries) : [];
    return ranges.flatMap(([name, range]) =>
      typeof range === 'string' && isRewritten(range) ? [`${block} \`${name}\` \`${range}\``] : [],
    );
  });
  if (unreadable.length === 0) return undefined;
  return {
    text: 'Nobody could install the published package: npm cannot read these ranges. Write ranges of versions, or let Yarn publish it (`"migrate": { "internal": { "packer": "yarn" } }` in tributary.json).',
    detail: unreadable.join(', '),
  };
}
