import { isInside, type RepoPath, relativeTo } from '@tributary/model/paths';
import type { TreeFiles } from '../align/project.js';
import { someOf } from '../text.js';
import { type IgnoreRule, IgnoreRules } from './git-ignore.js';
import type { CarriedPackage } from './repository.js';
import type { CarryOverFinding } from './rule.js';

/**
 * Reports rules of .gitignore files above an imported package that match its files, one finding for each rule. git
 * keeps tracked files, but does not see new ones.
 */
export function hiddenFiles(files: TreeFiles, importedPackages: readonly CarriedPackage[]): readonly CarryOverFinding[] {
  const rules = new IgnoreRules(files);
  const { paths } = files;
  return importedPackages.flatMap((importedPackage) => {
    const own = paths.filter((path) => isInside(path, importedPackage.path));
    return hiddenOf(own, importedPackage, rules);
  });
}

function hiddenOf(paths: readonly RepoPath[], importedPackage: CarriedPackage, rules: IgnoreRules): readonly CarryOverFinding[] {
  const hidden = new Map<string, { readonly rule: IgnoreRule; readonly files: string[] }>();
  for (const path of paths) {
    const rule = rules.hides(path);
    if (rule === undefined || isInside(rule.file, importedPackage.path)) continue;
    const key = `${rule.file}:${rule.line}`;
    const group = hidden.get(key) ?? { rule, files: [] };
    group.files.push(relativeTo(importedPackage.path, path));
    hidden.set(key, group);
  }
  return [...hidden.values()].map(({ rule, files }) => describeHidden(importedPackage, rule, files));
}

/** Describes a rule as `git check-ignore -v` does: file, line, pattern. */
function describeHidden(importedPackage: CarriedPackage, rule: IgnoreRule, files: readonly string[]): CarryOverFinding {
  const pattern = rule.pattern.replaceAll('`', "'");
  return {
    importedPackage: importedPackage.name,
    rule: 'Files that git ignores',
    file: '',
    action: 'keep',
    done: undefined,
    remarks: [
      {
        topic: 'behaviour',
        text: HIDDEN,
        detail: `\`${rule.file}:${rule.line}\` has \`${pattern}\`, which matches ${someOf(files.map((file) => `\`${file}\``))}`,
      },
    ],
    reason: 'a .gitignore also applies to the folders below it',
  };
}

const HIDDEN =
  'A rule above the package ignores files of it. git keeps tracked files, but new ones stay invisible and "npm publish" may leave them out. Make an exception (a line with "!") in the .gitignore of the package, or narrow that rule.';
