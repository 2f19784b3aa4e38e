import { textOf } from '@tributary/lockfile/fields';
import { ToolError } from '@tributary/model/errors';
import type { WorkspaceName } from '@tributary/model/ids';
import { isPlainObject } from '@tributary/model/plain-object';
import { readJson } from './json.js';

/** Package names with their requested ranges, in the order of the file. */
type Dependencies = ReadonlyMap<string, string>;

/** The fields of a package.json that Tributary reads; `raw` has everything else. */
export interface Manifest {
  /** `undefined` if it is missing or Yarn rejects it; `discover.ts` then derives one, as Yarn does. */
  readonly name: WorkspaceName | undefined;
  readonly version: string | undefined;
  readonly private: boolean;
  /** The patterns of `workspaces` or `workspaces.packages`, in the order of the file. */
  readonly workspaces: readonly string[];
  readonly dependencies: Dependencies;
  readonly devDependencies: Dependencies;
  readonly peerDependencies: Dependencies;
  readonly optionalDependencies: Dependencies;
  /** The peers that `peerDependenciesMeta` marks as optional. */
  readonly optionalPeers: ReadonlySet<string>;
  readonly resolutions: Dependencies;
  readonly packageManager: string | undefined;
  /** The whole parsed file. */
  readonly raw: Readonly<Record<string, unknown>>;
}

/**
 * Parses a package.json as Yarn does. Fields and entries of a wrong type are ignored, an empty file is `{}`, and a byte order mark is
 * allowed; comments are not. Throws `MANIFEST_INVALID`, with file and line, for a text that is not JSON or not an object. It also throws
 * for a name with a control character, which could forge output. Source: `Manifest.load` of @yarnpkg/core.
 */
export function parseManifest(text: string, fileName: string): Manifest {
  const raw = text === '' ? {} : parseObject(text, fileName);
  return {
    name: readName(raw['name'], fileName),
    version: textOf(raw['version']),
    private: raw['private'] === true,
    workspaces: readPatterns(raw['workspaces']),
    dependencies: readDependencies(raw['dependencies']),
    devDependencies: readDependencies(raw['devDependencies']),
    peerDependencies: readPeers(raw['peerDependencies']),
    optionalDependencies: readDependencies(raw['optionalDependencies']),
    optionalPeers: readOptionalPeers(raw['peerDependenciesMeta']),
    resolutions: readTexts(raw['resolutions']),
    packageManager: textOf(raw['packageManager']),
    raw,
  };
}

/** Returns whether Yarn accepts a text as a package name. It accepts more than npm: `parseIdent` of @yarnpkg/core. */
function isYarnIdent(text: string): boolean {
  return /^(?:@[^/]+?\/)?[^@/]+$/.test(text);
}

function parseObject(text: string, fileName: string): Readonly<Record<string, unknown>> {
  const reading = readJson(text);
  if ('problem' in reading) throw invalid(`${fileName}:${reading.line}: ${reading.problem}.`, { file: fileName, line: reading.line });
  if (!isPlainObject(reading.value)) throw invalid(`${fileName}:1: it must be a JSON object.`, { file: fileName, line: 1 });
  return reading.value;
}

function readName(value: unknown, fileName: string): WorkspaceName | undefined {
  if (typeof value !== 'string' || !isYarnIdent(value)) return undefined;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (/[\0-\x1f\x7f]/.test(value))
    throw invalid(`${fileName}: its name ${JSON.stringify(value)} has a control character.`, { file: fileName });
  return value as WorkspaceName;
}

function readPatterns(value: unknown): readonly string[] {
  const list = isPlainObject(value) ? value['packages'] : value;
  return Array.isArray(list) ? list.filter((entry): entry is string => typeof entry === 'string') : [];
}

function readTexts(value: unknown): Dependencies {
  return readEntries(value, (_, text) => (typeof text === 'string' ? text : undefined));
}

function readDependencies(value: unknown): Dependencies {
  return readEntries(value, (name, range) => (typeof range === 'string' && isYarnIdent(name) ? range : undefined));
}

/** Reads peers. A peer whose range is not a string allows any version. */
function readPeers(value: unknown): Dependencies {
  return readEntries(value, (name, range) => (isYarnIdent(name) ? (typeof range === 'string' ? range : '*') : undefined));
}

function readOptionalPeers(value: unknown): ReadonlySet<string> {
  if (!isPlainObject(value)) return NO_NAMES;
  return new Set(Object.entries(value).flatMap(([name, meta]) => (isPlainObject(meta) && meta['optional'] === true ? [name] : [])));
}

/** Shared: most manifests lack most blocks, and there may be thousands of manifests. */
const NO_DEPENDENCIES: Dependencies = new Map();
const NO_NAMES: ReadonlySet<string> = new Set();

/** Reads entries, without those for which `read` returns `undefined`. */
function readEntries(value: unknown, read: (name: string, value: unknown) => string | undefined): Dependencies {
  if (!isPlainObject(value)) return NO_DEPENDENCIES;
  const entries = new Map<string, string>();
  for (const name of Object.keys(value)) {
    const text = read(name, value[name]);
    if (text !== undefined) entries.set(name, text);
  }
  return entries;
}

function invalid(message: string, data: Readonly<Record<string, unknown>>): ToolError {
  return new ToolError({ code: 'MANIFEST_INVALID', message, hint: 'Correct the file, then run the command again.', data });
}
