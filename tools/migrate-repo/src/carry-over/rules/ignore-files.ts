import { type RepoPath, relativeTo } from '@tributary/model/paths';
import { isFence, withBlock } from '../../edit/fence.js';
import { ignorePattern } from '../git-ignore.js';
import { prefixPattern } from '../git-pattern.js';
import { type CarryOverRule, type FileNote, inProject, kept, type RuleOutcome, type RuleSubject } from '../rule.js';

export const npmIgnore: CarryOverRule = {
  title: '.npmignore',
  matches: ['.npmignore'],
  action: 'keep',
  reason: 'it decides what is published',
};

export const toolIgnore: CarryOverRule = {
  title: 'Files that linters and formatters ignore',
  matches: ['.eslintignore', '.prettierignore', '.stylelintignore', '.markdownlintignore'],
  action: 'merge',
  reason:
    'tools read it in the folder where they start: it stays for the package, and its patterns are added to the one of the root, if it exists',
  apply: mergePatterns,
};

function mergePatterns(subject: RuleSubject): RuleOutcome {
  const edits = new Map<RepoPath, string>();
  const notes = subject.files.map((file): FileNote => {
    const root = inProject(subject, file);
    const before = subject.monorepo.read(root);
    const text = subject.read(file);
    if (before === undefined || text === undefined) return kept(file);
    edits.set(
      root,
      withBlock(before, {
        name: subject.importedPackage.name,
        lines: ignoreLines(text, relativeTo(subject.repository.root, subject.importedPackage.path) as RepoPath),
      }),
    );
    return {
      file,
      action: 'merge',
      done: { text: 'It stays in the package, and its patterns were also added to the one of the root.' },
      remarks: [],
    };
  });
  return { edits, notes };
}

/** Returns the lines of such a file, rewritten for the root's file. */
export function ignoreLines(text: string, folder: RepoPath): readonly string[] {
  return text.split('\n').flatMap((line) => {
    const pattern = ignorePattern(line);
    if (pattern === undefined) return line.startsWith('#') && !isFence(line) ? [line.trimEnd()] : [];
    const [sign, bare] = pattern.startsWith('!') ? ['!', pattern.slice(1)] : ['', pattern];
    return [`${sign}${prefixPattern(bare, folder)}`];
  });
}
