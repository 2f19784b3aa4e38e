import { marked, type Token, type Tokens } from 'marked';

/**
 * Returns the structure of a Markdown text, without the content of code, according to another parser of GitHub's dialect. Texts that differ
 * only in code have the same structure.
 */
export function skeletonOf(markdown: string): unknown {
  return marked.lexer(markdown, { gfm: true }).map(shapeOf);
}

function shapeOf(token: Token): unknown {
  if (token.type === 'code' || token.type === 'codespan') return token.type;
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table;
    return ['table', [header, ...rows].map((cells) => cells.map((cell) => cell.tokens.map(shapeOf)))];
  }
  if (token.type === 'list') return ['list', (token as Tokens.List).items.map((item) => item.tokens.map(shapeOf))];
  const { tokens } = token as { readonly tokens?: readonly Token[] };
  return [token.type, tokens === undefined ? token.raw : tokens.map(shapeOf)];
}
