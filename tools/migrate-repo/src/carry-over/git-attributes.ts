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
 * The attributes from a tree's .gitattributes files, as in `git check-attr`. Supports only the macro `binary`, and
 * ignores settings of a clone or machine.
 */
export class AttributeRules {
  private readonly rules: RulesByFolder<CompiledRule>;

  constructor(files: TreeFiles) {
    this.rules = new RulesByFolder(files, '.gitattributes', parseAttributes);
  }

  /** Returns an attribute's state by the last rule of the deepest file that specifies it. `from`: files above this folder are ignored. */
  stateOf(attribute: string, path: RepoPath, from: RepoFolder = ''): Decided {
    const rule = this.rules.find(path, ({ attributes }) => attributes.has(attribute), from);
    return { state: rule?.attributes.get(attribute), rule };
  }
}

function parseAttributes(text: string, file: RepoPath): readonly CompiledRule[] {
  return text.split('\n').flatMap((written, index) => {
    const [, quoted, bare = '', rest = ''] = /^[ \t\r]*(?:"((?:\\.|[^"\\])*)"|([^\s"]\S*))(.*)$/.exec(written.replace(/^\uFEFF/, '')) ?? [];
    const pattern = quoted?.replace(/\\(.)/g, '$1') ?? bare;
    // git rejects negative patterns here. A pattern for a folder does not apply to its files.
    if (pattern === '' || /^(?:#|!|\[attr\])/.test(pattern) || pattern.endsWith('/')) return [];
    const expression = ignoreExpression(pattern);
    return expression === undefined ? [] : [{ file, line: index + 1, pattern, attributes: parseStates(rest), expression }];
  });
}

/** Parses `text eol=lf -diff !merge binary`. */
function parseStates(text: string): ReadonlyMap<string, AttributeState> {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const all = words.flatMap((word) => (word === 'binary' ? ['-diff', '-merge', '-text', 'binary'] : [word]));
  return new Map(
    all.map((word): [string, AttributeState] => {
      if (word.startsWith('-')) return [word.slice(1), false];
      if (word.startsWith('!')) return [word.slice(1), undefined];
      const at = word.indexOf('=');
      return at === -1 ? [word, true] : [word.slice(0, at), word.slice(at + 1)];
    }),
  );
}
