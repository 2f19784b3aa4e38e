import { SaxesParser } from 'saxes';

/** A time in a JUnit report: of a test, or of a suite besides its tests, for example for loading them. */
export interface JUnitTime {
  readonly kind: 'test' | 'rest';
  /** Possible paths of the file, the best first, as written: absolute, or relative to a folder that the report does not name. */
  readonly files: readonly string[];
  readonly seconds: number;
}

interface Suite {
  readonly files: readonly string[];
  readonly seconds: number;
  /** Its tests, including those of nested suites. */
  readonly times: JUnitTime[];
}

/** The deepest nesting of suites: no runner writes nearly as many levels, and each test is recorded in all of them. */
const DEEPEST = 100;

/** Parses a JUnit report. Returns its times in order, or a problem, as a clause to follow the name of its file. */
export function parseJUnit(text: string): readonly JUnitTime[] | { readonly problem: string } {
  const all: JUnitTime[] = [];
  /** Open suites, outermost first. */
  const suites: Suite[] = [];
  let problem: string | undefined;
  const secondsIn = ({ time = '0' }: Attributes): number => {
    const seconds = Number(time);
    if (!Number.isFinite(seconds) || seconds < 0) problem ??= `it has the time ${JSON.stringify(time).slice(0, 40)}`;
    return seconds;
  };
  const parser = new SaxesParser();
  parser.on('error', () => (problem ??= 'it is not a complete XML document'));
  parser.on('opentag', ({ name, attributes }) => {
    if (suites.length === 0 && all.length === 0 && !/^testsuites?$/.test(name)) problem ??= 'it is no JUnit report';
    if (isSuite(name)) suites.push({ files: filesIn(attributes, ['file', 'filepath', 'name']), seconds: secondsIn(attributes), times: [] });
    if (suites.length > DEEPEST) problem ??= 'its suites are nested too deeply';
    if (name !== 'testcase' || problem !== undefined) return;
    const around = suites.toReversed().flatMap(({ files }) => files);
    const files = [...filesIn(attributes, ['file']), ...around, ...filesIn(attributes, ['classname'])];
    const time = { kind: 'test', files, seconds: secondsIn(attributes) } as const;
    for (const { times } of [...suites, { times: all }]) times.push(time);
  });
  parser.on('closetag', ({ name }) => {
    const rest = isSuite(name) ? restOf(suites.pop()) : undefined;
    if (rest !== undefined) for (const { times } of [...suites, { times: all }]) times.push(rest);
  });
  parser.write(text.replace(/^\uFEFF/, '')).close();
  return problem === undefined ? all : { problem };
}

type Attributes = Readonly<Record<string, string>>;

function isSuite(name: string): boolean {
  return name === 'testsuite' || name === 'testsuites';
}

/** Returns the remaining time of a suite that is one file. */
function restOf(suite: Suite | undefined): JUnitTime | undefined {
  const [first, ...others] = suite?.times ?? [];
  const isOneFile = others.every(({ files }) => files.join('\0') === first?.files.join('\0'));
  const seconds = (suite?.seconds ?? 0) - [first, ...others].reduce((sum, one) => sum + (one?.seconds ?? 0), 0);
  return first === undefined || !isOneFile || seconds <= 0 ? undefined : { kind: 'rest', files: first.files, seconds };
}

/** Returns attributes that look like a path, because a name may also be a title. */
function filesIn(attributes: Attributes, keys: readonly string[]): readonly string[] {
  return keys.flatMap((key) => {
    const value = attributes[key];
    return value !== undefined && /\.\w+$/.test(value) && !value.includes('\0') ? [value] : [];
  });
}
