import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { isToolError } from '@tributary/model/errors';
import type { RepoFolder } from '@tributary/model/paths';
import type { Environment } from '@tributary/process/environment';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { PublishedPackage } from '@tributary/test-repo/local-registry';
import { parseManifest } from '@tributary/workspaces/manifest';
import type { MayAsk } from '../align/who-asks.js';
import { installMonorepo } from './install.js';
import { createYarnFixture, published, SETTINGS } from './yarn.fixture.js';

// The sentences made from what the committed Yarn says about all kinds of failures, with real Yarn and real registries.

const cleanUp = cleanUpIn(afterEach);

interface Trouble {
  readonly dependencies?: object;
  /** Lines of .yarnrc.yml. */
  readonly settings?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly packages?: readonly PublishedPackage[];
  readonly env?: Environment;
  readonly scripts?: 'run';
}

const APP = { name: 'app', path: 'packages/app' } as MayAsk['member'];

/** Returns `CODE sentence` for a monorepo with the workspace `app`. */
async function failureOf({
  dependencies = { lib: '^1.0.0' },
  settings = '',
  files = {},
  packages = [published('lib', '1.0.0')],
  env,
  scripts,
}: Trouble): Promise<string> {
  const app = { name: 'app', dependencies };
  const root = { name: 'root', private: true, workspaces: ['packages/*'] };
  const { context, folder } = await createYarnFixture(
    cleanUp,
    { 'package.json': root, 'packages/app/package.json': app, '.yarnrc.yml': `${SETTINGS['.yarnrc.yml']}${settings}`, ...files },
    packages,
  );
  const askers = [
    { member: APP, manifest: parseManifest(JSON.stringify(app), 'package.json'), isNew: true, lockFolder: APP.path as RepoFolder },
  ];
  const input = { folder: folder.path, before: '', pins: new Map(), askers };
  try {
    await installMonorepo({ ...context, scripts, env: { ...context.env, ...env } }, input);
    return 'installed';
  } catch (error) {
    if (!isToolError(error)) throw error;
    expect(JSON.stringify(error)).not.toMatch(/s3cret|secret-path/);
    return `${error.code} ${error.message}`;
  }
}

