import type { RepoPath } from '@tributary/model/paths';
import { isFence, withBlock } from '../../edit/fence.js';
import { type CarryOverRule, inPackage, keepEach, type RuleOutcome, type Subject, sentences, someOf } from '../rule.js';

export const gitIgnore: CarryOverRule = {
  title: '.gitignore',
  matches: ['.gitignore'],
  action: 'keep',
  reason: 'it counts in the folder where it stands, and npm asks it what to publish',
};

export const gitAttributes: CarryOverRule = {
  title: '.gitattributes',
  matches: ['.gitattributes'],
  action: 'keep',
  reason: 'it counts in the folder where it stands; what it names must be set up in the clone',
  apply: (subject) => keepEach(subject, (file) => attributesDecision(subject.read(file) ?? '')),
};

export const gitModules: CarryOverRule = {
  title: '.gitmodules',
  matches: ['.gitmodules'],
  action: 'keep',
  reason: 'git reads it at the root only',
  apply: (subject) =>
    keepEach(subject, (file) => {
      const paths = [...(subject.read(file) ?? '').matchAll(/^\s*path\s*=\s*(.+?)\s*$/gm)].map(
        ([, path = '']) => `${subject.newcomer.path}/${path}`,
      );
      return `Its submodules are empty folders now: write them into the .gitmodules of the root, with the paths ${someOf(paths)}, or do without them.`;
    }),
};

export const blameIgnoreRevs: CarryOverRule = {
  title: 'Commits that blame passes over',
  matches: ['.git-blame-ignore-revs'],
  action: 'keep',
  reason: 'git reads the file that the clone names, most often that of the root',
  apply: (subject) =>
    keepEach(
      subject,
      () =>
        'A moved history has other commit ids: look each up by its subject ("git log --grep") and write the new one into the file of the root.',
    ),
};

export const mailmap: CarryOverRule = {
  title: '.mailmap',
  matches: ['.mailmap'],
  action: 'merge',
  reason: 'git reads it at the root only, and its lines concern the authors they name',
  apply: mergeMailmap,
};

function attributesDecision(text: string): string | undefined {
  const lines = text.split(/\r?\n/).filter((line) => !line.trimStart().startsWith('#'));
  const using = (pattern: RegExp): readonly string[] => [...new Set(lines.flatMap((line) => pattern.exec(line)?.[1] ?? []))];
  const filters = using(/\sfilter=(\S+)/);
  const drivers = using(/\smerge=(?!(?:text|binary|union)\b)(\S+)/);
  const macros = using(/^\[attr\](\S+)/);
  return sentences(
    filters.includes('lfs') ? 'It stores files with Git LFS: the objects must be on the server of the monorepo too.' : undefined,
    filters.some((filter) => filter !== 'lfs')
      ? `It uses the filters ${filters.filter((one) => one !== 'lfs').join(', ')}, which every clone must set up.`
      : undefined,
    drivers.length > 0 ? `It uses the merge drivers ${drivers.join(', ')}, which every clone must set up.` : undefined,
    macros.length > 0 ? `git takes macros from the root only: write [attr]${macros.join(', [attr]')} there.` : undefined,
  );
}

function mergeMailmap(subject: Subject): RuleOutcome {
  const [file = ''] = subject.files;
  const root = '.mailmap' as RepoPath;
  const lines = (subject.read(file) ?? '').split(/\r?\n/).filter((line) => line.trim() !== '' && !isFence(line));
  const text = withBlock(subject.monorepo.read(root) ?? '', { name: subject.newcomer.name, lines });
  return {
    edits: new Map([
      [root, text],
      [inPackage(subject, file), undefined],
    ]),
    notes: [{ file, action: 'merge', done: 'Its lines stand in the .mailmap of the root.', decision: undefined }],
  };
}
