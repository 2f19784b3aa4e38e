import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseJUnit } from './junit.js';

describe('the tests of a report, with where their file may be', () => {
  test.each<[runner: string, text: string, cases: readonly (readonly [files: readonly string[], seconds: number, kind?: 'rest'])[]]>([
    [
      'vitest',
      '<?xml version="1.0"?><testsuites name="vitest tests"><testsuite name="src/a.test.ts" time="0.5"><testcase classname="src/a.test.ts" name="x" time="0.25"/></testsuite></testsuites>',
      [
        [['src/a.test.ts', 'src/a.test.ts'], 0.25],
        [['src/a.test.ts', 'src/a.test.ts'], 0.25, 'rest'],
      ],
    ],
    [
      'jest-junit with addFileAttribute',
      '<testsuites name="jest tests"><testsuite name="sum"><testcase classname="sum adds" name="adds" time="1" file="src/a.test.js"><failure>bad &lt;b></failure></testcase></testsuite></testsuites>',
      [[['src/a.test.js'], 1]],
    ],
    [
      'mocha-junit-reporter',
      '<testsuites><testsuite name="Root Suite" file="/r/test/a.js"/><testsuite name="sum" file="/r/test/a.js"><testcase name="adds" classname="adds" time="0.001"/></testsuite></testsuites>',
      [[['/r/test/a.js'], 0.001]],
    ],
    [
      'node',
      '<testsuites><testcase name="adds" time="0.002" classname="test" file="/r/a.test.js"/></testsuites>',
      [[['/r/a.test.js'], 0.002]],
    ],
    [
      'playwright',
      '<testsuites><testsuite name="a.spec.ts" hostname="x"><testcase name="opens" classname="a.spec.ts" time="2"/></testsuite></testsuites>',
      [[['a.spec.ts', 'a.spec.ts'], 2]],
    ],
    [
      "a suite of several files, whose rest is nobody's",
      '<testsuite time="9"><testcase file="a.js" time="1"/><testcase file="b.js" time="1"/></testsuite>',
      [
        [['a.js'], 1],
        [['b.js'], 1],
      ],
    ],
    ['a suite in a suite', '<testsuite file="a.js"><testsuite name="b"><testcase name="c"/></testsuite></testsuite>', [[['a.js'], 0]]],
    ['no tests', '\uFEFF<testsuites/>', []],
    ['CDATA that looks like a report', '<testsuites><system-out><![CDATA[<testcase time="9"/>]]></system-out></testsuites>', []],
  ])('%s', (_, text, cases) =>
    expect(parseJUnit(text)).toEqual(cases.map(([files, seconds, kind = 'test']) => ({ kind, files, seconds }))),
  );
});

describe('what is none has a problem:', () => {
  const CUT = 'it is not a complete XML document';
  test.each<[text: string, problem: string]>([
    ['', CUT],
    ['{}', CUT],
    ['<testsuites><testsuite name="a"><testcase time="1"/>', CUT],
    ['<testsuites><testcase time="1"></testsuites>', CUT],
    ['<html><body/></html>', 'it is no JUnit report'],
    ['<testsuites><testcase time="-1"/></testsuites>', 'it has the time "-1"'],
    ['<testsuites><testcase time="1,5"/></testsuites>', 'it has the time "1,5"'],
    ['<!DOCTYPE x [<!ENTITY a "aaaa">]><testsuites name="&a;"/>', CUT],
    [`${'<testsuite name="a.js">'.repeat(200)}<testcase time="1"/>${'</testsuite>'.repeat(200)}`, 'its suites are nested too deeply'],
  ])('%s', (text, problem) => expect(parseJUnit(text)).toEqual({ problem }));
});

test('whatever stands in a file, nothing is thrown', () => {
  const part = fc.constantFrom(
    '<testsuites>',
    '<testsuite name="a.js">',
    '<testcase time="1"/>',
    '</testsuite>',
    '</testsuites>',
    '&',
    '<!--',
    ']]>',
  );
  fc.assert(fc.property(fc.array(fc.oneof(part, fc.string())), (parts) => void parseJUnit(parts.join(''))));
});
