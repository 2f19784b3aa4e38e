import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { RepoFolder } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { PublishedPackage } from '@tributary/test-repo/local-registry';
import { parseManifest } from '@tributary/workspaces/manifest';
import type { MayAsk } from '../align/who-asks.js';
import { installFailure } from './install-failure.js';
import { createYarnFixture, published, SETTINGS, type YarnFixture } from './yarn.fixture.js';
import { runYarn, type YarnContext } from './yarn.js';

const cleanUp = cleanUpIn(afterEach);

function fixture(
  dependencies: object,
  packages: readonly PublishedPackage[],
  files: Readonly<Record<string, string>> = {},
): Promise<YarnFixture> {
  return createYarnFixture(cleanUp, { 'package.json': { name: 'root', private: true, dependencies }, ...files }, packages);
}

/** Returns the root as the only workspace that can request packages. */
function rootOf(folder: YarnFixture['folder']): MayAsk {
  const manifest = parseManifest(readFileSync(folder.join('package.json'), 'utf8'), 'package.json');
  return {
    member: { name: 'root' as MayAsk['member']['name'], path: '' as RepoFolder },
    manifest,
    isNew: false,
    lockFolder: '' as RepoFolder,
  };
}

async function failureOf(
  { context, folder }: YarnFixture,
  changed: Partial<YarnContext> = {},
): Promise<{ code: string; message: string; data: object }> {
  const outcome = await runYarn({ ...context, ...changed }, ['install'], folder.path);
  expect(outcome.succeeded).toBe(false);
  return installFailure(outcome.messages, { folder: folder.path, workspaces: [rootOf(folder)] }).toJSON();
}

test('messages come as they are said, each with its step', async () => {
  const { context, folder, messages } = await fixture({ lib: '^1.0.0' }, [published('lib', '1.0.0')]);
  const outcome = await runYarn(context, ['install'], folder.path);
  expect([outcome.succeeded, outcome.messages]).toEqual([true, messages]);
  expect([...new Set(messages.map(({ step }) => step))]).toEqual(['', 'Resolution step', 'Fetch step', 'Link step']);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours would be these
  expect(messages.filter(({ text }) => /\x1b/.test(text))).toEqual([]);
});

describe('a failure is one sentence: which package, which step', () => {
  test('a range that nothing satisfies', async () => {
    const failure = await failureOf(await fixture({ lib: '^2.0.0' }, [published('lib', '1.0.0')]));
    expect(failure).toMatchObject({ code: 'INSTALL_FAILED', data: { code: 'YN0082', package: 'lib@^2.0.0' } });
    expect(failure.message).toBe(
      'root (the root) requires lib@^2.0.0, which cannot be installed (resolution step, YN0082): no version in the registry satisfies its range.',
    );
  });

  test('a package that the registry does not have', async () => {
    const built = await fixture({ '@acme/none': '^1.0.0' }, []);
    const failure = await failureOf(built);
    const { host } = new URL(built.registry.url);
    expect([failure.code, failure.message]).toEqual([
      'INSTALL_FAILED',
      `root (the root) requires @acme/none@^1.0.0, which cannot be installed (resolution step, YN0035): ${host} does not have it.`,
    ]);
    expect(JSON.stringify(failure.data)).not.toContain('acme%2fnone');
  });

  test('a build script that fails', async () => {
    const manifest = { name: 'lib', version: '1.0.0', scripts: { postinstall: 'echo no compiler >&2; exit 3' } };
    const failure = await failureOf(
      await fixture({ lib: '^1.0.0' }, [{ manifest }], { '.yarnrc.yml': `${SETTINGS['.yarnrc.yml']}enableScripts: true\n` }),
    );
    expect(failure.message).toBe(
      'lib@1.0.0, which root (the root) needs, cannot be installed (link step, YN0009): its script "postinstall" ended with exit code 3, its last output: no compiler.',
    );
  });

  test('another content than what was locked', async () => {
    const { context, folder, registry } = await fixture({ lib: '^1.0.0' }, [published('lib', '1.0.0')]);
    await runYarn(context, ['install'], folder.path);
    registry.add({ manifest: { name: 'lib', version: '1.0.0', description: 'another' } });
    const env = { ...context.env, YARN_GLOBAL_FOLDER: folder.join('other') };
    const outcome = await runYarn({ ...context, env }, ['install'], folder.path);
    expect(installFailure(outcome.messages, { folder: folder.path, workspaces: [rootOf(folder)] }).message).toBe(
      'lib@1.0.0, which root (the root) needs, cannot be installed (fetch step, YN0018): the download does not match its checksum in the lockfile.',
    );
  });

  test('a registry that is not there', async () => {
    const running = await fixture({ lib: '^1.0.0' }, []);
    await running.registry.close();
    const failure = await failureOf(running);
    expect(failure.code).toBe('REGISTRY_UNREACHABLE');
    expect(failure.message).toMatch(
      /^The monorepo cannot be installed \(resolution step\): the registry cannot be reached: .*ECONNREFUSED.*\.$/,
    );
  });

  test('settings that Yarn does not understand', async () => {
    const failure = await failureOf(await fixture({}, []), {
      yarn: {
        program: process.execPath,
        args: ['-e', 'console.log("\\x1b[31mUsage Error\\x1b[39m: no"); process.exit(1)'],
        packageManager: undefined,
      },
    });
    expect(failure.message).toBe('The monorepo cannot be installed (before the first step): no.');
  });
});

