import type { AllReason } from '@tributary/model/changeset';
import { conflictLine, isNestedTooDeep, lineAt, withoutBom } from '@tributary/model/file-text';
import { isPlainObject } from '@tributary/model/plain-object';
import { parseDocument, Scalar, visit } from 'yaml';
import type { Catalogs } from './ranges.js';
import { changedKeys } from './same-value.js';

/** A parsed `.yarnrc.yml`. */
export interface YarnSettings {
  /** `catalog` (as `''`) and `catalogs`, without entries that are not strings. */
  readonly catalogs: Catalogs;
  /** `off` only if the file clearly sets it: `on` finds every edge that `off` does, and more. */
  readonly transparentWorkspaces: 'on' | 'off';
  /** As in the file; `undefined` if missing. */
  readonly packageExtensions: unknown;
  /** The whole file. Yarn reads every scalar as a string, so that `1.10` and `1.1` differ, and a missing value as `null`. */
  readonly raw: Readonly<Record<string, unknown>>;
}

/** The effects of a change of `.yarnrc.yml`. Each changed key is in exactly one field; lists are sorted. */
export interface SettingsDiff {
  /** `YARN_SETTING_CHANGED` if a changed key can change any workspace's tests. */
  readonly all: AllReason | undefined;
  /** Changed entries of catalogs, `''` for the unnamed catalog. They affect the workspaces that request them. */
  readonly catalogs: readonly CatalogEntry[];
  /** Changed keys of `packageExtensions`, such as `foo@*`. They affect the workspaces that use such a package. */
  readonly packageExtensions: readonly string[];
  /** Changed keys that select nothing. */
  readonly ignored: readonly string[];
}

interface CatalogEntry {
  readonly catalog: string;
  readonly name: string;
}

/** The error in a file, and its line (from 1). */
export interface SettingsProblem {
  readonly problem: string;
  readonly line: number;
}

/** The settings without a `.yarnrc.yml`. */
export const NO_SETTINGS: YarnSettings = { catalogs: new Map(), transparentWorkspaces: 'on', packageExtensions: undefined, raw: {} };

/**
 * Parses a `.yarnrc.yml`; an empty one has no settings. It is stricter than Yarn, which uses the last of two equal keys: here that is an
 * error. Environment variables (`${NAME}`) stay as written. Never throws. Source: `parseSyml` of @yarnpkg/parsers, which reads YAML with
 * its failsafe schema.
 */
export function parseYarnSettings(text: string): YarnSettings | SettingsProblem {
  const bare = withoutBom(text);
  const conflict = conflictLine(bare);
  if (conflict !== undefined) return { problem: 'it has conflict markers of an unfinished merge', line: conflict };
  const reading = readYaml(bare);
  if ('problem' in reading) return reading;
  if (reading.value === null) return NO_SETTINGS;
  if (!isPlainObject(reading.value)) return { problem: 'it must be a map of settings', line: 1 };
  return buildSettings(reading.value);
}

/**
 * Compares two `.yarnrc.yml` key by key. The order of keys is free, even inside a setting: `yarn config set` sorts the whole file. An
 * unknown setting, such as one of a plugin, selects every workspace.
 */
export function diffYarnSettings(base: YarnSettings, head: YarnSettings): SettingsDiff {
  const changed = changedKeys(base.raw, head.raw, () => 'is free');
  const byName = changed.filter((key) => BY_NAME.has(key) && [base, head].every(({ raw }) => isReadable(key, raw[key])));
  const ignored = changed.filter((key) => NOBODY.has(key));
  const rest = changed.filter((key) => !byName.includes(key) && !ignored.includes(key));
  return {
    all: rest.length === 0 ? undefined : { code: 'YARN_SETTING_CHANGED', reason: `${rest.join(', ')} in .yarnrc.yml changed.` },
    catalogs: [
      ...(byName.includes('catalog') ? diffCatalog('', base.raw['catalog'], head.raw['catalog']) : []),
      ...(byName.includes('catalogs') ? diffCatalogs(base.raw['catalogs'], head.raw['catalogs']) : []),
    ],
    packageExtensions: byName.includes('packageExtensions') ? keysThatDiffer(base.packageExtensions, head.packageExtensions) : [],
    ignored,
  };
}

/** Settings whose entries can be compared one by one: only users of a changed entry are affected. */
const BY_NAME: ReadonlySet<string> = new Set(['catalog', 'catalogs', 'packageExtensions']);

/**
 * Settings of Yarn (4.18, and older ones that were removed) that cannot change what is installed or run, given a lockfile with checksums.
 * They can only make an install fail, slow or verbose. Everything else selects every workspace, including:
 * - `checksumBehavior` (may accept other contents),
 * - `enableScripts` (builds of dependencies),
 * - `injectEnvironmentFiles`, `defaultProtocol`,
 * - `virtualFolder` and `pnpmStoreFolder` (paths that code can see),
 * - `ignorePath` and `yarnPath` (which Yarn runs).
 */
