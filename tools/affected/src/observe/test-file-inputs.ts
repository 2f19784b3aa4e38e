import { Connections } from './connections.js';
import { isTestFile, keyOfReadings, partsOfKey } from './file-marks.js';
import { type InputTable, inputTable, type Observation, type TestFileInputs } from './observation.js';
import { mergeUses, newUse, type PathUses } from './paths.js';
import { joinReadings, type Readings, type TaskTraces } from './readings.js';
import { isBelow, type Surroundings, sortUses } from './sort-uses.js';
import { type FlowScene, TaskFlows } from './task-flows.js';

/** A traced piece whose test files told when they ran. */
export interface TracedFiles {
  /** turborepo's hash of the piece. */
  readonly hash: string;
  /** By `keyOfReadings`. */
  readonly traces: TaskTraces['tasks'];
  /** The tasks whose output the piece uses. */
  readonly before: readonly Readings[];
  readonly flows: Omit<FlowScene, 'before'>;
  readonly around: Surroundings;
  /** The folder of the workspace relative to the root; '' for the root. */
  readonly folder: string;
  /** The test files that ran, by paths from the workspace; `undefined`: nobody tells. */
  readonly ran: readonly string[] | undefined;
}

/**
 * Returns what each test file of a piece used, by places in the lists of its observation. Everything that no file's process did counts for all
 * files. `unclear`: why they cannot be told apart, such as one that depends on another. Returns nothing if no file told anything.
 */
export function testFileInputs(traced: TracedFiles, seen: Parameters<typeof inputTable>[0]): TestFileInputs | undefined {
  const files = filesOf(traced);
  if (files.size === 0) return undefined;
  const unclear = findShared(traced, files);
  if (unclear !== undefined) return { unclear };
  const places = new Places(inputTable(seen));
  const shared = placesOfShared(traced, places);
  const writes = writesOf([...traced.before, ...own(traced, undefined)]);
  const each: Record<string, readonly number[]> = {};
  for (const [file, { table, isMixed }] of files) {
    const name = nameIn(traced, file);
    if (name === undefined) return { unclear: `${file} is outside the workspace` };
    if (isMixed) return { unclear: `${name} ran in a process that had run another test file` };
    const sorted = sortUses(mergeUses([table.uses, writes]), traced.around);
    // A folder in which the runner looks for test files may change by them; for a file that lists it too, each entry counts.
    each[name] = inOrder(places.of(sorted).filter((place) => !shared.all.has(place) || shared.search.includes(place)));
  }
  if (places.missing !== undefined) return { unclear: `${places.missing} is no input of the whole run` };
  const silent =
    traced.ran === undefined ? 'its runner does not tell which test files ran' : traced.ran.find((file) => each[file] === undefined);
  if (silent !== undefined) return { unclear: traced.ran === undefined ? silent : `${silent} did not tell that it ran` };
  return { shared: inOrder(shared.all), search: inOrder(shared.search), each };
}

function filesOf({ traces, hash }: TracedFiles): ReadonlyMap<string, Readings> {
  return new Map(
    [...traces].flatMap(([key, readings]) => {
      const { task, file } = partsOfKey(key);
      return task === hash && isTestFile(file) ? [[file, readings]] : [];
    }),
  );
}

function own({ traces, hash }: TracedFiles, file: string | undefined): readonly Readings[] {
  return [traces.get(keyOfReadings(hash, file))].filter((one) => one !== undefined);
}

/** Returns something that one test file made and another one used: without the first, the second might end otherwise. */
function findShared({ traces, flows, hash }: TracedFiles, files: ReadonlyMap<string, Readings>): string | undefined {
  const own = new Map([...traces].filter(([key]) => partsOfKey(key).task === hash));
  const all = new TaskFlows(own, { ...flows, before: new Map() });
  for (const [file, { connections }] of files) {
    const key = keyOfReadings(hash, file);
    const other = all.sourcesOf(key).tasks.find((one) => one !== key && isTestFile(partsOfKey(one).file));
    if (other !== undefined) return `${lastName(file)} uses what ${lastName(partsOfKey(other).file ?? '')} wrote`;
    const [server] = Connections.merge([connections]).daemons();
    if (server !== undefined) return `${lastName(file)} uses ${server}, which another process opened`;
  }
  return undefined;
}

