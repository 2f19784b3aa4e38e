import { afterEach, expect, test } from '@jest/globals';
import { cleanUpIn } from './clean-up.js';
import { type LocalRegistry, type PublishedPackage, registryEnvironment, startRegistry } from './local-registry.js';
import { findProjectRoot, yarnClassic, yarnRelease } from './project-root.js';
import { type CliResult, createHome, runProcess } from './run-cli.js';
import { TempFolder } from './temp-folder.js';

const cleanUp = cleanUpIn(afterEach);
const root = findProjectRoot();

/** first -> @acme/second -> third, each a module that requires the next. */
const chain: readonly PublishedPackage[] = [
  {
    manifest: { name: 'first', version: '1.0.0', dependencies: { '@acme/second': '^1.0.0' } },
    files: { 'index.js': 'module.exports = "1" + require("@acme/second");\n' },
  },
  {
    manifest: { name: '@acme/second', version: '1.2.0', dependencies: { third: '*' } },
    files: { 'index.js': 'module.exports = "2" + require("third");\n' },
  },
  { manifest: { name: 'third', version: '3.0.0' }, files: { 'index.js': 'module.exports = 3;\n' } },
];

const clients: Readonly<Record<string, readonly string[]>> = {
  'Yarn 4': [process.execPath, yarnRelease(root), 'install'],
  'Yarn 1': [process.execPath, yarnClassic(root), 'install'],
  npm: ['npm', 'install'],
};

async function start(packages: readonly PublishedPackage[]): Promise<LocalRegistry> {
  return cleanUp.add(await startRegistry({ packages }));
}

function run(folder: TempFolder, registry: LocalRegistry, [file = '', ...args]: readonly string[]): Promise<CliResult> {
  return runProcess(file, args, { cwd: folder.path, env: registryEnvironment(registry.url, cleanUp.add(createHome()).path) });
}

test.each(Object.entries(clients))('%s installs a chain of three', async (_name, command) => {
  const registry = await start(chain);
  const folder = cleanUp.add(new TempFolder());
  folder.write('package.json', '{"name":"consumer","version":"1.0.0","dependencies":{"first":"^1.0.0"}}');
  folder.write('yarn.lock', '');
  folder.write('.yarnrc.yml', 'nodeLinker: node-modules\n');
  const installed = await run(folder, registry, command);
  expect({ ...installed, stdout: installed.code === 0 ? '' : installed.stdout }).toMatchObject({ code: 0, stdout: '' });
  expect((await run(folder, registry, [process.execPath, '-p', 'require("first")'])).stdout).toBe('123\n');
  expect(registry.requests.filter((request) => request.endsWith('.tgz'))).toHaveLength(3);
});

test('the newest version that was added is the latest, and older ones stay', async () => {
  const registry = await start(chain);
  registry.add({ manifest: { name: 'third', version: '3.1.0' } });
  const packument = await (await fetch(`${registry.url}/third`)).json();
  expect(packument).toMatchObject({
    'dist-tags': { latest: '3.1.0' },
    versions: { '3.0.0': { version: '3.0.0' }, '3.1.0': { version: '3.1.0' } },
  });
});

test.each(['/missing', '/third/-/third-9.9.9.tgz', '/-/npm/v1/security'])('%s is not found', async (path) => {
  const registry = await start(chain);
  const response = await fetch(`${registry.url}${path}`);
  expect([response.status, await response.json()]).toEqual([404, { error: 'Not found' }]);
  expect(registry.requests).toEqual([`GET ${path}`]);
});

test('a package without a version cannot be published', async () => {
  await expect(startRegistry({ packages: [{ manifest: { name: 'x' } }] })).rejects.toThrow('needs a name and a version');
});
