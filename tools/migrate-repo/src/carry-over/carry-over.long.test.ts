import { expect, test } from '@jest/globals';
import type { RepoPath } from '@tributary/model/paths';
import { readReferences } from '@tributary/references/read-references';
import { type FuzzTarget, fuzz, fuzzSeconds } from '@tributary/test-repo/fuzz';
import { modulesIn } from '../align/phantoms/code-references.js';
import { readLooseJson } from '../edit/edit-json.js';
import { readYaml } from '../edit/edit-yaml.js';
import { parseHeaderBlock } from '../history/header-block.js';
import { fixtureOf } from './carry-over.fixture.js';
import { carryOver } from './carry-over.js';

const OWNERS = '# owners\n* @acme/all\n/docs/ @ann user@example.org\nsrc/**/*.ts @bob # why\n[Section][2] @x\n\\#odd @y\n';
const WORKFLOW = 'on: { push: {}, schedule: [] }\njobs:\n  a:\n    environment: x\n    steps:\n      - run: npm test\n';
const HEADER = `tree ${'a'.repeat(40)}\nparent ${'b'.repeat(40)}\nauthor A <a@b> 1 +0000\ngpgsig -----BEGIN\n x\n -----END\n\nmessage\n`;

/** Fuzzes one file of the imported package, because a stranger wrote those files. */
const carried = (file: string, ...seeds: readonly string[]): FuzzTarget => ({
  name: `carried ${file}`,
  seeds,
  parse: (text) => carryOver(fixtureOf({ '.github/CODEOWNERS': '* @root\n', '.gitignore': 'dist\n' }, { [file]: text, 'src/a.ts': '' })),
});

// FUZZ_MINUTES sets how long all targets together are fuzzed, as in `affected`.
test.each<FuzzTarget>([
  carried('.github/CODEOWNERS', OWNERS),
  carried('.github/workflows/ci.yml', WORKFLOW),
  {
    name: 'edited files',
    seeds: ['a:\n  - b\n', '{"a": [1]}'],
    parse: (text) => [readYaml(text), readLooseJson(text)],
  },
  {
    name: 'code',
    seeds: ["import a from 'a';\nconst b = require('b');\nexport * from 'c';\n", 'let a = <A b="c">d</A>;\nimport("e");\nclass F<G> {}\n'],
    parse: (text) => [modulesIn('a.js' as RepoPath, text), modulesIn('a.tsx' as RepoPath, text)],
  },
  {
    name: 'settings in code',
    seeds: ["export default { a: 'b', c: [`d`, /e'/, f('g')], ...h };\n", '{ // why\n "a": ["b", { c: true }], }'],
    parse: (text) => [readReferences('jest.config.js' as RepoPath, text), readReferences('.babelrc' as RepoPath, text)],
  },
  { name: 'header block', seeds: [HEADER], parse: (text) => parseHeaderBlock(Buffer.from(text)) },
])('$name', async (target) => {
  for (const seed of target.seeds) target.parse(seed);
  expect(await fuzz(target, fuzzSeconds(process.env))).toBeGreaterThan(0);
});
