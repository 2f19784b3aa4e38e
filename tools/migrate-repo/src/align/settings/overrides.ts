import type { RepoPath } from '@tributary/model/paths';
import { isPlainObject } from '@tributary/model/plain-object';
import { parseManifest } from '@tributary/workspaces/manifest';
import { CREDENTIAL, holdsCredential } from '../../credentials.js';
import { setJson } from '../../edit/edit-json.js';
import { type ImportedPackageSettings, OF_FORMER_ROOT } from './imported-package-settings.js';
import {
  type Inexpressible,
  type Override,
  type ParsedOverrides,
  parseNpmOverrides,
  parsePnpmOverrides,
  parseYarnResolutions,
} from './override-patterns.js';
import { atRoot } from './patches.js';
import { scopeOverride } from './scope-override.js';
import { isForOthers, locksOfOthers, type SettingInput, type SettingNote } from './setting-input.js';

const ROOT = 'package.json' as RepoPath;

const NO_EFFECT = { text: 'It has no effect in the monorepo.' };

/**
 * Carries `resolutions` of Yarn and `overrides` of npm and pnpm to `resolutions` of the root, only for the imported
 * package. An override that was fully carried is removed from its manifest.
 */
export function carryOverrides(input: SettingInput): readonly SettingNote[] {
  return overridesIn(input.settings).flatMap(({ overrides, inexpressible }) => [
    ...overrides
      .filter(({ name, parent }) => ![name, parent?.name ?? name].some((one) => isForOthers(one, input)))
      .map((override) => carryOne(override, input)),
    ...inexpressible.filter(({ names }) => !names.some((name) => isForOthers(name, input))).map(sayInexpressible),
  ]);
}

/** Returns the overrides of an imported package, by place. Those of its former root applied to it too. */
export function overridesIn({
  manifest,
  formerRoot,
  pnpm,
}: Pick<ImportedPackageSettings, 'manifest' | 'formerRoot' | 'pnpm'>): readonly ParsedOverrides[] {
  return [
    ...overridesOf(manifest),
    ...overridesOf(formerRoot ?? {}).map(asOfFormerRoot),
    parsePnpmOverrides(pnpm?.raw['overrides'], { file: 'pnpm-workspace.yaml', place: undefined }, formerRoot ?? manifest),
  ];
}

function overridesOf(manifest: Readonly<Record<string, unknown>>): readonly ParsedOverrides[] {
  const ofPnpm = isPlainObject(manifest['pnpm']) ? manifest['pnpm']['overrides'] : undefined;
  const ofManifest = { file: 'package.json', place: ['pnpm', 'overrides'] };
  return [parseYarnResolutions(manifest), parseNpmOverrides(manifest), parsePnpmOverrides(ofPnpm, ofManifest, manifest)];
}

/** There is nothing to remove from the package's own package.json. */
function asOfFormerRoot({ overrides, inexpressible }: ParsedOverrides): ParsedOverrides {
  return {
    overrides: overrides.map((override) => ({ ...override, file: OF_FORMER_ROOT, place: undefined })),
    inexpressible: inexpressible.map((one) => ({ ...one, file: OF_FORMER_ROOT })),
  };
}

function sayInexpressible({ file, setting, why }: Inexpressible): SettingNote {
  return {
    file,
    setting,
    outcome: 'left',
    done: NO_EFFECT,
    decision: {
      text: 'It has no effect in the monorepo and was not carried over: express it in "resolutions" of the root, or remove it.',
      detail: why,
    },
  };
}

