import { isInside, type RepoPath } from '@tributary/model/paths';
import type { TreeFiles } from '../../align/project.js';
import { isFence, withBlock } from '../../edit/fence.js';
import { pointedTo } from '../../lfs-pointer.js';
import { listing, type Message } from '../../message.js';
import type { CarriedPackage } from '../repository.js';
import { type CarryOverRule, inPackage, keepEach, type RuleOutcome, type RuleSubject } from '../rule.js';

export const gitIgnore: CarryOverRule = {
  title: '.gitignore',
  matches: ['.gitignore'],
  action: 'keep',
  reason: 'it applies to its own folder, and npm reads it to decide what to publish',
};

export const gitAttributes: CarryOverRule = {
  title: '.gitattributes',
  matches: ['.gitattributes'],
  action: 'keep',
  reason: 'it applies to its own folder; filters and drivers that it names must be set up in the clone',
  apply: (subject) => keepEach(subject, (file) => attributesDecisions(subject.read(file) ?? '', subject.monorepo, subject.importedPackage)),
};

export const mailmap: CarryOverRule = {
  title: '.mailmap',
  matches: ['.mailmap'],
  action: 'merge',
  reason: 'git reads it only at the root, and its lines apply to the authors that they name',
  inherits: true,
  apply: mergeMailmap,
};

/** Returns what a person must do for the filters, drivers and macros of a .gitattributes file. */
export function attributesDecisions(text: string, files: TreeFiles, { path }: CarriedPackage): readonly Message[] {
  const lines = text.split(/\r?\n/).filter((line) => !line.trimStart().startsWith('#'));
  const using = (pattern: RegExp): readonly string[] => [...new Set(lines.flatMap((line) => pattern.exec(line)?.[1] ?? []))];
  const filters = using(/\sfilter=(\S+)/);
  const drivers = using(/\smerge=(?!(?:text|binary|union|lfs)\b)(\S+)/);
  const macros = using(/^\[attr\](\S+)/);
  const topic = 'behaviour';
  const isPointer = (file: RepoPath): boolean => isInside(file, path) && pointedTo(files.read(file) ?? '') !== undefined;
  return [
    ...(filters.includes('lfs') && files.paths.some(isPointer)
      ? [{ topic, text: 'It stores files with Git LFS: the server of the monorepo needs these objects too.' } as const]
      : []),
    ...listing(
      { topic, text: 'It uses filters, which every clone must set up.' },
      filters.filter((one) => one !== 'lfs'),
    ),
    ...listing({ topic, text: 'It uses merge drivers, which every clone must set up.' }, drivers),
    ...listing(
      { topic, text: 'git reads macros only at the root: move them there.' },
      macros.map((name) => `\`[attr]${name}\``),
    ),
  ];
}

function mergeMailmap(subject: RuleSubject): RuleOutcome {
  const [file = ''] = subject.files;
  const root = '.mailmap' as RepoPath;
  const lines = (subject.read(file) ?? '').split(/\r?\n/).filter((line) => line.trim() !== '' && !isFence(line));
  const text = withBlock(subject.monorepo.read(root) ?? '', { name: subject.importedPackage.name, lines });
  return {
    edits: new Map([
      [root, text],
      [inPackage(subject, file), undefined],
    ]),
    notes: [{ file, action: 'merge', done: { text: 'Its lines were added to the .mailmap of the root.' }, remarks: [] }],
  };
}
