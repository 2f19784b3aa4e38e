import { isInside, relativeTo } from '@tributary/model/paths';
import { groupBy } from '../align/lock/content.js';
import type { TreeFiles } from '../align/project.js';
import type { Message } from '../message.js';
import { code, someOf } from '../text.js';
import { IgnoreRules } from './git-ignore.js';
import type { CarriedPackage } from './repository.js';
import { type CarryOverFinding, kept } from './rule.js';

/**
 * Reports rules of .gitignore files above an imported package that match its files, one finding for each rule, as `git
 * check-ignore -v` does: file, line, pattern. git keeps tracked files, but does not see new ones.
 */
export function hiddenFiles(files: TreeFiles, importedPackages: readonly CarriedPackage[]): readonly CarryOverFinding[] {
  const rules = new IgnoreRules(files);
  return importedPackages.flatMap(({ name, path: folder }) => {
    const hidden = files.paths.flatMap((path) => {
      const rule = isInside(path, folder) ? rules.hides(path) : undefined;
      return rule === undefined || isInside(rule.file, folder) ? [] : [{ rule, file: code(relativeTo(folder, path)) }];
    });
    const ofFolder = rules.hidesFolder(folder);
    return [...groupBy(hidden, ({ rule: { file, line } }) => `${file}:${line}`)].map(([place, found]): CarryOverFinding => {
      const pattern = code(found[0]?.rule.pattern ?? '');
      const detail = `${code(place)} has ${pattern}, which matches ${someOf(found.map(({ file }) => file))}`;
      const remark: Message = { topic: 'behaviour', text: found[0]?.rule === ofFolder ? ALL : HIDDEN, detail };
      return {
        importedPackage: name,
        rule: 'Files that git ignores',
        ...kept('', remark),
        reason: 'a .gitignore also applies to the folders below it',
      };
    });
  });
}

const HIDDEN =
  'A rule above the package ignores files of it. git keeps tracked files, but new ones stay invisible and "npm publish" may leave them out. Make an exception (a line with "!") in the .gitignore of the package, or narrow that rule.';

const ALL =
  'A rule above the package ignores its whole folder. git keeps tracked files, but new ones stay invisible and "npm publish" may leave them out. Narrow that rule, or add an exception for the folder (a line with "!") after it.';
