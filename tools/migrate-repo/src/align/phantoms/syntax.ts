import { type ParserOptions, type ParserPlugin, parse, parseExpression } from '@babel/parser';
import type { Expression, File, Node } from '@babel/types';
import type { Script } from './script-parts.js';

const EVERYWHERE: readonly ParserPlugin[] = ['decorators', 'decoratorAutoAccessors', 'explicitResourceManagement'];
const PLUGINS: Readonly<Record<Script['language'], readonly ParserPlugin[]>> = {
  js: [
    ...EVERYWHERE,
    'jsx',
    ['flow', { all: false }],
    'exportDefaultFrom',
    'doExpressions',
    'sourcePhaseImports',
    'deferredImportEvaluation',
  ],
  ts: [...EVERYWHERE, 'typescript'],
  tsx: [...EVERYWHERE, 'typescript', 'jsx'],
  dts: [['typescript', { dts: true }]],
};

/** Parses code into a tree, recovering from errors if possible. Throws `SyntaxError`. */
export function parseScript({ text, language }: Pick<Script, 'text' | 'language'>): File {
  const options: ParserOptions = {
    sourceType: 'unambiguous',
    errorRecovery: true,
    attachComment: false,
    createImportExpressions: true,
    createParenthesizedExpressions: false,
    allowReturnOutsideFunction: true,
    plugins: [...PLUGINS[language]],
  };
  // The parser describes its trees with its own copy of these types.
  return orTooDeep(() => parse(text, options) as unknown as File);
}

/** Parses JSON, with comments and everything that is allowed in an expression. Throws `SyntaxError`. */
export function parseValue(text: string): Expression {
  return orTooDeep(() => parseExpression(text) as unknown as Expression);
}

/** Turns a stack overflow into a `SyntaxError`: the parser recurses for brackets, and a file may have thousands of them. */
function orTooDeep<Tree>(read: () => Tree): Tree {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new SyntaxError('it is nested too deeply to be read');
  }
}

/** Calls `visit` for a node and all nodes below it, parents first. Its result is the state for the nodes below. */
export function walk<State>(node: Node, state: State, visit: (node: Node, state: State) => State): void {
  const below = visit(node, state);
  for (const key in node) {
    if (key === 'loc' || key === 'extra' || key === 'comments' || key === 'tokens' || key === 'errors') continue;
    const value: unknown = node[key as keyof Node];
    if (typeof value !== 'object' || value === null) continue;
    if (Array.isArray(value)) {
      for (const one of value) if (isNode(one)) walk(one, below, visit);
    } else if (isNode(value)) walk(value, below, visit);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** Returns the text of a literal, or of a template without expressions. */
export function literalOf(node: Node | null | undefined): string | undefined {
  if (node?.type === 'StringLiteral') return node.value;
  return node?.type === 'TemplateLiteral' && node.expressions.length === 0 ? (node.quasis[0]?.value.cooked ?? undefined) : undefined;
}
