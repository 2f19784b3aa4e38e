import { isPlainObject } from '@tributary/model/plain-object';
import {
  checkObservation,
  inputTable,
  invalid,
  type Observation,
  parseJson,
  parseObservation,
  type TestFileInputs,
} from './observation.js';

/** The number of runs kept per piece and platform. Everything that any of them read counts. */
export const KEPT_RUNS = 5;

/** Adds observations to kept ones, oldest first. One that is already kept moves to the end. */
export function addObservations(kept: readonly Observation[], more: readonly Observation[]): readonly Observation[] {
  const all = new Map(kept.map((one) => [JSON.stringify(one), one]));
  for (const one of more) {
    const text = JSON.stringify(one);
    // The last run decides: setting an existing entry of a map would keep its position.
    all.delete(text);
    all.set(text, one);
  }
  const counts = new Map<string, number>();
  return [...all.values()]
    .reverse()
    .filter((one) => {
      const count = (counts.get(keyOf(one)) ?? 0) + 1;
      counts.set(keyOf(one), count);
      return count <= KEPT_RUNS;
    })
    .reverse();
}

function keyOf({ workspace, task, platform }: Observation): string {
  return JSON.stringify([workspace, task, platform.os, platform.arch, platform.node]);
}

/**
 * Joins the parts of each suite into one observation. Only parts of the same plan match, because another plan may split the suite
 * differently. `missing`: suites that lack a part. They are omitted, because the other parts do not show what the suite reads.
 */
export function joinParts(observations: readonly Observation[]): {
  readonly whole: readonly Observation[];
  readonly missing: readonly string[];
} {
  const whole: Observation[] = observations.filter(({ part }) => part === undefined);
  const suites = new Map<string, Observation[]>();
  for (const one of observations)
    if (one.part !== undefined) {
      const key = JSON.stringify([one.commit, one.plan, keyOf(one), one.part[1]]);
      suites.set(key, [...(suites.get(key) ?? []), one]);
    }
  const missing: string[] = [];
  for (const parts of suites.values()) {
    const [first] = parts;
    const there = new Set(parts.map(({ part }) => part?.[0]));
    if (first?.part === undefined) continue;
    if (there.size === first.part[1]) whole.push(withTestFiles(unite([first, ...parts.slice(1)]), parts));
    else missing.push(first.workspace);
  }
  return { whole, missing };
}

/** Adds what the test files of all parts used. What all files of one part share, all files of the suite share. */
function withTestFiles(whole: Observation, parts: readonly Observation[]): Observation {
  const table = inputTable(whole);
  const paths = new Map(table.paths.map((path, at) => [path, at]));
  const lists = new Map(table.lists.map((path, at) => [path, table.paths.length + at]));
  const all: Exclude<TestFileInputs, { readonly unclear: string }>[] = [];
  for (const part of parts) {
    const { testFiles } = part;
    if (testFiles === undefined || 'unclear' in testFiles) return testFiles === undefined ? whole : { ...whole, testFiles };
    const own = inputTable(part);
    const places = [...own.paths.map((path) => paths.get(path) ?? -1), ...own.lists.map((path) => lists.get(path) ?? -1)];
    const moved = (list: readonly number[]): readonly number[] => list.map((place) => places[place] ?? -1);
    const each = Object.entries(testFiles.each).map(([file, inputs]) => [file, moved(inputs)]);
    all.push({ shared: moved(testFiles.shared), search: moved(testFiles.search), each: Object.fromEntries(each) });
  }
  const inOrder = (lists: readonly (readonly number[])[]): readonly number[] => [...new Set(lists.flat())].sort((a, b) => a - b);
  const each = new Map<string, readonly number[]>();
  for (const one of all) for (const [file, inputs] of Object.entries(one.each)) each.set(file, inOrder([each.get(file) ?? [], inputs]));
  return {
    ...whole,
    testFiles: {
      shared: inOrder(all.map(({ shared }) => shared)),
      search: inOrder(all.map(({ search }) => search)),
      each: Object.fromEntries(each),
    },
  };
}

/** Joins observations into one with everything that any of them read. It is complete only if all are. */
export function unite(all: readonly [Observation, ...Observation[]]): Observation {
  const last = all.at(-1) ?? all[0];
  const { part: _, testFiles: __, ...rest } = last;
  const texts = (of: (one: Observation) => readonly string[]): readonly string[] => [...new Set(all.flatMap(of))].sort();
  const values = <Value>(of: (one: Observation) => readonly Value[]): readonly Value[] => {
    const byText = new Map(all.flatMap(of).map((value) => [JSON.stringify(value), value]));
    return [...byText.keys()].sort().map((key) => byText.get(key) as Value);
  };
  return {
    ...rest,
    exit: all.every(({ exit }) => exit === 0) ? 0 : (all.find(({ exit }) => exit !== 0)?.exit ?? null),
    complete: all.every(({ complete }) => complete),
    gaps: values(({ gaps }) => gaps),
    files: texts(({ files }) => files),
    found: texts(({ found }) => found),
    absent: texts(({ absent }) => absent),
    listed: values(({ listed }) => listed),
    packages: values(({ packages }) => packages),
    programs: texts(({ programs }) => programs),
    nested: texts(({ nested }) => nested),
    connections: texts(({ connections }) => connections),
    ...(all.every(({ variables }) => variables === undefined)
      ? {}
      : {
          variables: {
            read: texts(({ variables }) => variables?.read ?? []),
            unset: texts(({ variables }) => variables?.unset ?? []),
            all: all.some(({ variables }) => variables?.all === true),
          },
        }),
    apart: {
      written: texts(({ apart }) => apart.written),
      ignored: texts(({ apart }) => apart.ignored),
      caches: texts(({ apart }) => apart.caches),
      tools: texts(({ apart }) => apart.tools),
      toolLists: texts(({ apart }) => apart.toolLists),
      outside: texts(({ apart }) => apart.outside),
    },
  };
}

/** Throws `OBSERVATION_INVALID` for another version, a truncated file, or one with other content. */
export function parseObservations(text: string, file: string): readonly Observation[] {
  const value = parseJson(text, file);
  const list = isPlainObject(value) && value['schemaVersion'] === 1 ? value['observations'] : undefined;
  if (!Array.isArray(list)) throw invalid(file, 'it is not a file of `affected timings collect --observations`');
  return list.map((one) => checkObservation(one, file));
}

/** Parses the output of `affected run-shard --trace`: a line for each piece. Throws the errors of `parseObservations`. */
export function parseObservationLines(text: string, file: string): readonly Observation[] {
  if (text !== '' && !text.endsWith('\n')) throw invalid(file, 'it is cut off');
  return text.split('\n').flatMap((line) => (line === '' ? [] : [parseObservation(line, file)]));
}