const NOBODY: ReadonlySet<string> = new Set([
  // Where, how and with which rights packages are fetched; the checksum in the lockfile pins the result.
  'approvedGitRepositories',
  'enableNetwork',
  'enableOfflineMode',
  'enableStrictSsl',
  'unsafeHttpWhitelist',
  'networkSettings',
  'httpProxy',
  'httpsProxy',
  'httpRetry',
  'httpTimeout',
  'httpsCaFilePath',
  'httpsCertFilePath',
  'httpsKeyFilePath',
  'caFilePath',
  'npmAlwaysAuth',
  'npmAuthIdent',
  'npmAuthToken',
  'npmRegistries',
  'npmRegistryServer',
  'npmScopes',
  'cloneConcurrency',
  'networkConcurrency',
  'pnpmInstallConcurrency',
  'taskPoolConcurrency',
  'taskPoolMode',
  // Which version is chosen for a new range; the lockfile then records the choice.
  'npmMinimalAgeGate',
  'npmPreapprovedPackages',
  // Where and how archives are stored.
  'cacheFolder',
  'cacheMigrationMode',
  'compressionLevel',
  'enableCacheClean',
  'enableGlobalCache',
  'enableImmutableCache',
  'enableMirror',
  'globalFolder',
  'installStatePath',
  'minizip',
  // Whether an install is rejected.
  'constraintsPath',
  'enableConstraintsChecks',
  'enableHardenedMode',
  'enableImmutableInstalls',
  'enableStrictSettings',
  'immutablePatterns',
  // What is printed.
  'enableColors',
  'enableHyperlinks',
  'enableInlineBuilds',
  'enableInlineHunks',
  'enableMessageNames',
  'enableProgressBars',
  'enableTimers',
  'enableTips',
  'logFilters',
  'preferAggregateCacheInfo',
  'preferInteractive',
  'preferTruncatedLines',
  'progressBarStyle',
  'enableTelemetry',
  'lastUpdateCheck',
  'telemetryInterval',
  'telemetryUserId',
  // For commands that write manifests, release, audit or select workspaces; none of them is an install or a test.
  'changesetBaseRefs',
  'changesetIgnorePatterns',
  'defaultSemverRangePrefix',
  'deferredVersionFolder',
  'preferDeferredVersions',
  'initEditorConfig',
  'initFields',
  'initScope',
  'preferReuse',
  'tsEnableAutoTypes',
  'npmAuditExcludePackages',
  'npmAuditIgnoreAdvisories',
  'npmAuditRegistry',
  'npmPublishAccess',
  'npmPublishProvenance',
  'npmPublishRegistry',
]);

type YamlReading = { readonly value: unknown } | SettingsProblem;

function readYaml(text: string): YamlReading {
  if (isNestedTooDeep(text)) return { problem: 'it is nested too deeply to be read', line: 1 };
  const document = parseDocument(text, { schema: 'failsafe', logLevel: 'error', prettyErrors: false });
  // Without `prettyErrors`: it takes time for each error, and a text of quotes has as many as characters. A warning is a tag of another schema, which Yarn rejects.
  const flaw = document.errors[0] ?? document.warnings[0];
  if (flaw !== undefined)
    return { problem: `it is not YAML as Yarn reads it: ${firstLine(flaw.message)}`, line: lineAt(text, flaw.pos[0]) };
  visit(document, {
    Scalar: (_, node) => {
      if (isNothing(node)) node.value = null;
    },
  });
  try {
    const value: unknown = document.toJS();
    // An alias may be inside its own anchor; code must not walk through that.
    JSON.stringify(value);
    return { value };
  } catch (error) {
    return { problem: `it is not YAML as Yarn reads it: ${firstLine(error instanceof Error ? error.message : String(error))}`, line: 1 };
  }
}

/** Returns whether a node is `key:` without a value. The library's failsafe schema makes it an empty string, Yarn's does not. */
function isNothing(node: Scalar): boolean {
  return node.type === Scalar.PLAIN && node.source === '';
}

/** Returns the message without the position and the code frame that the library appends. */
function firstLine(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '');
}

function buildSettings(raw: Readonly<Record<string, unknown>>): YarnSettings {
  // `catalogs` cannot name the unnamed catalog.
  const named = isPlainObject(raw['catalogs']) ? Object.entries(raw['catalogs']).filter(([name]) => name !== '') : [];
  const all = raw['catalog'] === undefined ? named : [['', raw['catalog']] as const, ...named];
  return {
    catalogs: new Map(all.map(([name, catalog]) => [name, readCatalog(catalog)])),
    transparentWorkspaces: /^(false|0)$/.test(String(raw['enableTransparentWorkspaces'])) ? 'off' : 'on',
    packageExtensions: raw['packageExtensions'],
    raw,
  };
}

function readCatalog(value: unknown): ReadonlyMap<string, string> {
  const entries = isPlainObject(value) ? Object.entries(value) : [];
  return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** Returns whether changes of a value can be compared by name; `catalogs` has one more level of names. */
function isReadable(key: string, value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (!isPlainObject(value)) return false;
  return key !== 'catalogs' || Object.values(value).every((catalog) => catalog === null || isPlainObject(catalog));
}

function diffCatalogs(base: unknown, head: unknown): readonly CatalogEntry[] {
  return keysThatDiffer(base, head).flatMap((catalog) => diffCatalog(catalog, entryOf(base, catalog), entryOf(head, catalog)));
}

function diffCatalog(catalog: string, base: unknown, head: unknown): readonly CatalogEntry[] {
  return keysThatDiffer(base, head).map((name) => ({ catalog, name }));
}

function keysThatDiffer(base: unknown, head: unknown): readonly string[] {
  return changedKeys(base, head, () => 'is free');
}

function entryOf(value: unknown, key: string): unknown {
  return isPlainObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
