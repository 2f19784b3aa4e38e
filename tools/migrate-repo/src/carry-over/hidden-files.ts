import { isInside, type RepoPath, seenFrom } from '@tributary/model/paths';
import type { Files, Newcomer } from '../align/project.js';
import { type IgnoreRule, IgnoreRules } from './git-ignore.js';
import { type CarryOverFinding, someOf } from './rule.js';

/** The rules of .gitignore files above a newcomer that match files it has, one finding for each. git keeps what it knows, and does not see what is new. */
export function hiddenFiles(files: Files, newcomers: readonly Newcomer[]): readonly CarryOverFinding[] {
  const rules = new IgnoreRules(files);
  const { paths } = files;
  return newcomers.flatMap((newcomer) => {
    const own = paths.filter((path) => isInside(path, newcomer.path));
    return hiddenOf(own, newcomer, rules);
  });
}

function hiddenOf(paths: readonly RepoPath[], newcomer: Newcomer, rules: IgnoreRules): readonly CarryOverFinding[] {
  const hidden = new Map<string, { readonly rule: IgnoreRule; readonly files: string[] }>();
  for (const path of paths) {
    const rule = rules.hides(path);
    if (rule === undefined || isInside(rule.file, newcomer.path)) continue;
    const key = `${rule.file}:${rule.line}`;
    const group = hidden.get(key) ?? { rule, files: [] };
    group.files.push(seenFrom(newcomer.path, path));
    hidden.set(key, group);
  }
  return [...hidden.values()].map(({ rule, files }) => describeHidden(newcomer, rule, files));
}

function describeHidden(newcomer: Newcomer, rule: IgnoreRule, files: readonly string[]): CarryOverFinding {
  return {
    newcomer: newcomer.name,
    rule: 'What git does not see',
    file: '.gitignore',
    action: 'keep',
    done: `${files.length === 1 ? 'One file of the package matches' : `${files.length} files of the package match`} "${rule.pattern}" in ${rule.file}:${rule.line}: ${someOf(files)}.`,
    decision:
      'git keeps what it knows, but does not see new files there, and "npm publish" leaves them out. Make an exception (a line with "!") in the .gitignore of the package, or make that rule narrower.',
    reason: 'a .gitignore also counts for the folders below it',
  };
}
