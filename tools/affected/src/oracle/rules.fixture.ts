import picomatch from 'picomatch';
import { asObject, listIn, type OracleSide, readJson, textsIn } from './side.fixture.js';

/** The settings of `tributary.json` that the oracle knows. */
export interface OracleSettings {
  readonly always: readonly string[];
  /** Patterns for names of dependencies that only the root uses. */
  readonly rootOnly: readonly string[];
  /** Returns the value of the first matching rule: a word, or names of workspaces. */
  ruleFor(path: string): string | readonly string[] | undefined;
  /** All workspaces in rules. */
  readonly named: readonly string[];
  /** By kind of file, `dependents` if its changes reach them. */
  readonly reach: Readonly<Record<string, string>>;
  /** The edges that `check --fix` writes. */
  readonly edges: readonly WrittenEdge[];
}

export interface WrittenEdge {
  readonly from: string;
  readonly workspaces: readonly string[];
  readonly files: readonly string[];
}

/** Returns the block `affected` of a side's tributary.json. */
export function readRules(side: OracleSide): OracleSettings {
  const block = asObject(readJson(side.text('tributary.json'))?.['affected']) ?? {};
  const rules = (Array.isArray(block['rules']) ? block['rules'] : []).map((raw: unknown) => {
    const rule = asObject(raw) ?? {};
    const globs = typeof rule['files'] === 'string' ? [rule['files']] : listIn(rule['files']);
    const affects = typeof rule['affects'] === 'string' ? rule['affects'] : listIn(rule['affects']);
    return { globs, affects };
  });
  return {
    always: listIn(block['always']),
    rootOnly: listIn(block['rootOnlyDependencies']),
    ruleFor: (path) => rules.find(({ globs }) => matches(globs, path))?.affects,
    named: rules.flatMap(({ affects }) => (typeof affects === 'string' ? [] : affects)),
    reach: Object.fromEntries(textsIn(block['reach'])),
    edges: Object.entries(asObject(block['edges']) ?? {}).map(([from, edge]) => ({
      from,
      workspaces: textsIn(asObject(edge)?.['workspaces']).map(([name]) => name),
      files: textsIn(asObject(edge)?.['files']).map(([path]) => path),
    })),
  };
}

/** Returns whether globs match. A glob with `!` excludes files from its own rule. */
export function matches(globs: readonly string[], path: string): boolean {
  const no = globs.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1));
  const yes = globs.filter((glob) => !glob.startsWith('!'));
  return isMatch(yes, path) && !isMatch(no, path);
}

function isMatch(globs: readonly string[], path: string): boolean {
  return globs.some((glob) => picomatch.isMatch(path, glob, { dot: true }));
}
