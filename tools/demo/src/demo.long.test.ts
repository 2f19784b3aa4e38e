import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { isReadableRecord, parseImportRecord } from '@tributary/model/import-record';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { GitClock, runHermeticGit } from '@tributary/test-repo/hermetic-git';
import { registryEnvironment, startRegistry } from '@tributary/test-repo/local-registry';
import { findProjectRoot, yarnRelease } from '@tributary/test-repo/project-root';
import { type CliResult, createHome, runCli, runProcess } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { SOURCES, thirdPartyPackages } from './organisation.js';
import { readPlanned, readTestRuns } from './shards.fixture.js';

const cleanUp = cleanUpIn(afterAll);
const names = ['@harbor/docks', '@harbor/fares', '@harbor/geo'] as const;
let run: CliResult;
let folder: AbsolutePath;

const git = (below: string, ...args: readonly string[]): string =>
  runHermeticGit(args, { folder: join(folder, below), clock: new GitClock() })
    .toString()
    .trimEnd();

/** Returns the demo's output for a command, or for its second call, with each line trimmed. */
const shown = (command: string, time: 1 | 2 = 1): string[] => {
  const below = run.stdout.split(`  $ ${command}\n`)[time] ?? '';
  return trimmed(below.split(/^(?: {2}\$ |\d\. )/m, 1)[0] ?? '');
};

/** Returns the planned workspaces of each of the two machines. */
const planned = (): ReadonlyMap<string, readonly string[]> => readPlanned(join(folder, 'clone/plan.json'));

const trimmed = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

beforeAll(async () => {
  // The demo keeps its folder; here it is removed with its parent. A blank in its name must be harmless.
  const place = cleanUp.add(new TempFolder());
  place.write('a b/empty', '');
  // No git identity and no settings, as on a CI machine.
  const env = { TMPDIR: place.join('a b'), HOME: place.join('nobody'), GIT_CONFIG_GLOBAL: '/dev/null' };
  run = await runCli('demo', [], { cwd: place.path, root: findProjectRoot(), env, timeoutMs: 500_000 });
  expect({ ...run, stdout: '' }).toEqual({ code: 0, signal: null, stdout: '', stderr: '' });
  folder = parseAbsolutePath(/Everything is kept in (.*)$/m.exec(run.stdout)?.[1] ?? '');
});

test('it tells a story of at most 80 columns and 120 lines', () => {
  const lines = run.stdout.trimEnd().split('\n');
  expect(lines.filter((line) => line.length > 80 && !line.includes(folder) && !line.includes('cli.cjs'))).toEqual([]);
  expect(lines.length).toBeLessThanOrEqual(120);
});

test('the picture of the README shows what it says', async () => {
  const root = findProjectRoot();
  const place = cleanUp.add(new TempFolder());
  const drawing = [join(root, 'scripts/flow-picture.mjs'), place.write('demo.txt', run.stdout), place.join('flow.svg')];
  expect(await runProcess(process.execPath, drawing, { cwd: place.path })).toMatchObject({ code: 0, stderr: '' });
  // The lead times of invented events depend on the day.
  const shownIn = (path: string): string => readFileSync(path, 'utf8').replaceAll(/half within [^<]+/g, 'half within');
  expect(shownIn(place.join('flow.svg'))).toBe(shownIn(join(root, 'docs/pictures/flow.svg')));
});

test('the folder is below TMPDIR and holds the sources and the monorepo', () => {
  expect(folder).toContain('a b/tributary-demo-');
  for (const name of names) expect(existsSync(join(folder, 'sources', SOURCES[name], 'package.json'))).toBe(true);
});

test('the histories hold what is hard to move, and the lockfiles of three package managers', () => {
  expect(git('sources/docks', 'rev-list', '--merges', '--min-parents=4', '--count', 'main')).toBe('1');
  expect(git('sources/docks', 'ls-tree', 'main', 'bin/')).toMatch(/^100755 /);
  expect(git('sources/fares', 'show', 'main:data/zones.csv')).toContain('\r\n');
  expect(git('sources/geo', 'ls-tree', '--name-only', '-z', 'main', 'places/')).toContain('places/praça-velha.json');
  const commits = git('sources/geo', 'rev-list', 'main').split('\n');
  expect(commits.filter((id) => git('sources/geo', 'cat-file', 'commit', id).includes('\ngpgsig '))).toHaveLength(1);
  expect(git('sources/geo', 'for-each-ref', '--format=%(objecttype)', 'refs/tags').split('\n').sort()).toEqual(['commit', 'tag', 'tag']);
  expect(git('sources/geo', 'show', 'main:package-lock.json')).toContain('"version": "2.0.0"');
  expect(git('sources/fares', 'show', 'main:yarn.lock')).toContain('# yarn lockfile v1');
  expect(git('sources/docks', 'show', 'main:yarn.lock')).toContain('__metadata:');
});

