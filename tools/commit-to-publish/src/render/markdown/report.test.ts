import { describe, expect, test } from '@jest/globals';
import { LARGEST_SUMMARY } from '@tributary/terminal/markdown';
import { marked, type Token, type Tokens } from 'marked';
import { emptyContent, fewContent, manyContent, pageContent } from '../content.fixture.js';
import { link } from './parts.js';
import { formatReport } from './report.js';

/** Returns the tokens that `marked`, an independent parser of Markdown, finds. */
function tokensOf(markdown: string): readonly Token[] {
  const found: Token[] = [];
  void marked.walkTokens(marked.lexer(markdown), (token) => void found.push(token));
  return found;
}

function cellsOf(markdown: string): readonly string[] {
  const tables = tokensOf(markdown).filter((token): token is Tokens.Table => token.type === 'table');
  return tables.flatMap(({ rows }) => rows.flat()).flatMap(({ tokens }) => tokens.map(({ raw }) => raw));
}

const CONTENTS = { everything: pageContent, 'few changes': fewContent, 'many packages': manyContent, nothing: emptyContent };

describe.each(Object.entries(CONTENTS))('%s', (_, content) => {
  const text = formatReport(content());

  test('no HTML but what folds, and all of it closed', () => {
    const tags = tokensOf(text).flatMap((token) => (token.type === 'html' ? (token.raw.match(/<[^>]*>/g) ?? []) : []));
    expect([...new Set(tags)].sort()).toEqual(tags.length === 0 ? [] : ['</details>', '</summary>', '<details>', '<summary>']);
    expect(text.match(/<details>/g)?.length).toBe(text.match(/<\/details>/g)?.length);
  });

  test('fits into the summary of a job', () => expect(Buffer.byteLength(text)).toBeLessThan(LARGEST_SUMMARY));
});

test('names of others are shown as they are', () => {
  const cells = cellsOf(formatReport(pageContent()));
  expect(cells).toContain('`<img src=x onerror=alert(1)>`');
  expect(cells).toContain('`1.0.0"`');
  expect(cells).toContain('[`acme/<script> #7 Fix <b>it</b> ¦ all`](https://host.example/pull/7)');
});

test('a figure stands with its number of changes, its releases, how many arrived, what waiting changes make of it, its interval and its weeks', () => {
  const line = formatReport(pageContent())
    .split('\n')
    .find((one) => one.startsWith('| `@acme/ui`'));
  expect(line?.replaceAll('\u00a0', ' ')).toMatch(
    /^\| `@acme\/ui` \| 120 \| 9 \| 97 % \| 9\.2 h, > 4\.2 d \| 9\.0 h \(7\.2 h - 12 h\) \| 2\.5 d \(2\.0 d - 3\.3 d\) \| `[▁-█]{12}` \|$/,
  );
});

test('of few changes each is told, and no percentile', () => {
  const line = formatReport(pageContent())
    .split('\n')
    .find((one) => one.startsWith('| `@acme/few`'));
  expect(line).toBe('| `@acme/few` | 4 | 9 | 97 % | 7.0 h, 14 h, 21 h, 1.2 d |');
});

test('5,000 packages are cut where the summary of a job ends, and the rest is counted', () => {
  const content = manyContent();
  const [row] = content.report.rows;
  if (row === undefined) throw new Error('there is a row');
  const rows = Array.from({ length: 5000 }, (_, at) => ({ ...row, group: `@acme/${'long-'.repeat(20)}${at}` }));
  const text = formatReport({ ...content, report: { ...content.report, rows } });
  expect(Buffer.byteLength(text)).toBeLessThan(LARGEST_SUMMARY);
  expect(text).toMatch(/and \d+ more\./);
});

test.each<[url: string | undefined, expected: string]>([
  ['https://host.example/pull/7', '[`#7`](https://host.example/pull/7)'],
  ['https://host.example/a)b|c d', '[`#7`](https://host.example/a%29b%7cc%20d)'],
  ['javascript:alert(1)', '`#7`'],
  ['no address', '`#7`'],
  [undefined, '`#7`'],
])('a link to %s', (url, expected) => expect(link('#7', url)).toBe(expected));
