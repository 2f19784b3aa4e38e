import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import { parentFolder } from '@tributary/workspaces/folders';
import type { TreeFiles } from '../align/project.js';
import { ignoreExpression, RulesByFolder } from './git-pattern.js';

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
  private readonly rules: RulesByFolder<CompiledRule>;
  private readonly hidden = new Map<RepoFolder, IgnoreRule | undefined>();

  constructor(files: TreeFiles) {
    this.rules = new RulesByFolder(files, '.gitignore', parseIgnoreRules);
  }

  /** Returns the rule that hides a new file from git; `undefined` if none does. */
  hides(path: RepoPath): IgnoreRule | undefined {
    const above = this.hidesFolder(parentFolder(path));
    if (above !== undefined) return above;
    return positive(this.rules.find(path, ({ foldersOnly }) => !foldersOnly));
  }

  /** Returns the rule that hides a folder, or one above it. git reads no .gitignore inside of it. */
  hidesFolder(folder: RepoFolder): IgnoreRule | undefined {
    if (folder === '') return undefined;
    if (!this.hidden.has(folder))
      this.hidden.set(folder, this.hidesFolder(parentFolder(folder)) ?? positive(this.rules.find(folder, () => true)));
    return this.hidden.get(folder);
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
