import type { ScannedImport } from './reference.js';

const MADE = /([A-Za-z_$][\w$]*)\s*=\s*(?:[\w$]+\s*\.\s*)?createRequire\s*\(/g;

/** Lists the modules that are loaded by a `require` of another name: `const load = createRequire(import.meta.url)`. */
export function readMadeRequires(text: string): readonly ScannedImport[] {
  if (!text.includes('createRequire')) return [];
  const names = new Set([...text.matchAll(MADE)].map(([, name = '']) => name.replaceAll('$', String.raw`\$`)));
  // The scanner knows this name.
  names.delete('require');
  if (names.size === 0) return [];
  const call = new RegExp(String.raw`(?<![\w$.])(?:${[...names].join('|')})\s*(?:\.\s*resolve\s*)?\(\s*(['"])([^'"\\\n]+)\1`, 'g');
  return [...text.matchAll(call)].map(({ index, 2: specifier = '' }) => ({
    specifier,
    line: text.slice(0, index).split('\n').length,
    form: 'module',
    by: 'require',
  }));
}
