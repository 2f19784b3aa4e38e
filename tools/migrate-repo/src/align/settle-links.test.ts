import { expect, test } from '@jest/globals';
import { DEFAULT_CONFIG } from '@tributary/model/config';
import { alignInternal } from './internal.js';
import { lockOf } from './lock/berry-lock.fixture.js';
import { readRecords } from './lock/got.js';
import { projectOf } from './project.fixture.js';
import { settleLinks } from './settle-links.js';

const WORKSPACES = [
  'app@workspace:packages/app -> app@workspace:packages/app -> lib@npm:^1.0.0',
  'lib@workspace:packages/lib -> lib@workspace:packages/lib',
];

function settle(lib: object, locked: Readonly<Record<string, string>>, entry: string): readonly string[] {
  const project = projectOf({
    manifests: {
      'packages/app': { name: 'app', version: '1.0.0', dependencies: { lib: '^1.0.0' } },
      'packages/lib': { name: 'lib', version: '1.2.3', ...lib },
    },
    importedPackages: { 'packages/lib': {}, 'packages/app': locked },
  });
  const { findings } = alignInternal(project, DEFAULT_CONFIG.migrate.internal);
  const settled = settleLinks(findings, readRecords(lockOf(...WORKSPACES, entry), project));
  return settled.flatMap((finding) => (finding.kind === 'left' ? [`left, ${finding.doubt}`] : [finding.kind]));
}

const OF_WORKSPACE = 'lib@npm:^1.0.0 -> lib@workspace:packages/lib';
const OF_REGISTRY = 'lib@npm:^1.0.0 -> lib@npm:1.2.0';

test('what was to lead to a workspace is said to do so only if the lockfile says the same', () => {
  expect(settle({}, {}, OF_WORKSPACE)).toEqual(['converted']);
  expect(settle({}, {}, OF_REGISTRY)).toEqual(['left, not led']);
});

test('what was to stay with the registry is said to do so only if the lockfile says the same', () => {
  const [lib, locked] = [{ main: 'dist/lib.js' }, { 'lib@^1.0.0': '1.2.0' }];
  expect(settle(lib, locked, OF_REGISTRY)).toEqual(['left, not built', 'unbuilt', 'transparency']);
  expect(settle(lib, locked, OF_WORKSPACE)).toEqual(['converted', 'unbuilt', 'transparency']);
});
