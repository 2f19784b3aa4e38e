import { join } from 'node:path';
import type { CleanUp } from '@tributary/test-repo/clean-up';
import type { PublishedPackage } from '@tributary/test-repo/local-registry';
import { formatManifest, type Manifest } from '@tributary/test-repo/temp-monorepo';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { createInstalledFixture, type InstalledFixture } from './installed.fixture.js';

/** Versions of `dep`; the last two behave differently. */
const PACKAGES: readonly PublishedPackage[] = ['1.0.0', '1.1.0', '1.2.0'].map((version) => ({
  manifest: { name: 'dep', version, main: 'index.js' },
  files: { 'index.js': `exports.answer = ${version === '1.0.0' ? 42 : 43};\n` },
}));

/** Creates a source with one test file for node:test. */
export function createTested(
  cleanUp: CleanUp,
  name: string,
  body: string,
  more: { readonly manifest?: Manifest; readonly files?: Readonly<Record<string, string>> } = {},
): TempRepo {
  const manifest = { name, version: '1.0.0', scripts: { test: 'node --test test/all.js' }, ...more.manifest };
  const code = `const { test } = require('node:test');\nconst assert = require('node:assert');\nconst fs = require('node:fs');\n${body}\n`;
  const repo = cleanUp.add(TempRepo.create());
  repo.commit('Start', { files: { 'package.json': formatManifest(manifest), 'test/all.js': code, ...more.files } });
  return repo;
}

/** Returns the package-lock.json of a package with one dependency. */
export function lockOf(name: string, dependency: string, version: string): string {
  const packages = {
    '': { name, version: '1.0.0', dependencies: { [dependency]: '^1.0.0' } },
    [`node_modules/${dependency}`]: { version },
  };
  return JSON.stringify({ name, version: '1.0.0', lockfileVersion: 3, requires: true, packages });
}

/** Creates a monorepo that names the sources in tributary.json. */
export async function createTestedFixture(cleanUp: CleanUp, sources: Readonly<Record<string, TempRepo>>): Promise<InstalledFixture> {
  const installed = await createInstalledFixture(cleanUp, {
    packages: PACKAGES,
    workspaces: { 'packages/user': { name: 'user', version: '1.0.0', dependencies: { dep: '^1.0.0' } } },
  });
  const packages = Object.fromEntries(Object.entries(sources).map(([name, source]) => [name, { source: source.path }]));
  installed.fixture.monorepo.write({ 'tributary.json': JSON.stringify({ migrate: { packages } }) });
  installed.fixture.monorepo.commit('Name the sources');
  return installed;
}

/** Returns the folder in which the tool keeps results and logs. */
export function testFolder({ fixture }: InstalledFixture): string {
  return join(fixture.monorepo.path, '.git/tributary/tests');
}
