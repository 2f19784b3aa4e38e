// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are lines of somebody's code
import { expect, test } from '@jest/globals';
import { scanImports } from './scan-imports.js';

function paths(text: string): readonly string[] {
  const { names } = scanImports(text, { reach: 'upwards', entries: new Set(['data', 'tools', 'shared.json', '.env']) });
  return names.filter(({ form }) => form === 'start').map((name) => name.specifier + ('isPattern' in name && name.isPattern ? '/…' : ''));
}

test.each<readonly [text: string, ...found: string[]]>([
  ["readFileSync('data/a.json')", 'data/a.json'],
  ["readFileSync('./data/a.json')", 'data/a.json'],
  ["import 'data/a.json'", 'data/a.json'],
  ["export * from 'data/a'", 'data/a'],
  ["readFileSync('shared.json'); load('.env')", 'shared.json', '.env'],
  ["readFileSync(ROOT + '/data/a.json')", 'data/a.json'],
  ["readdirSync('data/sets')", 'data/sets'],
  ["join(process.cwd(), 'data/a.json')", 'data/a.json'],
  ["join(process.cwd(), 'data', 'a.json')", 'data/a.json'],
  ["path.resolve('data', name, 'x')", 'data/…'],
  ['`data/${name}.json`', 'data/…'],
  ['`${root}/data/a.json`', 'data/a.json'],
  ["glob('data/**/*.json')", 'data/…'],
  ["execSync('node tools/a.js --in=data/b.txt')", 'tools/a.js', 'data/b.txt'],
  ["glob('node_modules/@acme/ui/**/*.js')", 'node_modules/@acme/ui/…'],
  ['`node tools/a.js ${name} tools/b-${name}`', 'tools/a.js'],
])('%s', (text, ...found) => {
  expect(paths(text)).toEqual(found);
});

test.each([
  "import './data/a.json'",
  "import 'data'",
  "readdirSync('data')",
  "// 'data/a.json'",
  "readFileSync('other/data/a.json')",
  "say('All of our data is here.')",
  "readFileSync('../data/a.json')",
])('%s names nothing from there', (text) => {
  expect(paths(text)).toEqual([]);
});

test('a bare name in a command counts for what is read inside of a workspace', () => {
  const inside = (text: string): readonly string[] =>
    scanImports(text, { reach: 'inside', entries: new Set(['gen.js']) }).names.map(({ specifier }) => specifier);
  expect(inside("execSync('node gen.js --all')")).toEqual(['gen.js']);
  expect(inside("say('See gen.js for more.')")).toEqual([]);
});
