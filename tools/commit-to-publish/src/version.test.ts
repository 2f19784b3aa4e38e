import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { VERSION } from './version.js';

test('the version is the one of package.json', () => {
  const manifest = JSON.parse(readFileSync(join(findProjectRoot(), 'tools/commit-to-publish/package.json'), 'utf8')) as { version: string };
  expect(VERSION).toBe(manifest.version);
});