function lastName(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1);
}

interface SharedPlaces {
  readonly all: ReadonlySet<number>;
  /** Of these, folders that the runner listed to find test files. */
  readonly search: readonly number[];
}

/**
 * What counts for every file. To find test files, node's runner looks up whatever is in their folders. jest also reads every file: of that count
 * only manifests, which give packages their names. Of both count the folders that they list, and what they looked for in vain.
 */
function placesOfShared(traced: TracedFiles, places: Places): SharedPlaces {
  const isTest = new Set([...filesOf(traced).keys()].flatMap((file) => nameFromRoot(traced, file) ?? []));
  const sortedOf = (all: readonly Readings[]): Lists => sortUses(joinReadings(all).table.uses, traced.around);
  const plain = sortedOf([...traced.before, ...own(traced, undefined)]);
  const [search, index] = ['search', 'index'].map((owner) => sortedOf(own(traced, owner))) as [Lists, Lists];
  const isManifest = (path: string): boolean => /(^|\/)package\.json$/.test(path);
  const all = [
    // A runner looks up a test file once more before it runs it.
    { ...plain, found: plain.found.filter((path) => !isTest.has(path)) },
    { ...search, found: [] },
    { ...index, files: index.files.filter(isManifest), found: [] },
  ];
  const listed = [...search.listed, ...index.listed];
  return {
    all: new Set(all.flatMap((one) => places.of(one))),
    search: places.of({ files: [], found: [], absent: [], listed, apart: { tools: [], toolLists: [] } }),
  };
}

/** Returns only what was written: a file that a build made before is no input of the commit. */
function writesOf(all: readonly Readings[]): PathUses {
  return new Map(
    [...joinReadings(all).table.uses].flatMap(([path, { written, lastWritten }]) =>
      written === Infinity ? [] : [[path, { ...newUse(), written, lastWritten }]],
    ),
  );
}

/** Relative to the workspace; `undefined` for a file elsewhere. */
function nameIn(traced: TracedFiles, file: string): string | undefined {
  const path = nameFromRoot(traced, file);
  const top = traced.folder === '' ? '' : `${traced.folder}/`;
  return path?.startsWith(top) === true ? path.slice(top.length) : undefined;
}

function nameFromRoot({ around }: TracedFiles, file: string): string | undefined {
  const { end } = around.resolve(file);
  return isBelow(end, around.root) ? Buffer.from(end.slice(around.root.length + 1), 'latin1').toString('utf8') : undefined;
}

function inOrder(places: Iterable<number>): readonly number[] {
  return [...new Set(places)].sort((a, b) => a - b);
}

type Lists = Pick<Observation, 'files' | 'found' | 'absent' | 'listed'> & {
  readonly apart: Pick<Observation['apart'], 'tools' | 'toolLists'>;
};

/** Finds inputs in the lists of the whole piece. */
class Places {
  /** An input that is in none of them. */
  missing: string | undefined;
  private readonly paths: ReadonlyMap<string, number>;
  private readonly lists: ReadonlyMap<string, number>;

  constructor({ paths, lists }: InputTable) {
    this.paths = new Map(paths.map((path, at) => [path, at]));
    this.lists = new Map(lists.map((path, at) => [path, paths.length + at]));
  }

  of({ files, found, absent, listed, apart }: Lists): readonly number[] {
    const paths = [...files, ...found, ...apart.tools, ...absent].map((path) => this.find(this.paths, path));
    const lists = [...listed.map(({ path }) => path), ...apart.toolLists].map((path) => this.find(this.lists, path));
    return [...paths, ...lists];
  }

  private find(places: ReadonlyMap<string, number>, path: string): number {
    const place = places.get(path);
    if (place === undefined) this.missing ??= path;
    return place ?? -1;
  }
}
