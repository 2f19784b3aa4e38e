import type { RepoPath } from '@tributary/model/paths';
import { setJson } from '../../edit/edit-json.js';
import { textsOf } from '../../fields.js';
import { pnpmSettings } from './imported-package-settings.js';
import { isForOthers, type SettingInput, type SettingNote } from './setting-input.js';

const FILE = 'package.json';

/** A path from the project's root inside a range, plain or encoded, once or twice. */
const FROM_ROOT = /((?:#|%23|%2523|&|%26|%2526)(?:optional!|optional%21)?)~\//gi;

/**
 * Rewrites `~/` in patches, which means the project's root. In dependencies of the imported package it becomes `./`,
 * the package's folder, which has the patch. Patches of other package managers are left to a person.
 */
export function carryPatches(input: SettingInput): readonly SettingNote[] {
  return [...rewriteDependencies(input), ...missingPatches(input), ...foreignPatches(input)];
}

/** Returns a range for the root that uses a patch file of the imported package. */
export function atRoot(range: string, folder: RepoPath): string {
  const inFolder = range.replace(FROM_ROOT, `$1~/${folder}/`);
  return inFolder === range ? range.replace(/((?:#|&)(?:optional!)?)\.\//g, `$1~/${folder}/`) : inFolder;
}

function rewriteDependencies({ settings, importedPackage, draft }: SettingInput): readonly SettingNote[] {
  const file = `${importedPackage.path}/${FILE}` as RepoPath;
  return BLOCKS.flatMap((block) =>
    textsOf(settings.manifest[block]).flatMap(([name, range]): readonly SettingNote[] => {
      const here = range.replace(FROM_ROOT, '$1./');
      if (!range.startsWith('patch:') || here === range) return [];
      const before = draft.read(file);
      draft.apply(new Map([[file, before === undefined ? undefined : setJson(before, [block, name], here)]]));
      return [
        {
          file: FILE,
          setting: `${block}.${name}`,
          outcome: 'carried',
          done: { text: 'The path of its patch is now relative to the folder of the package.' },
          decision: undefined,
        },
      ];
    }),
  );
}

const BLOCKS = ['dependencies', 'devDependencies', 'optionalDependencies'] as const;

function missingPatches({ settings, importedPackage, draft }: SettingInput): readonly SettingNote[] {
  return [...BLOCKS, 'resolutions'].flatMap((block) =>
    textsOf(settings.manifest[block]).flatMap(([name, range]): readonly SettingNote[] => {
      const files = range.startsWith('patch:')
        ? [...range.matchAll(/[#&](?:optional!)?(?:~|\.)\/([^&#:]+)/g)].map(([, path = '']) => path)
        : [];
      const missing = files.filter((path) => !draft.has(`${importedPackage.path}/${path}` as RepoPath));
      if (missing.length === 0) return [];
      return [
        {
          file: FILE,
          setting: `${block}.${name}`,
          outcome: 'left',
          done: { text: 'It is unchanged.' },
          decision: {
            topic: 'unresolvable',
            text: 'Its patch is missing, so Yarn will refuse to install: add the patch, or remove the entry.',
            detail: missing.map((path) => `\`${path}\``).join(', '),
          },
        },
      ];
    }),
  );
}

function foreignPatches(input: SettingInput): readonly SettingNote[] {
  const { settings, importedPackage, project } = input;
  // In bun, it is a field of its own.
  const byOthers = [...pnpmSettings(settings), [FILE, settings.manifest] as const].flatMap(([file, fields]) =>
    textsOf(fields['patchedDependencies']).flatMap(([name]) => (isForOthers(name.replace(/(?<=.)@.*/, ''), input) ? [] : [{ file, name }])),
  );
  const usesPatchPackage = ['dependencies', 'devDependencies'].some((block) =>
    textsOf(settings.manifest[block]).some(([name]) => name === 'patch-package'),
  );
  const files = usesPatchPackage
    ? project.files.paths.filter((path) => path.startsWith(`${importedPackage.path}/patches/`) && path.endsWith('.patch'))
    : [];
  const notes: SettingNote[] = byOthers.map(({ file, name }) => ({
    file,
    setting: `patchedDependencies.${name}`,
    outcome: 'left',
    done: { text: 'It has no effect in the monorepo.' },
    decision: { text: BY_HAND, detail: `\`yarn patch ${name}\`` },
  }));
  for (const path of files) {
    const name = path
      .slice(path.lastIndexOf('/') + 1, -'.patch'.length)
      .replace(/^(@[^+]+)\+/, '$1/')
      .replace('+', '@');
    notes.push({
      file: path.slice(importedPackage.path.length + 1),
      setting: 'patch-package',
      outcome: 'left',
      done: { text: 'It stays in the package.' },
      decision: {
        text: `patch-package looks in the node_modules of the package, but what it patches is in that of the root. ${BY_HAND}`,
        detail: `\`yarn patch ${name}\``,
      },
    });
  }
  return notes;
}

const BY_HAND = 'Make it a patch of Yarn: "yarn patch", apply the file there, "yarn patch-commit -s".';
