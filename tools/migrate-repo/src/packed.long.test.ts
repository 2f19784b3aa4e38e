import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { findProjectRoot, yarnRelease } from '@tributary/test-repo/project-root';
import { type CliResult, runProcess } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { createTempMonorepo, formatManifest } from '@tributary/test-repo/temp-monorepo';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { VERSION } from './version.js';

// The package that people get: packed by Yarn, and installed by npm without a network, in a folder with a blank in its name.

const cleanUp = cleanUpIn(afterAll);
const root = findProjectRoot();
const folder = cleanUp.add(new TempFolder());
const home = folder.join('an empty folder');
const tarball = folder.join('migrate-repo.tgz');
const installed = join(home, 'node_modules', '@tributary', 'migrate-repo');

beforeAll(async () => {
  mkdirSync(home);
  await succeed(process.execPath, [yarnRelease(root), 'pack', '--out', tarball], join(root, 'tools', 'migrate-repo'));
  await succeed('npm', ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', tarball], home);
});

test('it brings its files, its schemas and its licences, and no dependency', () => {
  expect(readdirSync(installed).sort()).toEqual(['LICENSE', 'README.md', 'out', 'package.json', 'schema']);
  expect(readdirSync(join(home, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['@tributary']);
  expect(readdirSync(join(installed, 'schema'))).toEqual(readdirSync(join(root, 'tools/migrate-repo/schema')));
  expect(existsSync(join(installed, 'out', 'THIRD-PARTY-NOTICES.txt'))).toBe(true);
  expect(readFileSync(join(installed, 'LICENSE'), 'utf8')).toBe(readFileSync(join(root, 'LICENSE'), 'utf8'));
});

test('its manifest asks for nothing that a registry would have to deliver', () => {
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Readonly<Record<string, unknown>>;
  expect(manifest).not.toHaveProperty('dependencies');
  expect(manifest).not.toHaveProperty('peerDependencies');
  expect(JSON.stringify(manifest)).not.toContain('workspace:');
});

test('it says its version', async () => {
  expect(await run(['--version'], home)).toMatchObject({ code: 0, stdout: `${VERSION}\n`, stderr: '' });
});

test('it migrates, proves and takes back', async () => {
  const source = cleanUp.add(TempRepo.create());
  source.commit('Start', { files: { 'package.json': formatManifest({ name: 'left-pad', version: '1.0.0' }), 'yarn.lock': '' } });
  source.tag('v1.0.0');
  const monorepo = cleanUp.add(createTempMonorepo({ packages: { 'packages/core': {} } }));
  const before = monorepo.snapshot();
  const migrated = await run(['left-pad', '--from', source.path, '--json'], monorepo.path);
  expect({ code: migrated.code, stderr: migrated.stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^hint: Review it/) });
  expect(JSON.parse(migrated.stdout)).toMatchObject({
    state: 'migrated',
    packages: [{ proof: { method: 'inverse', commits: 1, tags: 1 } }],
  });
  expect(await run(['verify', 'left-pad', '--ref', 'migrate/left-pad'], monorepo.path)).toMatchObject({ code: 0 });
  expect(await run(['status'], monorepo.path)).toMatchObject({ code: 0 });
  expect(await run(['discard', 'left-pad'], monorepo.path)).toMatchObject({ code: 0 });
  expect(monorepo.snapshot()).toEqual(before);
});

/** Runs the command as npm has linked it. */
function run(args: readonly string[], cwd: string): Promise<CliResult> {
  return runProcess(join(home, 'node_modules', '.bin', 'migrate-repo'), args, { cwd });
}

async function succeed(file: string, args: readonly string[], cwd: string): Promise<void> {
  const { code, stdout, stderr } = await runProcess(file, args, { cwd });
  if (code !== 0) throw new Error(`${file} ${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`);
}
