import { isRecord } from '@tributary/model/record';
import type { YarnSettings } from '@tributary/workspaces/yarn-settings';
import type { Edits, Files } from '../project.js';
import { readCatalogs, readRootSettings } from '../root-settings.js';
import { CREDENTIAL_DECISION, holdsCredential } from './credentials.js';
import { textsOf } from './newcomer-settings.js';
import { withYarnrcEntry } from './root-yarnrc.js';
import type { SettingNote, SettingScene } from './scene.js';

interface Entry {
  readonly file: string;
  /** `''` for the catalog without a name. */
  readonly catalog: string;
  readonly name: string;
  readonly range: string;
}

/** The entries of its catalogs -> those of the root, where the root has none for the package, or an equal one. */
export function carryCatalogs(scene: SettingScene): readonly SettingNote[] {
  const { yarn, pnpm } = scene.settings;
  const entries = [...entriesIn('.yarnrc.yml', yarn), ...entriesIn('pnpm-workspace.yaml', pnpm)];
  return entries.map((entry) => carryEntry(entry, scene));
}

/** pnpm also calls the catalog without a name `default`. */
function entriesIn(file: string, settings: YarnSettings | undefined): readonly Entry[] {
  return [...(settings?.catalogs ?? [])].flatMap(([catalog, ranges]) =>
    [...ranges].map(([name, range]) => ({
      file,
      catalog: file === 'pnpm-workspace.yaml' && catalog === 'default' ? '' : catalog,
      name,
      range,
    })),
  );
}

function carryEntry({ file, catalog, name, range }: Entry, scene: SettingScene): SettingNote {
  const place = catalog === '' ? ['catalog'] : ['catalogs', catalog];
  const at = { file, setting: [...place, name].join('.') };
  if (holdsCredential(range)) return { ...at, outcome: 'left', done: 'It was not carried over.', decision: CREDENTIAL_DECISION };
  const there = readRootSettings(scene.draft).catalogs.get(catalog)?.get(name);
  if (there === range) return { ...at, outcome: 'equal', done: 'The root says so already.', decision: undefined };
  const users = isUsed({ catalog, name }, scene) ? 'The package uses it' : 'The package itself does not use it';
  if (there !== undefined)
    return {
      ...at,
      outcome: 'left',
      done: `The catalog of the root has "${there}", and that counts.`,
      decision: `The package had "${range}". ${users}: see that it works with the other one, or write its own range into its package.json.`,
    };
  const edits = withYarnrcEntry(scene, place, [name, range]);
  if (!isSeen(scene, edits, { catalog, name }))
    return {
      ...at,
      outcome: 'left',
      done: 'It was not carried over.',
      decision: `The Yarn of the root does not know catalogs, which came with 4.10. ${users}: write "${range}" into its package.json.`,
    };
  scene.draft.apply(edits);
  return { ...at, outcome: 'carried', done: 'It stands in the catalog of the root, which had none for the package.', decision: undefined };
}

function isUsed({ catalog, name }: Pick<Entry, 'catalog' | 'name'>, { settings }: SettingScene): boolean {
  const ranges = Object.values(settings.manifest).flatMap((block) =>
    isRecord(block) ? textsOf(block).filter(([one]) => one === name) : [],
  );
  return ranges.some(([, range]) => range === `catalog:${catalog}` || (catalog === '' && range === 'catalog:default'));
}

/** A Yarn that does not know catalogs sees none. */
function isSeen({ project, draft }: SettingScene, edits: Edits, { catalog, name }: Pick<Entry, 'catalog' | 'name'>): boolean {
  const files: Files = { paths: project.files.paths, read: (path) => edits.get(path) ?? draft.read(path) };
  return (
    readCatalogs({ ...project, files })
      .get(catalog)
      ?.has(name) === true
  );
}
