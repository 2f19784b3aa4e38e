import type { FileRule } from '@tributary/model/config';
import { withoutBom } from '@tributary/model/file-text';
import { type Node, parseTree } from 'jsonc-parser';
import { colonOf, findValue, insertEntry, insertKey } from './json-edit.js';

/**
 * Returns the text of a `tributary.json` with rules added to its block `affected`, after the existing ones; `undefined`: there is no file yet. Comments, the order
 * of keys, indentation and line ends stay. `parseConfigFile` must accept the text.
 */
export function addRules(text: string | undefined, rules: readonly FileRule[]): string {
  const mark = text?.startsWith('\uFEFF') === true ? '\uFEFF' : '';
  const bare = withoutBom(text ?? '{}\n');
  const eol = bare.includes('\r\n') ? '\r\n' : '\n';
  // New entries would stay on the same line.
  const start = /^\s*\{\s*\}\s*$/.test(bare) ? `{${eol}}${eol}` : bare;
  return mark + rules.reduce(addRule, start);
}

function addRule(text: string, rule: FileRule): string {
  const content = ruleText(rule);
  const top = treeOf(text);
  const block = findValue(top, 'affected');
  if (block === undefined)
    return addRule(insertEntry(text, top, { at: top.children?.length ?? 0, content: `"affected"${colonOf(text)}{}` }), rule);
  const list = findValue(block, 'rules');
  if (list === undefined) return insertKey(text, block, { at: block.children?.length ?? 0, key: 'rules', brackets: '[]', item: content });
  return insertEntry(text, list, { at: list.children?.length ?? 0, content });
}

function treeOf(text: string): Node {
  const top = parseTree(text, [], { allowTrailingComma: true });
  if (top === undefined) throw new Error('the text is no JSON');
  return top;
}

/** Returns a rule as JSON; a single glob is written without a list. */
function ruleText({ files, affects, because }: FileRule): string {
  const known = [
    ['files', files.length === 1 ? files[0] : files],
    ['affects', affects],
  ] as const;
  return inOneLine(because === undefined ? known : [...known, ['because', because]]);
}

function inOneLine(keys: readonly (readonly [string, unknown])[]): string {
  return `{ ${keys.map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`).join(', ')} }`;
}
