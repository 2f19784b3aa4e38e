import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DESCRIBED, type DescribedGitHub, startDescribedGitHub } from '@tributary/github/testing/described-github';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { compileSchema } from '@tributary/test-repo/schemas';
import type { InitResult } from '../result/result.js';
import { createFixture, type MigrationFixture } from './migration.fixture.js';

// A server that answers as GitHub's description says provides the list of repositories over HTTP.

const cleanUp = cleanUpIn(afterAll);
const isValid = compileSchema('migrate-repo', 'init-result');
const MANIFESTS: Readonly<Record<string, object>> = {
  app: { name: '@acme/app', dependencies: { core: '^1.0.0' } },
  core: { name: 'core' },
};
let server: DescribedGitHub;
let fixture: MigrationFixture;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  const entries = [
    entry('app'),
    entry('core'),
    entry('docs'),
    entry('gone', { archived: true }),
    entry('copy', { fork: true }),
    entry('mono'),
  ];
  server = cleanUp.add(
    await startDescribedGitHub(
      ({ pathname }) => (pathname === '/api/v3/orgs/acme/repos' ? { entries } : undefined),
      ({ pathname }) => {
        const manifest = MANIFESTS[/\/repos\/acme\/(\w+)\/contents\/package.json$/.exec(pathname)?.[1] ?? ''];
        return manifest === undefined ? undefined : { body: fileOf(manifest) };
      },
    ),
  );
  env = { GITHUB_API_URL: server.apiUrl, GITHUB_TOKEN: 'ghs_x' };
  fixture = createFixture(cleanUp);
  fixture.monorepo.git('remote', 'add', 'origin', 'git@github.com:acme/mono.git');
});

function entry(name: string, more: object = {}): object {
  const [example] = (DESCRIBED['/orgs/{org}/repos']?.example ?? []) as readonly object[];
  const addresses = { clone_url: `https://github.com/acme/${name}.git`, ssh_url: `git@github.com:acme/${name}.git` };
  return { ...example, name, full_name: `acme/${name}`, fork: false, archived: false, ...addresses, ...more };
}

function fileOf(manifest: object): object {
  const example = DESCRIBED['/repos/{owner}/{repo}/contents/{path}']?.example as object;
  return { ...example, type: 'file', encoding: 'base64', content: Buffer.from(JSON.stringify(manifest)).toString('base64') };
}

async function answerOf(args: readonly string[]): Promise<InitResult> {
  const { code, stdout, stderr } = await fixture.run(['init', 'acme', '--json', ...args], { env });
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  const answer: unknown = JSON.parse(stdout);
  expect({ answer, faults: isValid(answer) ? [] : isValid.errors }).toEqual({ answer, faults: [] });
  return answer as InitResult;
}

const file = (): string => join(fixture.monorepo.path, 'tributary.json');

test('a dry run says what would be written, and nothing is written without an answer', async () => {
  const answer = await answerOf(['--dry-run']);
  expect(answer).toMatchObject({ state: 'planned', kept: [], added: [{ name: 'core', repository: 'core' }, { name: '@acme/app' }] });
  expect(answer.leftOut.map(({ repository, reason }) => `${repository}: ${reason}`)).toEqual([
    'gone: archived',
    'copy: fork',
    'mono: this monorepo',
    'docs: no package.json',
  ]);
  const { stderr } = await fixture.refused('SOURCE_NOT_CONFIRMED', ['init', 'acme'], { env });
  // What would be written is printed before the question.
  expect(stderr).toMatch(/^ {2}core {2}https:\/\/github\.com\/acme\/core\.git\n {2}@acme\/app {2}https/m);
  expect(existsSync(file())).toBe(false);
  expect(server.flaws).toEqual([]);
});

test('the block is written, dependencies first; what a person wrote stays, comments too; again there is nothing new', async () => {
  const own = '{\n  // Ours.\n  "migrate": {\n    "packages": {\n      "core": { "source": "../core", "branch": "next" }\n    }\n  }\n}\n';
  fixture.monorepo.write({ 'tributary.json': own });
  expect(await answerOf(['--yes', '--ssh'])).toMatchObject({ state: 'written', kept: ['core'] });
  const entry = '"@acme/app": { "source": "git@github.com:acme/app.git" }';
  expect(readFileSync(file(), 'utf8').replaceAll(/\s+/g, ' ')).toBe(own.replace('"next" }', `"next" }, ${entry}`).replaceAll(/\s+/g, ' '));
  expect(await answerOf(['--yes'])).toMatchObject({ state: 'nothing new', kept: ['@acme/app', 'core'], added: [] });
  fixture.monorepo.write({ 'tributary.json': null });
  const { stdout } = await fixture.run(['init', 'acme', '--yes'], { env });
  expect(stdout).toContain('Wrote 2 packages of acme');
  expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual({
    migrate: {
      packages: { core: { source: 'https://github.com/acme/core.git' }, '@acme/app': { source: 'https://github.com/acme/app.git' } },
    },
  });
});

test('an API that refuses, and a broken tributary.json, leave the file as it is', async () => {
  await fixture.refused('GITHUB_REFUSED', ['init', 'nobody', '--yes'], { env });
  fixture.monorepo.write({ 'tributary.json': '{ "migrate": { "packages": 1 } }' });
  await fixture.refused('CONFIG_INVALID', ['init', 'acme', '--yes'], { env });
  await fixture.refused('USAGE', ['init', 'https://github.com/acme'], { env });
});
