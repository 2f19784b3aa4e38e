// What the prose linter must find, and what it must ignore. Each rule is tried on a text that breaks it: a rule that never matches looks
// like clean prose.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { faultsOfFile, listProse } from './lint-prose.mjs';
import { BANNED, faultsOfMarkdown, faultsOfText } from './prose.mjs';
import { textsOfCode } from './prose-in-code.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const words = (count) => `W${' w'.repeat(count - 1)}.`;
const SAMPLES = [
  'a bug of ours',
  'done as early as can be',
  'a change, be it small or large',
  '2 tags, the very ones that came',
  'a file of timings is none',
  'what it cannot know counts for everybody',
  'the base is found by itself',
  'take it back from a backup',
  'what the move was worth',
  'say what became of the lead time',
  'the ids of shards and nothing else',
  'in order to see it',
  'simply run it',
  'as few machines as it takes',
  'x is no workspace',
  'works all the same',
];

test.each(BANNED.map(([pattern], index) => [pattern, SAMPLES[index]]))('%s is found', (pattern, sample) => {
  expect(sample).toMatch(pattern);
  expect(SAMPLES.filter((other) => pattern.test(other)).length).toBeLessThanOrEqual(2);
});

test('plain sentences have no fault', () => {
  const text = 'When in doubt, it selects every workspace. The folder `x` does not exist. No workspace is affected. Step back to `main`.';
  expect(faultsOfText(text, 25)).toEqual([]);
});

describe('the length of sentences', () => {
  test('counts words, not signs', () => {
    expect(faultsOfText(words(25), 25)).toEqual([]);
    expect(faultsOfText(`${words(25)} – ${words(26)}`, 25)).toHaveLength(1);
  });

  test('counts code as one word, and a link by its text', () => {
    expect(faultsOfMarkdown(`${'w '.repeat(23)}\`a b c d e f\` [one](a-b.md).\n`, 25)).toEqual([]);
  });

  test('begins anew in each list item, cell and heading', () => {
    const half = 'w '.repeat(15);
    expect(faultsOfMarkdown(`# ${half}\n\n- ${half}\n- ${half}\n\n| ${half} | ${half} |\n`, 25)).toEqual([]);
    expect(faultsOfMarkdown(`- ${half}\n  ${half}\n`, 25)).toMatchObject([{ line: 1, fault: '30 words, at most 25' }]);
  });
});

test('lines over 120 columns are found, code blocks and comments are left alone', () => {
  const code = `\`\`\`text\n${words(80)}\n\`\`\`\n`;
  expect(faultsOfMarkdown(`${code}\n<!-- ${words(80)} -->\n`, 25)).toEqual([]);
  expect(faultsOfMarkdown(`${'word '.repeat(23)}words\nw ${'word. Word '.repeat(12)}\n`, 99)).toMatchObject([{ line: 2 }]);
});

test('an excuse counts for the paragraph below it, and needs a reason', () => {
  const long = words(30);
  expect(faultsOfMarkdown(`<!-- prose-ok: a quotation -->\n${long}\n\n${long}\n`, 25)).toMatchObject([{ line: 4 }]);
  expect(faultsOfMarkdown(`<!-- prose-ok: -->\n\n${long}\n`, 25)).toHaveLength(1);
});

describe('texts in sources', () => {
  test('are errors, hints and help, with each value as one word', () => {
    const source = `throw new ToolError({\n  message: \`A base $\{x.y(z)} is found by itself.\`,\n  hint: 'too short',\n});\n`;
    expect(textsOfCode('a.ts', source)).toEqual([{ line: 2, text: 'A base `x` is found by itself.' }]);
  });

  test('are not comments, SQL, scripts, or what is excused', () => {
    const source = [
      '// the base is found by itself',
      'export const a = `select one, two, three from four`;',
      "export const b = 'awk basename bash brew';",
      '// prose-ok: the words of git',
      "export const c = 'one two three four';",
    ].join('\n');
    expect(textsOfCode('a.ts', source)).toEqual([]);
  });

  test('of a file that cannot be parsed are an error, not none', () => {
    expect(() => textsOfCode('a.ts', 'const = ;')).toThrow('a.ts');
  });
});

test('the linter reads README, guides and sources, and its debt names files that are there', () => {
  const files = listProse(root);
  expect(files).toEqual(expect.arrayContaining(['README.md', 'docs/glossary.md', 'tools/affected/src/cli/program.ts']));
  const debt = JSON.parse(readFileSync(join(root, 'scripts/prose-debt.json'), 'utf8'));
  expect(Object.keys(debt).filter((file) => !files.includes(file))).toEqual([]);
  expect(faultsOfFile('README.md', words(26))).toHaveLength(1);
});
