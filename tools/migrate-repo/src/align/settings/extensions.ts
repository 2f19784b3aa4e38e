import { isDeepStrictEqual } from 'node:util';
import { isPlainObject } from '@tributary/model/plain-object';
import { parseSemverRange } from '@tributary/workspaces/ranges';
import { CREDENTIAL, holdsCredential } from '../../credentials.js';
import { type Fields, mapIn } from '../../fields.js';
import { readRootSettings } from '../root-settings.js';
import { pnpmSettings } from './imported-package-settings.js';
import { withYarnrcEntry } from './root-yarnrc.js';
import { EQUAL, isForOthers, locksOfOthers, NOT_CARRIED, type SettingInput, type SettingNote } from './setting-input.js';

/** Carries `packageExtensions` of Yarn and pnpm to the root, if nobody else has such a package, or the root has the same entry. */
export function carryExtensions(input: SettingInput): readonly SettingNote[] {
  return extensionsIn(input.settings)
    .filter(({ key }) => !isForOthers(key.replace(/(?<=.)@.*/, ''), input))
    .map((one) => carryExtension(one, input));
}

interface Extension {
  readonly file: string;
  readonly key: string;
  readonly extension: unknown;
}

function extensionsIn(settings: SettingInput['settings']): readonly Extension[] {
  const places: readonly (readonly [string, Fields])[] = [['.yarnrc.yml', settings.yarn?.raw ?? {}], ...pnpmSettings(settings)];
  return places.flatMap(([file, fields]) =>
    Object.entries(mapIn(fields, 'packageExtensions')).map(([key, extension]) => {
      // Unlike pnpm, Yarn requires a range.
      return { file, key: key.includes('@', 1) ? key : `${key}@*`, extension };
    }),
  );
}

function carryExtension({ file, key, extension }: Extension, input: SettingInput): SettingNote {
  const at = { file, setting: `packageExtensions.${key}` };
  if (holdsCredential(JSON.stringify(extension))) return { ...at, outcome: 'left', done: NOT_CARRIED, decision: CREDENTIAL };
  if (isPlainObject(extension) && extension['optionalDependencies'] !== undefined)
    return {
      ...at,
      outcome: 'left',
      done: NOT_CARRIED,
      decision: { text: 'Yarn cannot add "optionalDependencies" to another package: add to the imported package what it needs.' },
    };
  const root = readRootSettings(input.draft).packageExtensions;
  const there = isPlainObject(root) ? root[key] : undefined;
  if (isDeepStrictEqual(there, extension)) return { ...at, outcome: 'equal', done: EQUAL, decision: undefined };
  if (there !== undefined)
    return {
      ...at,
      outcome: 'left',
      done: NOT_CARRIED,
      decision: { text: 'The root has a different entry for it: merge the two in packageExtensions of the root .yarnrc.yml.' },
    };
  const others = versionsOfOthers(key, input);
  if (others === undefined || others.length > 0) {
    const who =
      others === undefined
        ? 'the root has no lockfile that shows which packages it would affect'
        : `other packages have ${others.join(', ')}, which would be extended too`;
    return {
      ...at,
      outcome: 'proposed',
      done: NOT_CARRIED,
      decision: {
        text: "It would also affect other packages: add it to packageExtensions of the root's .yarnrc.yml if you want that.",
        detail: who,
      },
    };
  }
  input.draft.apply(withYarnrcEntry(input, ['packageExtensions'], [key, extension]));
  return {
    ...at,
    outcome: 'carried',
    done: { text: 'It was added to packageExtensions of the root. No other workspace uses such a package.' },
    decision: undefined,
  };
}

/** Returns the versions that others have of the package, within the key's range; `undefined` if unknown. */
function versionsOfOthers(key: string, { project, importedPackage }: SettingInput): readonly string[] | undefined {
  if (project.rootLock === undefined) return undefined;
  const at = key.indexOf('@', 1);
  const name = at === -1 ? key : key.slice(0, at);
  const range = parseSemverRange(at === -1 ? '*' : key.slice(at + 1).replace(/^npm:/, ''));
  const locks = [project.rootLock, ...locksOfOthers(project, importedPackage)];
  const versions = [...new Set(locks.flatMap((lock) => lock.versionsOf(name)))];
  return versions.filter((version) => range?.test(version) !== false).map((version) => `${name} ${version}`);
}
