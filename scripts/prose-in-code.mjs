// Finds prose in sources: texts that a program shows. Contains no rules for them.
import { parseSync } from 'oxc-parser';

const EXCUSE = /^\s*\/\/ prose-ok: \S/;
/** Texts for a machine: SQL, GraphQL, CSS, shell, YAML, JavaScript. */
const PROGRAM = /^\s*(?:SELECT|WITH|CREATE|COPY|INSERT|FROM|COALESCE|CASE|DELETE|ATTACH)\b|[{;]\n|:\n +[\w-]+:|\n +- run:|^awk /i;

/**
 * Returns `{ line, text }` for each text of at least four words in a TypeScript file, in order. A value inside of a template is one word.
 * Lines count one by one. Left out are texts for a machine, such as SQL, and those with
 * `// prose-ok: reason` on the line above.
 */
export function textsOfCode(file, source) {
  const lines = source.split('\n');
  const texts = [];
  walk(parse(file, source).program, (node) => {
    const text = textOf(node);
    if (text === undefined || PROGRAM.test(text)) return;
    const line = lineAt(source, node.start);
    texts.push(...text.split('\n').flatMap((part) => (wordsOf(part).length < 4 ? [] : [{ line, text: part }])));
  });
  return texts.filter(({ line }) => !EXCUSE.test(lines[line - 2] ?? ''));
}

function parse(file, source) {
  const parsed = parseSync(file, source);
  // An unreadable file would look like one without prose.
  if (parsed.errors.length > 0) throw new Error(`${file}: ${parsed.errors[0].message}`);
  return parsed;
}

function textOf(node) {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  return node.type === 'TemplateLiteral' ? node.quasis.map(({ value }) => value.cooked).join('`x`') : undefined;
}

function wordsOf(text) {
  return text.split(/\s+/).filter((word) => /^[(“"']?\p{L}{2,}/u.test(word));
}

function walk(node, visit) {
  if (Array.isArray(node)) {
    for (const child of node) walk(child, visit);
  } else if (node !== null && typeof node === 'object') {
    if (typeof node.type === 'string') visit(node);
    for (const child of Object.values(node)) walk(child, visit);
  }
}

function lineAt(source, offset) {
  return source.slice(0, offset).split('\n').length;
}