describe('what reaches an install', () => {
  const script = 'console.log(JSON.stringify({ type: "info", data: JSON.stringify(process.env) }))';
  const secrets = {
    GITHUB_TOKEN: 'ghs_1',
    GH_TOKEN: 'ghs_2',
    SSH_AUTH_SOCK: '/agent',
    GIT_ASKPASS: '/ask',
    NODE_OPTIONS: '--no-warnings',
    MY_TOKEN: 'mine',
    YARN_NPM_AUTH_TOKEN: 'npm',
    AWS_SECRET_ACCESS_KEY: 'aws',
    NPM_TOKEN: 'another',
    npm_config_registry: 'http://r.test',
    'npm_config_//r.test/:_authToken': 'npm',
    npm_config__auth: 'npm',
    npm_config__password: 'npm',
  };

  test('is settings of registries and what .yarnrc.yml names, no token of GitHub or of others, and no agent', async () => {
    const { context, folder } = await fixture({}, [], {
      '.yarnrc.yml': `${SETTINGS['.yarnrc.yml']}npmScopes:\n  acme:\n    npmAuthToken: "\${MY_TOKEN}"\n  hub:\n    npmAuthToken: "\${GITHUB_TOKEN}"\n`,
    });
    const before = { ...process.env };
    Object.assign(process.env, secrets);
    cleanUp.defer(() => {
      for (const name of Object.keys(secrets)) if (before[name] === undefined) delete process.env[name];
      Object.assign(process.env, before);
    });
    const { messages } = await runYarn(
      { ...context, env: {}, yarn: { program: process.execPath, args: ['-e', script, '--'], packageManager: undefined } },
      [],
      folder.path,
    );
    const seen = JSON.parse(messages[0]?.text ?? '{}') as Record<string, string>;
    expect(Object.fromEntries(Object.keys(secrets).map((name) => [name, seen[name]]))).toEqual({
      GITHUB_TOKEN: '',
      GH_TOKEN: undefined,
      SSH_AUTH_SOCK: undefined,
      GIT_ASKPASS: '',
      NODE_OPTIONS: undefined,
      MY_TOKEN: 'mine',
      YARN_NPM_AUTH_TOKEN: 'npm',
      AWS_SECRET_ACCESS_KEY: undefined,
      NPM_TOKEN: undefined,
      npm_config_registry: 'http://r.test',
      'npm_config_//r.test/:_authToken': undefined,
      npm_config__auth: undefined,
      npm_config__password: undefined,
    });
  });
});
