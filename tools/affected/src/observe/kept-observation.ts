import { createHash } from 'node:crypto';
import { isPlainObject } from '@tributary/model/plain-object';
import { invalid, type Observation } from './observation.js';

/** An observation of a file, of which most may not be read yet. */
export interface KeptObservation extends KeptFacts {
  /** Throws `OBSERVATION_INVALID` where the text of the observation is damaged. */
  readonly whole: () => Observation;
}

/** What every question needs of an observation. */
export interface KeptFacts extends Pick<Observation, 'schemaVersion' | 'workspace' | 'task' | 'commit'> {
  /** Whether its runner reads the whole project first. */
  readonly isCrawl: boolean;
  /** The folder of the workspace at the time, as far as the observation tells; '' if it does not. */
  readonly home: string;
  /** The files that were read outside of `home`. */
  readonly files: readonly string[];
  /** The folders that were listed outside of it. */
  readonly lists: readonly string[];
}

export function keptInMemory(observation: Observation): KeptObservation {
  return { ...factsOf(observation), whole: () => observation };
}

function factsOf(observation: Observation, home = homeOf(observation)): KeptFacts {
  const { schemaVersion, workspace, task, commit, gaps, files, listed } = observation;
  const isOutside = (path: string): boolean => home === '' || !path.startsWith(`${home}/`);
  return {
    schemaVersion,
    workspace,
    ...(task === undefined ? {} : { task }),
    commit,
    isCrawl: gaps.some(({ gap }) => gap === 'crawl'),
    home,
    files: files.filter(isOutside),
    lists: listed.map(({ path }) => path).filter(isOutside),
  };
}

/** Returns the folder with a manifest among the inputs that holds most files. Who uses it must check whether it is that of the workspace. */
function homeOf({ files, found, apart }: Observation): string {
  const manifests = [...files, ...found, ...apart.tools].filter((path) => path.endsWith('/package.json'));
  const counts = new Map(manifests.map((path) => [path.slice(0, path.lastIndexOf('/')), 0]));
  let [home, most] = ['', 0];
  for (const path of files)
    for (let cut = path.lastIndexOf('/'); cut > 0; cut = path.lastIndexOf('/', cut - 1)) {
      const folder = path.slice(0, cut);
      const count = (counts.get(folder) ?? -1) + 1;
      if (count === 0) continue;
      counts.set(folder, count);
      // Of two with as many files, the outer one comes later.
      if (count > most) [home, most] = [folder, count];
    }
  return home;
}

/** The first line of a file of observations. `bytes`: the length of the rest of the file. */
export interface ObservationIndex {
  readonly bytes: number;
  readonly entries: readonly IndexEntry[];
}

interface IndexEntry extends KeptFacts {
  /** The length of its line in bytes, without the comma and the line break. */
  readonly length: number;
}

const START = '{ "schemaVersion": 1, "index": ';
const MIDDLE = ', "observations": [';
const END = '\n] }\n';

/** Formats one observation per line. The first line says what most questions need to know, so that they need not read the others. */
export function formatObservations(observations: readonly Observation[]): string {
  const lines = observations.map((one) => JSON.stringify(one));
  const entries = JSON.stringify(observations.map((one, at) => ({ ...factsOf(one), length: Buffer.byteLength(lines[at] ?? '') })));
  const rest = `${lines.join(',\n')}${END}`;
  const index = `{"bytes":${Buffer.byteLength(rest)},"hash":"${hashOf(entries)}","entries":${entries}}`;
  return `${START}${index}${MIDDLE}\n${rest}`;
}

/** An index that was edited would hide reads: most questions look at nothing else. */
function hashOf(entries: string): string {
  return createHash('sha256').update(entries).digest('hex');
}

/** Returns `undefined` for any other line than a first one of `formatObservations`; then the file has to be parsed as a whole. */
export function parseIndex(line: string): ObservationIndex | undefined {
  if (!line.startsWith(START) || !line.endsWith(MIDDLE)) return undefined;
  const [, hash, entries = ''] = /^\{"bytes":\d+,"hash":"(\w+)","entries":(.*)\}$/.exec(line.slice(START.length, -MIDDLE.length)) ?? [];
  if (hash !== hashOf(entries)) return undefined;
  try {
    const index: unknown = JSON.parse(line.slice(START.length, -MIDDLE.length));
    return isIndex(index) ? index : undefined;
  } catch {
    return undefined;
  }
}

function isIndex(value: unknown): value is ObservationIndex {
  if (!isPlainObject(value) || !Array.isArray(value['entries']) || !value['entries'].every(isEntry)) return false;
  const { bytes, entries } = value;
  const separators = Math.max(0, entries.length - 1) * ',\n'.length;
  return bytes === entries.reduce((sum: number, { length }: IndexEntry) => sum + length, separators + END.length);
}

function isEntry(value: unknown): value is IndexEntry {
  if (!isPlainObject(value)) return false;
  const { schemaVersion, workspace, task = '', commit, isCrawl, home, files, lists, length } = value;
  const areTexts = (all: readonly unknown[]): boolean => all.every((one) => typeof one === 'string');
  return (
    schemaVersion === 1 &&
    areTexts([workspace, task, commit, home]) &&
    typeof isCrawl === 'boolean' &&
    Array.isArray(files) &&
    Array.isArray(lists) &&
    areTexts(files) &&
    areTexts(lists) &&
    Number.isInteger(length)
  );
}

/**
 * Returns the observations of an index. `read`: returns some bytes behind the first line, as text. `parse`: parses an observation; both are
 * called only for what is needed.
 */
export function keptOf(
  { entries }: ObservationIndex,
  file: string,
  { read, parse }: { readonly read: (start: number, end: number) => string; readonly parse: (text: string) => Observation },
): readonly KeptObservation[] {
  let next = 0;
  return entries.map(({ length, ...facts }) => {
    const start = next;
    next += length + ',\n'.length;
    return { ...facts, whole: () => agreeing(parse(read(start, start + length)), facts, file) };
  });
}

/** An index of another file, or one that was edited, would hide inputs. */
function agreeing(observation: Observation, facts: KeptFacts, file: string): Observation {
  if (JSON.stringify(factsOf(observation, facts.home)) !== JSON.stringify(facts))
    throw invalid(file, 'its first line does not fit the others');
  return observation;
}