test('the branch has an import record for each of the three', () => {
  const messages = git('harbor', 'log', '--first-parent', '--merges', '--format=%B%x00', 'main..move-in').split('\0');
  const records = messages.flatMap((message) => parseImportRecord(message) ?? []).filter(isReadableRecord);
  expect(records.map((record) => record.package).sort()).toEqual(names);
  for (const record of records) {
    const source = `sources/${record.package.replace('@harbor/', '')}`;
    expect(record.sourceCommit).toBe(git(source, 'rev-parse', 'main'));
    expect(git('harbor', 'rev-parse', `${record.importedTip}:${record.path}`)).toBe(git(source, 'rev-parse', 'main^{tree}'));
  }
});

test('each has its tags', () => {
  for (const name of names) {
    const versions = git(`sources/${SOURCES[name]}`, 'tag').split('\n');
    expect(git('harbor', 'tag', '--list', `${name}@*`).split('\n').sort()).toEqual(
      versions.map((tag) => tag.replace('v', `${name}@`)).sort(),
    );
  }
});

test('the tests of all three pass before and after', () => expect(run.stdout).toContain('  Tests before and after: 3 same.\n'));

test('the monorepo stands where it stood', () => {
  expect(git('harbor', 'symbolic-ref', 'HEAD')).toBe('refs/heads/main');
  expect(git('harbor', 'status', '--porcelain')).toBe('');
  expect(git('harbor', 'ls-tree', '--name-only', 'main:packages')).toBe('brand');
});

test('the second clone goes on from the branch: its lockfile as it is, turborepo, then a change on each of two branches', () => {
  expect(git('clone', 'log', '--format=%s', 'origin/move-in..move-in').split('\n')).toEqual(['Run the tests through turborepo']);
  expect(git('clone', 'rev-parse', 'move-in~1', 'origin/move-in').split('\n')).toEqual([
    git('harbor', 'rev-parse', 'move-in'),
    git('harbor', 'rev-parse', 'move-in'),
  ]);
  expect(git('clone', 'diff', '--name-only', 'move-in~1', 'move-in').split('\n')).toEqual(['.gitignore', 'turbo.json']);
  expect(git('clone', 'diff', '--name-only', 'move-in', 'exact-radius')).toBe('packages/geo/src/distance.js');
  expect(git('clone', 'diff', '--name-only', 'move-in', 'only-the-readme')).toBe('README.md');
  expect(git('clone', 'symbolic-ref', '--short', 'HEAD')).toBe('exact-radius');
  expect(git('clone', 'status', '--porcelain')).toBe('');
});

test('a change of geo affects geo and those that need it, as Yarn sees it too', async () => {
  const rows = shown('affected --base move-in').filter((line) => line.endsWith('packages/geo/src/distance.js changed'));
  expect(rows.map((line) => line.split(' ')[0]).sort()).toEqual(['@harbor/docks', '@harbor/geo', '@harbor/rider-app']);
  const list = ['workspaces', 'list', '--since=move-in', '--recursive', '--json'];
  const { stdout } = await runProcess(process.execPath, [yarnRelease(findProjectRoot()), ...list], { cwd: join(folder, 'clone') });
  const folders = trimmed(stdout).map((line) => (JSON.parse(line) as { location: string }).location);
  expect(folders.sort()).toEqual(['apps/rider', 'packages/docks', 'packages/geo']);
});

test('a README affects nobody', () => {
  expect(shown('affected --base move-in --head only-the-readme')).toEqual([expect.stringMatching(/^None of 6 workspaces is affected/)]);
});

test('what the demo shows is what the shipped affected says, and nothing is left out of it', async () => {
  const ask = (...args: readonly string[]): Promise<CliResult> =>
    runCli('affected', args, { cwd: join(folder, 'clone'), root: findProjectRoot() });
  const { stdout } = await ask('--base', 'move-in');
  expect(shown('affected --base move-in')).toEqual(trimmed(stdout));
  expect(await ask('check')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^No problem found in /) });
});

test('two shards have each workspace that the change affects, once', () => {
  expect([...planned().keys()]).toEqual(['01', '02']);
  expect([...planned().values()].flat().sort()).toEqual(['@harbor/docks', '@harbor/geo', '@harbor/rider-app']);
  const rows = shown('affected plan --base move-in --shards 2 --out plan.json');
  for (const [id, names] of planned()) expect(rows).toContainEqual(expect.stringMatching(`^${id} .* ${names.join(', ')}$`));
});

