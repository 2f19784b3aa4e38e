import { type RepoPath, relativeTo } from '@tributary/model/paths';
import type { Draft } from '../edit/draft.js';
import { withBlock } from '../edit/fence.js';
import type { Message } from '../message.js';
import { code, someOf } from '../text.js';
import type { CarriedPackage, CarryOverRepository } from './repository.js';
import { type CarryOverFinding, inProject, kept } from './rule.js';
import { ignoreLines } from './rules/ignore-files.js';

const RULE = { rule: 'Files above the package', reason: 'git and tools also read them in the folders above' };

/**
 * Carries the rules of .gitignore files above a package, in the repository that it was a folder of, to the root, and
 * reports the settings that tools found there.
 */
export function carryFormerRoot(
  repository: CarryOverRepository,
  { name, path, formerRoot }: CarriedPackage,
  draft: Draft,
): readonly CarryOverFinding[] {
  if (formerRoot === undefined) return [];
  const { ignored, settings } = formerRoot;
  const found: CarryOverFinding[] = [];
  const file = inProject({ repository }, '.gitignore');
  const before = draft.read(file) ?? '';
  const known = new Set(before.split(/\r?\n/));
  const missing = ignored.filter((pattern) => !known.has(pattern));
  if (missing.some((pattern) => !pattern.startsWith('!'))) {
    const lines = ignoreLines(missing.join('\n'), relativeTo(repository.root, path) as RepoPath);
    draft.apply(new Map([[file, withBlock(before, { name, lines })]]));
    found.push({ importedPackage: name, file: '.gitignore', stands: file, action: 'merge', done: IGNORED, remarks: [], ...RULE });
  }
  const remark: Message = { ...SETTINGS, detail: someOf(settings.map(code), 8) };
  if (settings.length > 0) found.push({ importedPackage: name, ...kept('', remark), ...RULE });
  return found;
}

const IGNORED: Message = { text: 'The rules of its former root were added to the one of the root, for the folder of the package.' };

const SETTINGS: Message = {
  topic: 'behaviour',
  text: 'Tools found settings at the root of its former repository, which did not come along. Now they find those of the monorepo, or none: copy what the package needs.',
};
