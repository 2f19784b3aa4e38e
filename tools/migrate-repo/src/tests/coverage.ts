import type { Coverage, CoverageKind } from '../result/tests-result.js';
/**
 * Returns the coverage in an output: from the tables of Istanbul (jest, nyc, c8, vitest, node-tap), else of node:test,
 * else of lab. If several suites print one each, it is their mean, so that a drop in any of them shows. `undefined` if
 * nothing is printed.
 */
export function parseCoverage(output: string): Coverage | undefined {
  const found = READERS.map((read) => read(output)).find((tables) => tables.length > 0);
  return found === undefined ? undefined : meanOf(found);
}

/** `All files | 98.4 | 90 | 100 | 98.1 | 12-14`: statements, branches, functions, lines. */
function istanbulTables(output: string): readonly Coverage[] {
  const rows = output.matchAll(/^ *All files *\| *([\d.]+) *\| *([\d.]+) *\| *([\d.]+) *\| *([\d.]+)/gm);
  return [...rows].map(([, ...cells]) => named(['statements', 'branches', 'functions', 'lines'], cells));
}

/** `ℹ all files | 100.00 | 80.00 | 66.67 |`: lines, branches, functions. */
function nodeTables(output: string): readonly Coverage[] {
  const rows = output.matchAll(/^[ℹ#] all (?:files|fil…) *\| *([\d.]+) *\| *([\d.]+) *\| *([\d.]+)/gm);
  return [...rows].map(([, ...cells]) => named(['lines', 'branches', 'functions'], cells));
}

/** `Coverage: 99.12% (3/341)` */
function labSentences(output: string): readonly Coverage[] {
  return [...output.matchAll(/^Coverage: ([\d.]+)%/gm)].map(([, ...cells]) => named(['lines'], cells));
}

const READERS = [istanbulTables, nodeTables, labSentences];

function named(kinds: readonly CoverageKind[], cells: readonly string[]): Coverage {
  return Object.fromEntries(kinds.map((kind, at) => [kind, Number(cells[at])]));
}

/** Returns the mean, to two decimals like the tables. */
function meanOf(tables: readonly Coverage[]): Coverage {
  const kinds = Object.keys(tables[0] ?? {}) as CoverageKind[];
  const mean = (kind: CoverageKind): number => tables.reduce((total, table) => total + (table[kind] ?? 0), 0) / tables.length;
  return Object.fromEntries(kinds.map((kind) => [kind, Math.round(mean(kind) * 100) / 100]));
}

/**
 * Returns the kinds whose coverage has dropped, in no particular order: all kinds if no coverage is printed any more. A
 * single kind that one side leaves out is not compared.
 */
export function lostCoverage(before: Coverage | undefined, after: Coverage | undefined): readonly CoverageKind[] {
  const kinds = Object.keys(before ?? {}) as CoverageKind[];
  return after === undefined ? kinds : kinds.filter((kind) => (after[kind] ?? Number.POSITIVE_INFINITY) < (before?.[kind] ?? 0));
}
