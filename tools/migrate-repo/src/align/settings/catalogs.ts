import { isPlainObject } from '@tributary/model/plain-object';
import type { YarnSettings } from '@tributary/workspaces/yarn-settings';
import { CREDENTIAL, holdsCredential } from '../../credentials.js';
import type { Edits, TreeFiles } from '../project.js';
import { readCatalogs, readRootSettings } from '../root-settings.js';
import { textsOf } from './imported-package-settings.js';
import { withYarnrcEntry } from './root-yarnrc.js';
import { EQUAL, NOT_CARRIED, type SettingNote, type SettingScene } from './scene.js';

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
  if (holdsCredential(range)) return { ...at, outcome: 'left', done: NOT_CARRIED, decision: CREDENTIAL };
  const there = readRootSettings(scene.draft).catalogs.get(catalog)?.get(name);
  if (there === range) return { ...at, outcome: 'equal', done: EQUAL, decision: undefined };
  const users = isUsed({ catalog, name }, scene) ? 'the package uses it' : 'the package itself does not use it';
  if (there !== undefined)
    return {
      ...at,
      outcome: 'left',
      done: NOT_CARRIED,
      decision: {
        text: 'The catalog of the root has another range, and that counts: see that the package works with it, or write its own range into its package.json.',
        detail: `\`${there}\`, and it had \`${range}\`; ${users}`,
      },
    };
  const edits = withYarnrcEntry(scene, place, [name, range]);
  if (!isSeen(scene, edits, { catalog, name }))
    return {
      ...at,
      outcome: 'left',
      done: NOT_CARRIED,
      decision: {
        text: 'The Yarn of the root does not know catalogs, which came with 4.10: write the range into the package.json.',
        detail: `\`${range}\`; ${users}`,
      },
    };
  scene.draft.apply(edits);
  return {
    ...at,
    outcome: 'carried',
    done: { text: 'It stands in the catalog of the root, which had nothing of that name.' },
    decision: undefined,
  };
}

function isUsed({ catalog, name }: Pick<Entry, 'catalog' | 'name'>, { settings }: SettingScene): boolean {
  const ranges = Object.values(settings.manifest).flatMap((block) =>
    isPlainObject(block) ? textsOf(block).filter(([one]) => one === name) : [],
  );
  return ranges.some(([, range]) => range === `catalog:${catalog}` || (catalog === '' && range === 'catalog:default'));
}

/** A Yarn that does not know catalogs sees none. */
function isSeen({ project, draft }: SettingScene, edits: Edits, { catalog, name }: Pick<Entry, 'catalog' | 'name'>): boolean {
  const files: TreeFiles = { paths: project.files.paths, read: (path) => edits.get(path) ?? draft.read(path) };
  return (
    readCatalogs({ ...project, files })
      .get(catalog)
      ?.has(name) === true
  );
}