/** Starts a server that gives every request the same answer. */
async function serve(status: number, body: string, headers: Readonly<Record<string, string>> = {}): Promise<{ url: string; host: string }> {
  const server = createServer((_, response) => response.writeHead(status, headers).end(body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUp.defer(() => server.closeAllConnections());
  cleanUp.defer(() => void server.close());
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: `http://${host}`, host };
}

describe('registries', () => {
  const asked = 'app (packages/app) requires lib@^1.0.0, which cannot be installed (resolution step';

  test.each([
    [503, 'REGISTRY_UNREACHABLE', 'answers 503 (Service Unavailable).'],
    [429, 'REGISTRY_UNREACHABLE', 'answers 429 (Too Many Requests).'],
    [403, 'REGISTRY_REFUSED', 'answers 403 (Forbidden).'],
  ])('one that answers %i is named by its host, never by its path', async (status, code, words) => {
    const { host } = await serve(status, 'no');
    const env = { YARN_NPM_REGISTRY_SERVER: `http://me:s3cret@${host}/secret-path` };
    expect(await failureOf({ env })).toBe(`${code} ${asked}, YN0035): ${host} ${words}`);
  });

  test('one that wants a credential', async () => {
    const env = { YARN_NPM_REGISTRY_SERVER: (await serve(401, 'no')).url };
    expect(await failureOf({ env })).toBe(`REGISTRY_REFUSED ${asked}, YN0041): the registry requires a valid credential.`);
  });

  test('a page in its place', async () => {
    const { url } = await serve(200, '<html>Log in</html>', { 'content-type': 'text/html' });
    expect(await failureOf({ env: { YARN_NPM_REGISTRY_SERVER: url } })).toBe(
      `REGISTRY_UNREACHABLE ${asked}): the answer is not JSON, so it is not from a registry: a proxy or a login page may be in between.`,
    );
  });

  test('one that the settings keep Yarn from', async () => {
    expect(await failureOf({ settings: 'enableNetwork: false\n' })).toBe(
      `INSTALL_FAILED ${asked}, YN0080): the settings of the monorepo forbid the network (enableNetwork, networkSettings).`,
    );
    expect(await failureOf({ env: { YARN_UNSAFE_HTTP_WHITELIST: 'example.com' } })).toBe(
      `INSTALL_FAILED ${asked}, YN0081): the settings of the monorepo forbid requests to 127.0.0.1 without https (unsafeHttpWhitelist).`,
    );
  });

  test('one whose versions are too young, or have no such tag', async () => {
    expect(await failureOf({ env: { YARN_NPM_MINIMAL_AGE_GATE: '999999999' } })).toBe(
      `INSTALL_FAILED ${asked}, YN0016): every version that satisfies it is newer than npmMinimalAgeGate allows.`,
    );
    expect(await failureOf({ dependencies: { lib: 'canary' } })).toBe(
      'INSTALL_FAILED app (packages/app) requires lib@canary, which cannot be installed (resolution step, YN0016): the registry has no tag "canary" of it.',
    );
  });
});

describe('git repositories', () => {
  test('one that wants to know who asks', async () => {
    const { url } = await serve(401, 'no', { 'www-authenticate': 'Basic realm="x"' });
    const range = `git+${url}/acme/private.git`;
    const settings = 'approvedGitRepositories:\n  - "**"\n';
    expect(await failureOf({ dependencies: { lib: range }, settings })).toMatch(
      /^INSTALL_RUNS_CODE app \(packages\/app\) requires lib@git\+http.*, which cannot be installed \(resolution step\): it comes from a git repository, which Yarn packs by running its scripts\.$/,
    );
    expect(await failureOf({ dependencies: { lib: range }, settings, scripts: 'run' })).toMatch(
      /^INSTALL_GIT_UNREADABLE app \(packages\/app\) requires lib@git\+http.*, which cannot be installed \(resolution step\): its git repository cannot be read: could not read Username.*terminal prompts disabled\.$/,
    );
  });

  test('one that the settings do not allow', async () => {
    expect(await failureOf({ dependencies: { lib: 'git+ssh://git@example.com/acme/private.git' } })).toBe(
      'INSTALL_FAILED app (packages/app) requires lib@git+ssh://git@example.com/acme/private.git, which cannot be installed (resolution step, YN0080): the settings of the monorepo do not allow its git repository (approvedGitRepositories).',
    );
  });
});

describe('the monorepo itself', () => {
  test('a constraint that does not hold', async () => {
    const constraint =
      'module.exports = { constraints: ({ Yarn }) => { for (const one of Yarn.workspaces()) one.set("license", "MIT"); } };';
    expect(await failureOf({ settings: 'enableConstraintsChecks: true\n', files: { 'yarn.config.cjs': constraint } })).toBe(
      'INSTALL_FAILED app (packages/app) cannot be installed (post-install validation, YN0084): a constraint of the monorepo does not hold: Missing field license; expected "MIT".',
    );
  });

  test.each([
    [`npmAuthToken: "\${NO_SUCH_TOKEN}"`, 'Environment variable not found (NO_SUCH_TOKEN) in .yarnrc.yml.'],
    ['enableScripts: perhaps', 'Couldn\'t parse "perhaps" as a boolean in .yarnrc.yml.'],
  ])('settings such as %s', async (line, words) => {
    expect(await failureOf({ settings: `${line}\n` })).toBe(
      `INSTALL_FAILED The monorepo cannot be installed (before the first step): ${words}`,
    );
  });

  test('a plugin that is not there', async () => {
    const settings = 'plugins:\n  - path: .yarn/plugins/none.cjs\n    spec: "@yarnpkg/plugin-none"\n';
    expect(await failureOf({ settings })).toMatch(
      /^INSTALL_FAILED The monorepo cannot be installed \(before the first step\): .*plugin.*\.$/,
    );
  });
});

test('what a package needs that others brought along is named with the way to it', async () => {
  const scripts = { install: 'exit 2' };
  const packages = [
    published('lib', '1.0.0', { middle: '1.0.0' }),
    published('middle', '1.0.0', { deep: '1.0.0' }),
    { manifest: { name: 'deep', version: '1.0.0', scripts } },
  ];
  expect(await failureOf({ packages, settings: 'enableScripts: true\n', scripts: 'run' })).toBe(
    'INSTALL_FAILED deep@1.0.0, which app (packages/app) needs through lib@1.0.0, middle@1.0.0, cannot be installed (link step, YN0009): its script "install" ended with exit code 2 without output.',
  );
});

test('a file that is not there', async () => {
  expect(await failureOf({ dependencies: { lib: 'exec:./gen.js' } })).toBe(
    'INSTALL_FAILED app (packages/app) requires lib@exec:./gen.js, which cannot be installed (resolution step): there is nothing at packages/app/gen.js.',
  );
});
