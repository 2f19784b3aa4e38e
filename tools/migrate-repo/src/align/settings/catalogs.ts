import type { DependencyBlock } from '@tributary/workspaces/dependency-edit';
import type { YarnSettings } from '@tributary/workspaces/yarn-settings';
import subset from 'semver/ranges/subset.js';
import { CREDENTIAL, holdsCredential } from '../../credentials.js';
import { textsOf } from '../../fields.js';
import { editManifests } from '../manifest-edits.js';
import type { Edits, TreeFiles } from '../project.js';
import { readCatalogs, readRootSettings } from '../root-settings.js';
import { parseSpecifier } from '../specifier.js';
import type { ImportedPackageSettings } from './imported-package-settings.js';
import { withYarnrcEntry } from './root-yarnrc.js';
import { EQUAL, NOT_CARRIED, type SettingInput, type SettingNote } from './setting-input.js';

export interface ImportedCatalogEntry {
  readonly file: string;
  /** `''` for the unnamed catalog. */
  readonly catalog: string;
  readonly name: string;
  readonly range: string;
}

/**
 * Carries entries of the imported package's catalogs to the root's, if the root has none for the package, or an equal
 * one. If the root's entry admits other versions, the original range is written into the imported package's own
 * package.json, so that no range changes silently.
 */
export function carryCatalogs(input: SettingInput): readonly SettingNote[] {
  const entries = catalogEntries(input.settings);
  // The catalogs of a former root are for all its workspaces.
  const concerning = input.settings.formerRoot === undefined ? entries : entries.filter((entry) => usesOf(entry, input).length > 0);
  return concerning.map((entry) => carryEntry(entry, input));
}

/** Returns the entries of the imported package's catalogs. */
export function catalogEntries({ yarn, pnpm }: Pick<ImportedPackageSettings, 'yarn' | 'pnpm'>): readonly ImportedCatalogEntry[] {
  return [...entriesIn('.yarnrc.yml', yarn), ...entriesIn('pnpm-workspace.yaml', pnpm)];
}

/** Returns the entries in a file. pnpm also calls the unnamed catalog `default`. */
function entriesIn(file: string, settings: YarnSettings | undefined): readonly ImportedCatalogEntry[] {
  return [...(settings?.catalogs ?? [])].flatMap(([catalog, ranges]) =>
    [...ranges].map(([name, range]) => ({
      file,
      catalog: file === 'pnpm-workspace.yaml' && catalog === 'default' ? '' : catalog,
      name,
      range,
    })),
  );
}

function carryEntry(entry: ImportedCatalogEntry, input: SettingInput): SettingNote {
  const { file, catalog, name, range } = entry;
  const place = catalog === '' ? ['catalog'] : ['catalogs', catalog];
  const at = { file, setting: [...place, name].join('.') };
  if (holdsCredential(range)) return { ...at, outcome: 'left', done: NOT_CARRIED, decision: CREDENTIAL };
  const there = readRootSettings(input.draft).catalogs.get(catalog)?.get(name);
  if (there === range) return { ...at, outcome: 'equal', done: EQUAL, decision: undefined };
  if (there !== undefined) return { ...at, ...besideAnother(entry, there, input) };
  const edits = withYarnrcEntry(input, place, [name, range]);
  if (!isSeen(input, edits, entry)) {
    const text =
      'Catalogs need Yarn 4.10 or later, and the root names no such Yarn ("packageManager", "yarnPath"): write the range into the package.json.';
    return { ...at, outcome: 'left', done: NOT_CARRIED, decision: { text, detail: `\`${range}\`; ${usersOf(entry, input)}` } };
  }
  input.draft.apply(edits);
  const done = { text: 'It was added to the catalog of the root, which had no entry of that name.' };
  return { ...at, outcome: 'carried', done, decision: undefined };
}

/** Returns the result if the root has another range. The package uses it if it is within its own. */
function besideAnother(
  entry: ImportedCatalogEntry,
  there: string,
  input: SettingInput,
): Pick<SettingNote, 'outcome' | 'done' | 'decision'> {
  const uses = usesOf(entry, input);
  if (uses.length > 0 && !isWithinRange(there, entry.range)) {
    const { name, range } = entry;
    const changes = uses.map((block) => ({ folder: input.importedPackage.path, block, name, range }));
    input.draft.apply(editManifests(input.draft, changes));
    const done = { text: 'The catalog of the root has a different range, so the package keeps its range in its own package.json.' };
    return { outcome: 'carried', done, decision: undefined };
  }
  const text =
    'The catalog of the root has a different range, which the package now gets: check that it works with that, or write its own range into its package.json.';
  const detail = `\`${there}\`, and it had \`${entry.range}\`; ${usersOf(entry, input)}`;
  return { outcome: 'left', done: NOT_CARRIED, decision: { text, detail } };
}

function usersOf(entry: ImportedCatalogEntry, input: SettingInput): string {
  return usesOf(entry, input).length > 0 ? 'the package uses it' : 'the package itself does not use it';
}

const BLOCKS: readonly DependencyBlock[] = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];

/** Returns the blocks of its package.json that refer to the entry. */
function usesOf({ catalog, name }: Pick<ImportedCatalogEntry, 'catalog' | 'name'>, { settings }: SettingInput): readonly DependencyBlock[] {
  return BLOCKS.filter((block) => {
    const range = textsOf(settings.manifest[block]).find(([one]) => one === name)?.[1];
    return range === `catalog:${catalog}` || (catalog === '' && range === 'catalog:default');
  });
}

/** Whether a range is within another. A text that is not a version range is never within another. */
function isWithinRange(inner: string, outer: string): boolean {
  const [one, other] = [parseSpecifier(inner), parseSpecifier(outer)];
  return one.kind === 'range' && other.kind === 'range' && subset(one.text, other.text);
}

/** Whether the root's Yarn sees a catalog entry. A Yarn without support for catalogs sees none. */
function isSeen(
  { project, draft }: SettingInput,
  edits: Edits,
  { catalog, name }: Pick<ImportedCatalogEntry, 'catalog' | 'name'>,
): boolean {
  const files: TreeFiles = { paths: project.files.paths, read: (path) => edits.get(path) ?? draft.read(path) };
  return (
    readCatalogs({ ...project, files })
      .get(catalog)
      ?.has(name) === true
  );
}
