import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import type { TreeFiles } from '../align/project.js';
import { ignoreExpression, RulesByFolder } from './git-pattern.js';

/** The state of an attribute: set, unset, or a value; `undefined` if unspecified. */
export type AttributeState = true | false | string | undefined;

/** A line of a .gitattributes file. */
export interface AttributeRule {
  /** The .gitattributes file. */
  readonly file: RepoPath;
  /** Counted from 1. */
  readonly line: number;
  readonly pattern: string;
  readonly attributes: ReadonlyMap<string, AttributeState>;
}

/** The state of an attribute, with the rule that decides it. */
export interface Decided {
  readonly state: AttributeState;
  readonly rule: AttributeRule | undefined;
}

interface CompiledRule extends AttributeRule {
  readonly expression: RegExp;
}

/**
 * The attributes from a tree's .gitattributes files, as in `git check-attr`. Ignores settings of a clone or machine.
 */
export class AttributeRules {
  private readonly rules: RulesByFolder<CompiledRule>;

  constructor(files: TreeFiles) {
    const macros = macrosIn(files.read('.gitattributes' as RepoPath) ?? '');
    this.rules = new RulesByFolder(files, '.gitattributes', (text, file) => parseAttributes(text, file, macros));
  }

  /** Returns an attribute's state by the last rule of the deepest file that specifies it. `from`: files above this folder are ignored. */
  stateOf(attribute: string, path: RepoPath, from: RepoFolder = ''): Decided {
    const rule = this.rules.find(path, ({ attributes }) => attributes.has(attribute), from);
    return { state: rule?.attributes.get(attribute), rule };
  }
}

/** The attributes that a name stands for, by name. */
export type Macros = ReadonlyMap<string, readonly string[]>;

/** Returns the macros of the .gitattributes file at the top, the only one where git reads them. */
export function macrosIn(text: string): Macros {
  const own = [...text.matchAll(/^[ \t]*\[attr\](\S+)[ \t]+(.*)$/gm)].map(([, name = '', words = '']) => [name, wordsIn(words)] as const);
  return new Map([['binary', ['-diff', '-merge', '-text']], ...own]);
}

/** A line of a .gitattributes file. */
interface AttributeLine {
  /** Counted from 1. */
  readonly line: number;
  readonly pattern: string;
  /** As written: `text`, `eol=lf`, `-diff`, `!merge`. A macro follows what it stands for. */
  readonly words: readonly string[];
}

/** Returns the lines that may apply to files: git rejects negative patterns, and a pattern for a folder does not apply to its files. */
export function attributeLines(text: string, macros: Macros): readonly AttributeLine[] {
  return text.split('\n').flatMap((written, index) => {
    const [, quoted, bare = '', rest = ''] = /^[ \t\r]*(?:"((?:\\.|[^"\\])*)"|([^\s"]\S*))(.*)$/.exec(written.replace(/^\uFEFF/, '')) ?? [];
    const pattern = quoted?.replace(/\\(.)/g, '$1') ?? bare;
    if (pattern === '' || /^(?:#|!|\[attr\])/.test(pattern) || pattern.endsWith('/')) return [];
    return [{ line: index + 1, pattern, words: wordsIn(rest).flatMap((word) => expanded(word, macros)) }];
  });
}

function parseAttributes(text: string, file: RepoPath, macros: Macros): readonly CompiledRule[] {
  return attributeLines(text, macros).flatMap(({ line, pattern, words }) => {
    const expression = ignoreExpression(pattern);
    return expression === undefined ? [] : [{ file, line, pattern, attributes: statesOf(words), expression }];
  });
}

function wordsIn(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

/** Returns a word, after what it stands for. `above`: macros that contain it. */
function expanded(word: string, macros: Macros, above: readonly string[] = []): readonly string[] {
  const words = above.includes(word) ? [] : (macros.get(word) ?? []);
  return [...words.flatMap((one) => expanded(one, macros, [...above, word])), word];
}

function statesOf(words: readonly string[]): ReadonlyMap<string, AttributeState> {
  return new Map(
    words.map((word): [string, AttributeState] => {
      if (word.startsWith('-')) return [word.slice(1), false];
      if (word.startsWith('!')) return [word.slice(1), undefined];
      const at = word.indexOf('=');
      return at === -1 ? [word, true] : [word.slice(0, at), word.slice(at + 1)];
    }),
  );
}

/** Returns a pattern as a .gitattributes file has it. There, a space ends a pattern without quotes. */
export function quoted(pattern: string): string {
  return /[\s"]/.test(pattern) || !/^[\x20-\x7e]*$/.test(pattern) ? `"${pattern.replace(/[\\"]/g, '\\$&')}"` : pattern;
}
