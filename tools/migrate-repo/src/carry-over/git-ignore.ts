import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import { parentFolder } from '@tributary/workspaces/folders';
import type { TreeFiles } from '../align/project.js';
import { ignoreExpression } from './git-pattern.js';

/** The line of a .gitignore that decides about a path. */
export interface IgnoreRule {
  /** The .gitignore file. */
  readonly file: RepoPath;
  /** Counted from 1. */
  readonly line: number;
  readonly pattern: string;
  readonly isNegative: boolean;
}

interface CompiledRule extends IgnoreRule {
  readonly expression: RegExp;
  readonly foldersOnly: boolean;
}

/** The rules of a tree's .gitignore files, whether or not git tracks a file: `git check-ignore --no-index`. */
export class IgnoreRules {
  private readonly files: TreeFiles;
  private readonly compiled = new Map<RepoFolder, readonly CompiledRule[]>();
  private readonly hidden = new Map<RepoFolder, IgnoreRule | undefined>();

  constructor(files: TreeFiles) {
    this.files = files;
  }

  /** Returns the rule that hides a new file from git; `undefined` if none does. */
  hides(path: RepoPath): IgnoreRule | undefined {
    const above = this.hidesFolder(parentFolder(path));
    if (above !== undefined) return above;
    return positive(this.deciding(path, 'file'));
  }

  private hidesFolder(folder: RepoFolder): IgnoreRule | undefined {
    if (folder === '') return undefined;
    if (!this.hidden.has(folder))
      this.hidden.set(folder, this.hidesFolder(parentFolder(folder)) ?? positive(this.deciding(folder, 'folder')));
    return this.hidden.get(folder);
  }

  /** Returns the last rule of the deepest .gitignore that has one. */
  private deciding(path: RepoPath, kind: 'file' | 'folder'): IgnoreRule | undefined {
    for (let folder = parentFolder(path); ; folder = parentFolder(folder)) {
      const below = path.slice(folder === '' ? 0 : folder.length + 1);
      const rule = this.rulesIn(folder).findLast(
        ({ expression, foldersOnly }) => (kind === 'folder' || !foldersOnly) && expression.test(below),
      );
      if (rule !== undefined || folder === '') return rule;
    }
  }

  private rulesIn(folder: RepoFolder): readonly CompiledRule[] {
    const known = this.compiled.get(folder);
    if (known !== undefined) return known;
    const file = (folder === '' ? '.gitignore' : `${folder}/.gitignore`) as RepoPath;
    const rules = parseIgnoreRules(this.files.read(file) ?? '', file);
    this.compiled.set(folder, rules);
    return rules;
  }
}

function positive(rule: IgnoreRule | undefined): IgnoreRule | undefined {
  return rule?.isNegative === true ? undefined : rule;
}

function parseIgnoreRules(text: string, file: RepoPath): readonly CompiledRule[] {
  return text.split('\n').flatMap((written, index) => {
    const pattern = ignorePattern(written);
    if (pattern === undefined) return [];
    const isNegative = pattern.startsWith('!');
    const bare = isNegative ? pattern.slice(1) : pattern;
    const expression = ignoreExpression(bare);
    return expression === undefined ? [] : [{ file, line: index + 1, pattern, isNegative, expression, foldersOnly: bare.endsWith('/') }];
  });
}

/** Returns the pattern in a line of such a file; `undefined` for an empty line and a comment. */
export function ignorePattern(line: string): string | undefined {
  // Trailing spaces count only after a backslash.
  const pattern = line
    .replace(/\r$/, '')
    .replace(/^\uFEFF/, '')
    .replace(/(?<!\\) +$/, '');
  return pattern === '' || pattern.startsWith('#') || /^!?\/?$/.test(pattern) ? undefined : pattern;
}