test('turborepo has run what was planned for each of the two, and no test of anybody else', () => {
  const runs = readTestRuns(join(folder, 'clone'));
  expect(runs.map((tasks) => tasks.map(({ workspace }) => workspace)).sort()).toEqual([...planned().values()].sort());
  expect(runs.flat().filter(({ cache, exit }) => cache !== 'MISS' || exit !== 0)).toEqual([]);
  const folders = git('clone', 'ls-files', '*/package.json')
    .split('\n')
    .map((file) => join(folder, 'clone', file, '..'));
  const logs = folders.map((below) => join(below, '.turbo/turbo-test.log')).filter((log) => existsSync(log));
  expect(logs.map((log) => /^# pass [1-9]/m.test(readFileSync(log, 'utf8')))).toEqual(runs.flat().map(() => true));
});

test('of the shards the demo shows what affected says, and not what turborepo says', () => {
  for (const [id, names] of planned()) {
    expect(shown(`affected run-shard ${id} --plan plan.json`)).toEqual([
      `Shard ${id}: ${names.join(', ')}`,
      `Shard ${id}: ${names.length === 1 ? '1 piece' : `${names.length} pieces`}.`,
    ]);
  }
});

test('the gate has passed, and refuses once a receipt is gone', async () => {
  const gate = 'affected gate --plan plan.json';
  expect(shown(gate)[0]).toBe('All 3 planned pieces in 2 shards ran and passed.');
  expect(shown(gate, 2)[0]).toMatch(/^Shard 02 has no receipt/);
  expect(shown(gate, 2).at(-1)).toMatch(/^Its exit code is 1\./);
  expect(readdirSync(join(folder, 'clone/.tributary/receipts'))).toEqual(['01.json']);
  expect(JSON.parse(readFileSync(join(folder, 'clone/.tributary/receipts/01.json'), 'utf8'))).toMatchObject({
    commit: git('clone', 'rev-parse', 'HEAD'),
    pieces: planned()
      .get('01')
      ?.map((workspace) => ({ workspace, state: 'executed', exit: 0 })),
  });
  const env = { PATH: `${join(folder, 'bin')}:${process.env['PATH']}` };
  const ask = (...args: readonly string[]): Promise<CliResult> =>
    runCli('affected', [...args, '--plan', 'plan.json'], { cwd: join(folder, 'clone'), root: findProjectRoot(), env });
  expect(await ask('gate')).toMatchObject({ code: 1, stdout: expect.stringContaining('Shard 02 has no receipt') });
  // With the folder of programs that the demo names, a reader can continue from there.
  expect(await ask('run-shard', '02')).toMatchObject({ code: 0, stderr: expect.stringContaining('from a cache') });
  expect(await ask('gate')).toMatchObject({ code: 0, stdout: expect.stringContaining('ran and passed') });
});

test('the report of before and after claims what the events say, and the shipped program says the same again', async () => {
  const merge = git('later/harbor', 'rev-parse', '--short=10', 'HEAD');
  const command = ['compare', '--migration', merge, '--window', '12w', '--monorepo', 'later/harbor', '--channels', 'latest,production'];
  const { code, stdout } = await runCli('commit-to-publish', command, { cwd: folder, root: findProjectRoot() });
  expect(code).toBe(0);
  // The demo wraps lines that are longer than its page.
  const rows = stdout
    .split('\n')
    .filter((line) => /^(?:changes|releases|P50|P90|upgrades) /.test(line))
    .map((line) => line.trim());
  expect(rows.length).toBe(6);
  const output = trimmed(run.stdout);
  expect(rows.filter((row) => !output.some((line) => line.replaceAll(/ +/g, ' ') === row.replaceAll(/ +/g, ' ')))).toEqual([]);
  expect(rows.find((row) => row.startsWith('P50'))).toMatch(/shorter$/);
  expect(stdout).toMatch(/fewer consumer upgrades a month \(\d+ before, 0 after\)/);
});

test('the page about before and after has a line for the move of the three', () => {
  const page = readFileSync(join(folder, 'report.html'), 'utf8');
  expect(page).toContain('>3 packages moved in</text>');
  expect(page).not.toMatch(/(?:src|href)="(?!#)/);
});

test('no address of this machine is in any commit', () => {
  for (const below of ['harbor', 'clone', ...Object.values(SOURCES).map((name) => `sources/${name}`)]) {
    expect(git(below, 'log', '--all', '--format=%h %s', '-S127.0.0.1')).toBe('');
  }
});

test('with the lockfile and the change of the second clone, the tests of all packages pass', async () => {
  const clone = cleanUp.add(new TempFolder());
  git('clone', 'clone', '-q', '.', clone.path);
  const registry = cleanUp.add(await startRegistry({ packages: thirdPartyPackages() }));
  const env = registryEnvironment(registry.url, cleanUp.add(createHome()).path);
  const yarn = (...args: readonly string[]): Promise<CliResult> =>
    runProcess(process.execPath, [yarnRelease(findProjectRoot()), ...args], { cwd: clone.path, env });
  // The registry serves no package of the company, so Yarn must take all of them from the workspaces.
  expect(await yarn('install', '--immutable')).toMatchObject({ code: 0 });
  const tested = await yarn('workspaces', 'foreach', '--all', '--no-private', 'run', 'test');
  expect({ code: tested.code, failed: /^.*# fail [1-9].*$/m.exec(tested.stdout)?.[0] }).toEqual({ code: 0, failed: undefined });
  expect(tested.stdout.match(/# pass [1-9]/g)?.length).toBe(names.length);
});
