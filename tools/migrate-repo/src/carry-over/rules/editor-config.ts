import type { RepoPath } from '@tributary/model/paths';
import { type CarryOverRule, type FileNote, inPackage, kept, nearestAbove, type RuleOutcome, type RuleSubject } from '../rule.js';

export const editorConfig: CarryOverRule = {
  title: '.editorconfig',
  matches: ['.editorconfig'],
  action: 'keep',
  reason: 'it applies to its own folder; with "root = true" those above it do not apply there, as before',
  apply: shutOut,
};

/** Adds `root = true` if another .editorconfig is above the package, so that editors behave as before. */
function shutOut(subject: RuleSubject): RuleOutcome {
  const edits = new Map<RepoPath, string>();
  const notes = subject.files.map((file): FileNote => {
    const text = subject.read(file);
    if (text === undefined || /^\s*root\s*=\s*true\s*$/im.test(text) || nearestAbove(subject, ['.editorconfig']) === undefined)
      return kept(file);
    edits.set(inPackage(subject, file), withRoot(text));
    return { ...kept(file), done: { text: 'It now has "root = true", so that no other settings apply to the package.' } };
  });
  return { edits, notes };
}

function withRoot(text: string): string {
  const [mark = ''] = /^\uFEFF/.exec(text) ?? [];
  return `${mark}root = true${text.includes('\r\n') ? '\r\n' : '\n'}${text.slice(mark.length)}`;
}
