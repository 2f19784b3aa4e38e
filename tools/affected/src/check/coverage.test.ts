import { expect, test } from '@jest/globals';
import type { FileRule } from '@tributary/model/config';
import type { WorkspaceName } from '@tributary/model/ids';
import type { RepoPath } from '@tributary/model/paths';
import { buildFileRules } from '@tributary/workspaces/file-rules';
import { buildCoverage } from './coverage.js';
import { memberGraph } from './project.fixture.js';

const graph = memberGraph('user -> app, app -dev-> lib, other');

/** Returns which of the four workspaces a change of the file selects. */
function covered(file: string, affects: FileRule['affects'] | undefined): readonly string[] {
  const rules = buildFileRules(
    affects === undefined ? [] : [{ files: ['shared/**', '.circleci/shared/**', 'packages/lib/data/**'], affects }],
    ['packages/lib/turbo'],
  );
  const isCovered = buildCoverage({ graph, rules });
  return ['user', 'app', 'lib', 'other'].filter((name) => isCovered(file as RepoPath, name as WorkspaceName));
}

const EVERYBODY = ['user', 'app', 'lib', 'other'];

test.each<readonly [file: string, affects: FileRule['affects'] | undefined, names: readonly string[]]>([
  ['shared/a', undefined, EVERYBODY],
  ['README.md', undefined, []],
  ['.github/workflows/ci.yml', undefined, []],
  ['.github/labeler.yml', undefined, []],
  ['.github/scripts/a.sh', undefined, EVERYBODY],
  ['tsconfig.json', undefined, EVERYBODY],
  ['package.json', 'all', []],
  ['packages/lib/a', undefined, []],
  ['packages/lib/turbo/a', undefined, EVERYBODY],
  ['packages/lib/data/a', 'all', EVERYBODY],
  ['packages/lib/data/a', 'owner', []],
  ['shared/a', 'none', []],
  ['.circleci/shared/a', 'all', EVERYBODY],
  ['shared/a', ['lib'], ['user', 'app', 'lib']],
  ['shared/a', ['other'], ['other']],
  ['shared/a', ['nobody'], EVERYBODY],
])('%s with a rule %j selects %j', (file, affects, names) => {
  expect(covered(file, affects)).toEqual(names);
});
