// Here and not beside the code, because it reads the manifests of all workspaces, and every plan includes the tests of `scripts`.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { suspectDrift } from '../tools/migrate-repo/src/align/lock/drift.js';
import { projectOf } from '../tools/migrate-repo/src/align/project.fixture.js';
import { listWorkspaces } from './workspaces.mjs';

test('migrate-repo finds no drift in the lockfile of this very repository', () => {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  const read = (file) => readFileSync(join(root, file), 'utf8');
  const manifests = ['', ...listWorkspaces(root)].map((folder) => [folder, JSON.parse(read(join(folder, 'package.json')))]);
  expect(suspectDrift(read('yarn.lock'), projectOf({ manifests: Object.fromEntries(manifests), importedPackages: {} }))).toEqual([]);
});
