import { SaxesParser } from 'saxes';

/** A test of a JUnit report. */
export interface JUnitCase {
  /** Where its file may be, the best first, as written: the file's path, absolute or from a folder that the report does not name. */
  readonly files: readonly string[];
  readonly seconds: number;
}

/** Reads a JUnit report: its tests in order, or what is wrong with it, as the end of a sentence that begins with the name of its file. */
export function parseJUnit(text: string): readonly JUnitCase[] | { readonly problem: string } {
  const cases: JUnitCase[] = [];
  /** Of the suites that are open, outermost first. */
  const suites: (readonly string[])[] = [];
  let problem: string | undefined;
  const parser = new SaxesParser();
  parser.on('error', () => (problem ??= 'it is no whole XML document'));
  parser.on('opentag', ({ name, attributes }) => {
    if (suites.length === 0 && cases.length === 0 && !/^testsuites?$/.test(name)) problem ??= 'it is no JUnit report';
    if (name === 'testsuite' || name === 'testsuites') suites.push(filesIn(attributes, ['file', 'filepath', 'name']));
    if (name !== 'testcase') return;
    const seconds = Number(attributes['time'] ?? 0);
    if (!Number.isFinite(seconds) || seconds < 0) problem ??= `it has the time ${JSON.stringify(attributes['time']).slice(0, 40)}`;
    cases.push({
      files: [...filesIn(attributes, ['file']), ...suites.toReversed().flat(), ...filesIn(attributes, ['classname'])],
      seconds,
    });
  });
  parser.on('closetag', ({ name }) => {
    if (name === 'testsuite' || name === 'testsuites') suites.pop();
  });
  parser.write(text.replace(/^\uFEFF/, '')).close();
  return problem === undefined ? cases : { problem };
}

/** Attributes that look like a path: a name may be a title as well. */
function filesIn(attributes: Readonly<Record<string, string>>, keys: readonly string[]): readonly string[] {
  return keys.flatMap((key) => {
    const value = attributes[key];
    return value !== undefined && /\.\w+$/.test(value) && !value.includes('\0') ? [value] : [];
  });
}
