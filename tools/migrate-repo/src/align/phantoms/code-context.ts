import { blankLiterals } from '@tributary/references/code-literals';
import type { ScannedImport } from '@tributary/references/reference';

/** A name, and whether the code goes on without its module, because it stands in a `try` with a `catch`. */
export type NameInContext = ScannedImport & { readonly guarded: boolean };

/** Returns the names in code, in order, without modules that do not exist: `jest.mock('x', factory, { virtual: true })`. */
export function readContext(code: string, names: readonly ScannedImport[]): readonly NameInContext[] {
  // Most files have neither, and are not read again.
  if (!VIRTUAL.test(code) && !TRY.test(code)) return names.map((name) => ({ ...name, guarded: false }));
  const blanked = blankLiterals(code);
  const tries = countTries(blanked);
  const offsets = offsetsOf(code, names);
  const isVirtual = ({ by }: ScannedImport, at: number): boolean => by === 'mock' && VIRTUAL.test(restOfCall(blanked, offsets[at] ?? 0));
  const virtual = new Set(names.filter(isVirtual).map(({ specifier }) => specifier));
  return names
    .map((name, at) => ({ ...name, guarded: (tries[offsets[at] ?? 0] ?? 0) > 0 }))
    .filter(({ specifier }) => !virtual.has(specifier));
}

/** Returns where each name is. They are in order, so that nothing is searched twice. */
function offsetsOf(code: string, names: readonly ScannedImport[]): readonly number[] {
  const lines = [0, ...[...code.matchAll(/\n/g)].map(({ index }) => index + 1)];
  let end = 0;
  return names.map(({ specifier, line, by }) => {
    // In a comment
    if (by?.startsWith('@')) return 0;
    let at = code.indexOf(specifier, Math.max(end, lines[line - 1] ?? 0));
    while (at > 0 && !/["'`]/.test(code.charAt(at - 1))) at = code.indexOf(specifier, at + 1);
    end = Math.max(end, at + specifier.length);
    return at;
  });
}

const VIRTUAL = /\bvirtual\s*:\s*true\b/;
const TRY = /\btry\s*\{/;
const BRACE = /\btry\s*\{|\{|\}(?:\s*(catch)\b)?/g;

/** Returns for each offset how many `try` blocks with a `catch` are open. */
function countTries(blanked: string): Int32Array {
  const counts = new Int32Array(blanked.length + 1);
  const open: { readonly index: number; readonly isTry: boolean }[] = [];
  for (const { 0: found, 1: caught, index } of blanked.matchAll(BRACE)) {
    if (!found.startsWith('}')) {
      open.push({ index, isTry: found !== '{' });
      continue;
    }
    const block = open.pop();
    if (block?.isTry !== true || caught === undefined) continue;
    counts[block.index] = (counts[block.index] ?? 0) + 1;
    counts[index] = (counts[index] ?? 0) - 1;
  }
  for (let at = 1; at < counts.length; at++) counts[at] = (counts[at] ?? 0) + (counts[at - 1] ?? 0);
  return counts;
}

/** Mocks with longer factories are rare. The limit keeps calls that are never closed from being read to the end of the file. */
const LONGEST_CALL = 5_000;

/** Returns the arguments after an offset in a call. */
function restOfCall(blanked: string, offset: number): string {
  const text = blanked.slice(offset, offset + LONGEST_CALL);
  let depth = 1;
  for (const { 0: found, index } of text.matchAll(/[()]/g)) {
    depth += found === '(' ? 1 : -1;
    if (depth === 0) return text.slice(0, index);
  }
  return '';
}