function carryOne(override: Override, input: SettingInput): SettingNote {
  const { file, setting } = override;
  if (holdsCredential(override.to)) return { file, setting, outcome: 'left', done: NO_EFFECT, decision: CREDENTIAL };
  const to = targetOf(override, input);
  if (to === undefined)
    return {
      file,
      setting,
      outcome: 'left',
      done: NO_EFFECT,
      decision: { text: 'It refers to a path, which would be different at the root: add it there by hand.' },
    };
  const resolutions = parseManifest(input.draft.read(ROOT) ?? '', ROOT).resolutions;
  if (override.parent === undefined && override.range === undefined && resolutions.get(override.name) === to) {
    takeOut(override, input);
    return { file, setting, outcome: 'equal', done: { text: 'The root sets the same for all workspaces.' }, decision: undefined };
  }
  const scoped = scopeOverride({ ...override, to }, othersOf(input));
  const clashes = scoped.keys.filter((key) => (resolutions.get(key) ?? to) !== to);
  const hidden = [...resolutions.keys()].find((key) => key === override.name && scoped.keys.length > 0);
  const rest =
    clashes.length > 0
      ? `the root has a different entry for ${clashes.join(', ')}`
      : hidden === undefined
        ? scoped.rest
        : `the root sets a different ${hidden} for all workspaces`;
  const keys = clashes.length > 0 || hidden !== undefined ? [] : scoped.keys;
  addResolutions(keys, to, input);
  if (rest === undefined) takeOut(override, input);
  return describe(override, { keys, rest, to });
}

function describe(
  { file, setting, name }: Override,
  { keys, rest, to }: { readonly keys: readonly string[]; readonly rest: string | undefined; readonly to: string },
): SettingNote {
  const carried = keys.map((key) => `"${key}"`).join(', ');
  if (rest === undefined && keys.length === 0)
    return {
      file,
      setting,
      outcome: 'equal',
      done: { text: 'Nothing in the package requires it, so it was removed.' },
      decision: undefined,
    };
  if (rest === undefined)
    return {
      file,
      setting,
      outcome: 'carried',
      done: { text: 'It was added to "resolutions" of the root.', detail: carried },
      decision: undefined,
    };
  return {
    file,
    setting,
    outcome: keys.length === 0 ? 'left' : 'carried',
    done: keys.length === 0 ? NO_EFFECT : { text: 'A part of it was added to "resolutions" of the root.', detail: carried },
    decision: {
      text: `${keys.length === 0 ? 'It would need an' : 'The rest of it would need another'} entry in "resolutions" of the root, which was not written because it might affect other packages.`,
      detail: `\`"${name}": "${to}"\`: ${rest}`,
    },
  };
}

/** Returns the replacement for the root; `undefined` for a path that means something else there. */
function targetOf({ to }: Override, { importedPackage }: SettingInput): string | undefined {
  if (/^(?:portal|link|file|exec):|^\.{0,2}\//.test(to)) return undefined;
  return to.startsWith('patch:') ? atRoot(to, importedPackage.path) : to;
}

function othersOf({ project, importedPackage }: SettingInput) {
  return { importedPackage, rootLock: project.rootLock, locks: locksOfOthers(project, importedPackage) };
}

function addResolutions(keys: readonly string[], to: string, { draft }: SettingInput): void {
  const before = draft.read(ROOT);
  if (before === undefined) return;
  draft.apply(new Map([[ROOT, keys.reduce((text, key) => setJson(text, ['resolutions', key], to), before)]]));
}

/** Removes an override from the manifest, and maps that become empty. */
function takeOut({ place }: Override, { draft, importedPackage }: SettingInput): void {
  if (place === undefined) return;
  const file = `${importedPackage.path}/package.json` as RepoPath;
  let text = draft.read(file);
  for (let depth = place.length; depth > 0 && text !== undefined; depth--) {
    const path = place.slice(0, depth);
    if (depth < place.length && !isEmptyAt(parseManifest(text, file).raw, path)) break;
    text = setJson(text, [...path], undefined);
  }
  draft.apply(new Map([[file, text]]));
}

function isEmptyAt(value: unknown, path: readonly string[]): boolean {
  const found = path.reduce<unknown>((inner, key) => (isPlainObject(inner) ? inner[key] : undefined), value);
  return isPlainObject(found) && Object.keys(found).length === 0;
}
