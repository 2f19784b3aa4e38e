/** What a runner says of the whole suite, in percent. A kind that it does not print is not there. */
export type Coverage = Readonly<Partial<Record<CoverageKind, number>>>;

export type CoverageKind = 'statements' | 'branches' | 'functions' | 'lines';

/**
 * Returns the coverage of the last table in an output: those of Istanbul (jest, nyc, c8, vitest, node-tap), node:test and lab.
 * `undefined` where nothing is printed.
 */
export function parseCoverage(output: string): Coverage | undefined {
  return istanbulTable(output) ?? nodeTable(output) ?? labSentence(output);
}

/** `All files | 98.4 | 90 | 100 | 98.1 | 12-14`: statements, branches, functions, lines. */
function istanbulTable(output: string): Coverage | undefined {
  const [, ...cells] = lastMatch(output, /^ *All files *\| *([\d.]+) *\| *([\d.]+) *\| *([\d.]+) *\| *([\d.]+)/gm) ?? [];
  const [statements, branches, functions, lines] = cells.map(Number);
  if (statements === undefined || branches === undefined || functions === undefined || lines === undefined) return undefined;
  return { statements, branches, functions, lines };
}

/** `ℹ all files | 100.00 | 80.00 | 66.67 |`: lines, branches, functions. */
function nodeTable(output: string): Coverage | undefined {
  const [, ...cells] = lastMatch(output, /^[ℹ#] all (?:files|fil…) *\| *([\d.]+) *\| *([\d.]+) *\| *([\d.]+)/gm) ?? [];
  const [lines, branches, functions] = cells.map(Number);
  return lines === undefined || branches === undefined || functions === undefined ? undefined : { lines, branches, functions };
}

/** `Coverage: 99.12% (3/341)` */
function labSentence(output: string): Coverage | undefined {
  const [, percent] = lastMatch(output, /^Coverage: ([\d.]+)%/gm) ?? [];
  return percent === undefined ? undefined : { lines: Number(percent) };
}

function lastMatch(output: string, pattern: RegExp): RegExpMatchArray | undefined {
  return [...output.matchAll(pattern)].at(-1);
}

/** Returns the kinds whose coverage is less than before, in no order: all where none is printed any more. A single kind that one side leaves out is not compared. */
export function lostCoverage(before: Coverage | undefined, after: Coverage | undefined): readonly CoverageKind[] {
  const kinds = Object.keys(before ?? {}) as CoverageKind[];
  return after === undefined ? kinds : kinds.filter((kind) => (after[kind] ?? Number.POSITIVE_INFINITY) < (before?.[kind] ?? 0));
}
