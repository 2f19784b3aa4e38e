import { expect, test } from '@jest/globals';
import { isToolError } from '@tributary/model/errors';
import type { RepoFolder } from '@tributary/model/paths';
import { discoverWorkspaces } from './discover.js';
import { parseManifest } from './manifest.js';
import { lernaOnePatterns, type MemberList, parseMemberList } from './member-lists.js';

test.each<[string, MemberList, string, readonly string[] | undefined]>([
  ['lerna as it says', 'lerna.json', '{ "packages": ["packages/*", "codemods/*"] }', ['packages/*', 'codemods/*']],
  ['lerna by its default', 'lerna.json', '{ "lerna": "2.0.0", "version": "1.0.0" }', ['packages/*']],
  ['lerna with comments', 'lerna.json', '\uFEFF{ // where\n"packages": ["libs/**"], }', ['libs/**']],
  ['lerna that finds none', 'lerna.json', '{ "packages": [] }', []],
  ['lerna that leaves it to workspaces', 'lerna.json', '{ "useWorkspaces": true, "packages": ["old/*"] }', undefined],
  [
    'pnpm as it says',
    'pnpm-workspace.yaml',
    "packages:\n  - 'packages/**'\n  - '!**/test/**' # not these\n",
    ['packages/**', '!**/test/**'],
  ],
  ['pnpm with nothing in its file', 'pnpm-workspace.yaml', '# all\n', ['.', '**']],
  ['pnpm with nothing but settings', 'pnpm-workspace.yaml', 'onlyBuiltDependencies:\n  - esbuild\n', undefined],
])('%s', (_, file, text, patterns) => {
  expect(parseMemberList(file, text)).toEqual(patterns);
});

test.each([
  ['{ "devDependencies": { "lerna": "^1.0.0" } }', ['packages/*']],
  ['{ "dependencies": { "lerna": "1.1.2" } }', ['packages/*']],
  ['{ "devDependencies": { "lerna": "^10.0.0" } }', undefined],
  ['{ "devDependencies": { "lerna": "2.0.0-beta.23" } }', undefined],
  ['{}', undefined],
])('lerna 1 by %s', (text, patterns) => {
  expect(lernaOnePatterns(parseManifest(text, 'package.json'))).toEqual(patterns);
});

test.each<[MemberList, string, string]>([
  ['lerna.json', '{\n"packages": [', 'lerna.json:2: it is not JSON: close bracket expected.'],
  ['lerna.json', '['.repeat(20_000), 'lerna.json:1: it is not JSON, and nested too deeply.'],
  ['lerna.json', `// deep\n${'['.repeat(1100)}${']'.repeat(1100)}`, 'lerna.json:1: it is nested more than 1000 levels deep.'],
  ['lerna.json', '[]', 'lerna.json:1: it must be a JSON object.'],
  ['lerna.json', '{ "packages": "packages/*" }', 'lerna.json:1: "packages" must be a list of strings.'],
  ['pnpm-workspace.yaml', 'packages: [libs/*, [a]]\n', 'pnpm-workspace.yaml:1: "packages" must be a list of strings.'],
  ['pnpm-workspace.yaml', 'packages:\n  - "a\n', 'pnpm-workspace.yaml:3: it is not YAML: Missing closing "quote.'],
  ['pnpm-workspace.yaml', '- a\n', 'pnpm-workspace.yaml:1: it must be a map of settings.'],
])('%s that cannot be read says where and why', (file, text, message) => {
  const refused = ((): unknown => {
    try {
      return parseMemberList(file, text);
    } catch (error) {
      return error;
    }
  })();
  expect(isToolError(refused) && { code: refused.code, message: refused.message }).toEqual({ code: 'MANIFEST_INVALID', message });
});

test('its patterns are in the place of workspaces, and a name may be there twice', () => {
  const manifests: Readonly<Record<string, object>> = {
    '': { name: 'ui', workspaces: ['old/*'] },
    'old/a': { name: 'a' },
    'packages/ui': { name: 'ui', workspaces: ['inner/*'] },
    'packages/ui/inner/x': { name: 'x' },
  };
  const folders = Object.keys(manifests) as RepoFolder[];
  const readManifest = (folder: RepoFolder): string => JSON.stringify(manifests[folder]);
  const found = discoverWorkspaces({ folders, readManifest, patterns: ['packages/*'] });
  expect(found.map(({ name, path }) => `${name} ${path}`)).toEqual(['ui ', 'ui packages/ui']);
});
