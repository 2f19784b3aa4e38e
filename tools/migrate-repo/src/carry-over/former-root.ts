import { posix } from 'node:path';
import { isInside, type RepoPath, relativeTo } from '@tributary/model/paths';
import { resolveFolder } from '@tributary/workspaces/folders';
import { modulesIn } from '../align/phantoms/code-references.js';
import { classOf, isCode } from '../align/phantoms/file-class.js';
import type { Draft } from '../edit/draft.js';
import { linesOfBlock, withBlock } from '../edit/fence.js';
import { listing, type Message } from '../message.js';
import { code } from '../text.js';
import { placeOf } from './config-paths.js';
import { attributeLines, quoted } from './git-attributes.js';
import { isAnchored, prefixPattern } from './git-pattern.js';
import type { CarriedPackage, CarryOverRepository } from './repository.js';
import { type CarryOverFinding, inProject, kept } from './rule.js';
import { attributesDecisions } from './rules/git-files.js';
import { ignoreLines } from './rules/ignore-files.js';

const RULE = { rule: 'Files above the package', reason: 'git and tools also read them in the folders above' };

/**
 * Carries the rules of .gitignore and .gitattributes files above a package, in the repository that it was a folder of,
 * to the root, and reports the settings that tools found there.
 */
export function carryFormerRoot(
  repository: CarryOverRepository,
  importedPackage: CarriedPackage,
  draft: Draft,
): readonly CarryOverFinding[] {
  const { name, path, formerRoot } = importedPackage;
  if (formerRoot === undefined) return [];
  const beside = modulesBeside(repository, importedPackage);
  const { ignored, attributes, settings, scripts = [], workflows = [] } = formerRoot;
  const folder = relativeTo(repository.root, path) as RepoPath;
  const found: CarryOverFinding[] = [];
  const add = (file: string, linesFor: (known: ReadonlySet<string>) => readonly string[], remarks: readonly Message[] = []): void => {
    const stands = inProject({ repository }, file);
    const before = draft.read(stands) ?? '';
    const lines = linesFor(new Set(before.split(/\r?\n/)));
    if (lines.length === 0) return;
    const all = [...new Set([...lines, ...linesOfBlock(before, name)])];
    draft.apply(new Map([[stands, withBlock(before, { name, lines: all })]]));
    found.push({ importedPackage: name, file, stands, action: 'merge', done: CARRIED, remarks, ...RULE });
  };
  add('.gitignore', (known) => {
    // An anchored one of the root is for another folder.
    const missing = ignored.filter((pattern) => isAnchored(pattern) || (!known.has(pattern.replace(/\/$/, '')) && !known.has(pattern)));
    // An exception follows what it is an exception of.
    const lines = missing.some((pattern) => pattern.startsWith('!')) ? ignored : missing;
    return lines.some((pattern) => !pattern.startsWith('!')) ? ignoreLines(lines.join('\n'), folder) : [];
  });
  // The last line counts: one that the root has too may follow one that it does not have.
  add(
    '.gitattributes',
    (known) => (attributes.every((line) => known.has(line)) ? [] : attributeLinesFor(attributes, folder)),
    attributesDecisions(attributes.join('\n'), repository.files, importedPackage),
  );
  const remarks: readonly Message[] = [
    ...listing(BESIDE, beside, 8),
    ...listing(SETTINGS, settings.map(code), 8),
    ...listing(SCRIPTS, scripts.map(code)),
    ...listing(WORKFLOWS, workflows.map(code), 8),
  ];
  found.push(...remarks.map((remark) => ({ importedPackage: name, ...kept('', remark), ...RULE })));
  return found;
}

/** Returns the modules that code of a package loads from outside of it, and that are not there in the monorepo. */
function modulesBeside({ files }: CarryOverRepository, importedPackage: CarriedPackage): readonly string[] {
  return files.paths.flatMap((path) => {
    const file = isInside(path, importedPackage.path) && isCode(path) ? relativeTo(importedPackage.path, path) : undefined;
    if (file === undefined || classOf(file) === 'fixture') return [];
    return modulesIn(path, files.read(path) ?? '').flatMap(({ specifier, line }) => {
      const led = posix.join(posix.dirname(file), specifier).replace(/(?:\.[cm]?[jt]sx?)?(?:\?.*)?$/, '');
      if (!/^\.\.?\//.test(specifier) || !led.startsWith('../')) return [];
      const target = resolveFolder(importedPackage.path, led);
      // A file at the root of the monorepo is another one.
      const isGone = target?.includes('/') !== true || placeOf({ importedPackage, monorepo: files }, led) !== '';
      return isGone ? [`${code(specifier)} in ${code(`${file}:${line}`)}`] : [];
    });
  });
}

function attributeLinesFor(lines: readonly string[], folder: RepoPath): readonly string[] {
  return attributeLines(lines.join('\n'), new Map()).map(({ pattern, words }) =>
    [quoted(prefixPattern(pattern, folder)), ...words].join(' '),
  );
}

const CARRIED: Message = { text: 'The rules of its former root were added to the one of the root, for the folder of the package.' };

const BESIDE: Message = {
  topic: 'behaviour',
  text: 'Its code loads files that are outside the package, and did not come along: bring them too, or make them packages.',
};

const SETTINGS: Message = {
  topic: 'behaviour',
  text: 'Tools found settings at the root of its former repository, which did not come along. Now they find those of the monorepo, or none: copy what the package needs.',
};

const SCRIPTS: Message = {
  topic: 'behaviour',
  text: 'Scripts of its former root did not come along, and the package has none of these names: write those that built or tested it into its package.json, with their dependencies.',
};

const WORKFLOWS: Message = {
  topic: 'behaviour',
  text: 'Workflows of its former root did not come along: what tested or released the package there is missing here.',
};
