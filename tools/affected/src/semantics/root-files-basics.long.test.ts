import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { Files } from '@tributary/test-repo/temp-repo';
import { manifestOf } from './monorepo.fixture.js';
import { type Answer, Scene } from './scene.fixture.js';

const cleanUp = cleanUpIn(afterAll);

let scene: Scene;

beforeAll(async () => {
  scene = await Scene.create(cleanUp);
});

const BEFORE: Files = {
  'lerna.json': '{ "version": "1.0.0", "npmClient": "yarn" }\n',
  'nx.json': '{ "parallel": 1, "targetDefaults": { "test": { "cache": true } } }\n',
  'codeowners.ts': 'export default 1;\n',
  'scripts/manage-codeowners.ts': "import owners from '../codeowners.js';\n",
  'tsconfig.json': '{ "files": [], "references": [] }\n',
  'tsconfig.web.json': '{ "compilerOptions": { "strict": true } }\n',
  'packages/ring-a/tsconfig.json': '{ "extends": "../../tsconfig.web.json" }\n',
  Makefile: 'all:\n\tjest\ndocs:\n\techo 1\n',
  ...manifestOf('', { scripts: { test: 'make all', lint: 'make docs', 'codeowners:check': 'tsx scripts/manage-codeowners.ts' } }),
};

test.each<[sentence: string, files: Files, affected: Answer]>([
  ['the version in lerna.json affects nobody', { 'lerna.json': '{ "version": "1.0.1", "npmClient": "yarn" }\n' }, []],
  ['the client in lerna.json affects everybody', { 'lerna.json': '{ "version": "1.0.0", "npmClient": "npm" }\n' }, 'all: FILE_UNCLAIMED'],
  ['how many tasks nx runs affects nobody', { 'nx.json': '{ "parallel": 2, "targetDefaults": { "test": { "cache": true } } }\n' }, []],
  ['what a test is to nx affects everybody', { 'nx.json': '{ "parallel": 1, "targetDefaults": {} }\n' }, 'all: FILE_UNCLAIMED'],
  ['owners in TypeScript affect the root', { 'codeowners.ts': 'export default 2;\n' }, ['monorepo']],
  [
    'a reference affects what it leads to',
    { 'tsconfig.json': '{ "files": [], "references": [{ "path": "packages/alone" }] }\n' },
    ['alone'],
  ],
  ['options of tsconfig.json affect everybody', { 'tsconfig.json': '{ "compilerOptions": {} }\n' }, 'all: RULE'],
  ['another tsconfig affects who extends it', { 'tsconfig.web.json': '{}\n' }, ['ring-a', 'ring-b']],
  ['a target that no test leads to affects the root', { Makefile: 'all:\n\tjest\ndocs:\n\techo 2\n' }, ['monorepo']],
  ['a target that a test leads to affects everybody', { Makefile: 'all:\n\tjest --ci\ndocs:\n\techo 1\n' }, 'all: FILE_UNCLAIMED'],
  ['suppressions of a linter affect nobody', { 'eslint-suppressions.json': '{}\n' }, []],
])('%s', async (_, files, affected) => {
  expect(await scene.ask({ before: BEFORE, files })).toEqual(affected);
});

test.each<[file: string, text: string, reason: object]>([
  ['codeowners.ts', 'export default 2;\n', { kind: 'file', file: 'codeowners.ts', others: 0 }],
  ['tsconfig.web.json', '{}\n', { kind: 'setting', file: 'tsconfig.web.json', key: 'compilerOptions' }],
  ['Makefile', 'all:\n\tjest\ndocs:\n\techo 2\n', { kind: 'setting', file: 'Makefile', key: 'docs' }],
])('the reason of %s names what changed', async (file, text, reason) => {
  const { workspaces } = await scene.resultOf({ before: BEFORE, files: { [file]: text } });
  expect(workspaces[0]?.reasons).toEqual([reason]);
});
