import type { ScannedImport } from '../reference.js';
import type { KeyedText } from './keyed-text.js';

/** Where Jest, Playwright, Cypress, Mocha and WebdriverIO are told in which folders their tests are, by their documentation. */
const SEARCHED = /(?:^|\.)(?:roots|testMatch|projects|testDir|specPattern|spec|specs)(?:\.\d+)*$/;

/** Each is compared with each. No settings have as many. */
const MOST = 100;

const QUOTED = /(["'`])((?:(?!\1).)*)\1/g;

/**
 * Marks the names in settings that only say where a runner searches tests. What is written once more with another key, or beside it on its
 * line, is none of them.
 */
export function markSearched<T extends ScannedImport>(names: readonly T[], values: readonly KeyedText[], text: string): readonly T[] {
  const searched = values.filter(({ key }) => SEARCHED.test(key));
  if (searched.length === 0 || searched.length > MOST) return names;
  const lines = text.split('\n').map((line) => [...line.matchAll(QUOTED)].map(([, , quoted = '']) => quoted));
  const all = lines.flat();
  const isOnlySearched = (one: string): boolean =>
    all.filter((other) => other === one).length === searched.filter((value) => value.text === one).length;
  return names.map((name) => {
    const isNamed = (one: string): boolean => `${bare(one)}/`.startsWith(`${bare(name.specifier)}/`);
    const own = searched.filter((value) => value.line === name.line && isNamed(value.text));
    const isAlone = own.length === (lines[name.line - 1] ?? []).filter(isNamed).length && own.every((value) => isOnlySearched(value.text));
    return name.form !== 'module' && own.length > 0 && isAlone ? { ...name, isSearched: true as const } : name;
  });
}

function bare(path: string): string {
  return path.replace(/^\.\//, '');
}
