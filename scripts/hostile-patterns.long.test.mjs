// A repository writes patterns in many places, and each tool compiles some. None may take longer than a person waits, or more memory than there is.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const home = mkdtempSync(join(tmpdir(), 'tributary-patterns-'));
// Names that a backtracking matcher compares in every way.
const LONG = 'a'.repeat(60);
const PATTERNS = [
  ['stars', `packages/${'*a'.repeat(40)}b`],
  ['folders', `${'**/a*/'.repeat(40)}b`],
  ['braces', `packages/${'{a,aa}'.repeat(40)}`],
  ['a range', 'packages/{1..99999999}'],
  ['groups', `packages/${'+(a|aa)'.repeat(40)}b`],
];

const ENV = { PATH: process.env.PATH, HOME: join(home, 'home'), CI: 'true', GIT_CONFIG_NOSYSTEM: '1' };

const json = (value) => JSON.stringify(value);
const affected = (files, ...args) => ({ files, tool: 'affected', args: [...args, '--base', 'HEAD~1', '--no-fetch'] });
const turbo = (value) => ({ 'turbo.json': json({ tasks: { test: {} }, ...value }) });
const config = (value) => ({ 'tributary.json': json(value) });
const manifest = (value) => ({ 'package.json': json({ name: 'root', private: true, workspaces: ['packages/*'], ...value }) });
const publish = (value) => ({ files: config({ publish: value }), tool: 'commit-to-publish', args: ['collect'] });
const moved = (files) => ({ source: files, tool: 'migrate-repo', args: ['moved', '--dry-run', '--no-input'] });

/** Place -> the scene with a pattern there. `files` are of the monorepo, `source` of a repository that moves in. */
const PLACES = {
  'workspaces, for affected': (pattern) => affected(manifest({ workspaces: ['packages/*', pattern] })),
  'rules of affected': (pattern) => affected(config({ affected: { rules: [{ files: pattern, affects: 'none' }] } })),
  rootOnlyDependencies: (pattern) => affected(config({ affected: { rootOnlyDependencies: [pattern] } })),
  globalDependencies: (pattern) => affected(turbo({ globalDependencies: [pattern] })),
  'inputs of a task': (pattern) => affected(turbo({ tasks: { test: { inputs: [pattern] } } }), 'plan', '--out', 'plan.json'),
  'variables of a task': (pattern) => affected(turbo({ tasks: { test: { env: [pattern] } } }), 'plan', '--out', 'plan.json'),
  'a script of node:test': (pattern) =>
    affected({ ...turbo({}), ...manifest({ scripts: { test: `node --test '${pattern}'` } }) }, 'plan', '--out', 'plan.json'),
  'workspaces, for commit-to-publish': (pattern) => ({ ...publish({}), files: manifest({ workspaces: ['packages/*', pattern] }) }),
  'teams and deployments': (pattern) => publish({ teams: { web: [pattern] }, deployments: { app: [pattern] } }),
  'workspaces of a source': (pattern) => moved({ 'package.json': json({ name: 'moved', version: '1.0.0', workspaces: [pattern] }) }),
  'files of a source': (pattern) => moved({ 'package.json': json({ name: 'moved', version: '1.0.0', files: [pattern] }) }),
  // Not .gitignore and .gitattributes: git itself takes hours for these.
  'CODEOWNERS of a source': (pattern) => moved({ CODEOWNERS: `${pattern} @a\n` }),
  'dependabot of a source': (pattern) =>
    moved({ '.github/dependabot.yml': `version: 2\nupdates:\n  - package-ecosystem: npm\n    directories: [${json(pattern)}]\n` }),
};

beforeAll(() => {
  mkdirSync(ENV.HOME);
  writeFileSync(join(ENV.HOME, '.gitconfig'), '[user]\n\tname = A\n\temail = a@example.com\n');
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe.each(Object.entries(PLACES))('%s', (_, sceneOf) => {
  test.each(PATTERNS)('with %s: an answer, or a refusal', (_name, pattern) => {
    const { files = {}, source, tool, args } = sceneOf(pattern);
    const mono = repository({ ...manifest({}), ...packageIn(`packages/${LONG}`), ...files });
    commit(mono, { [`packages/${LONG}/${LONG}.js`]: '2', [`${LONG}/${LONG}.js`]: '' });
    const from =
      source === undefined ? [] : ['--from', repository({ ...packageIn('.', 'moved'), [`packages/${LONG}/${LONG}.js`]: '', ...source })];
    const cli = join(root, 'tools', tool, 'out/cli.cjs');
    const ran = spawnSync(process.execPath, ['--max-old-space-size=600', cli, ...args, ...from], {
      cwd: mono,
      env: ENV,
      timeout: 120_000,
      encoding: 'utf8',
    });
    const isKnown = ran.status === 0 || (ran.status === 1 && /too many stars or choices|is itself a workspace root/.test(ran.stderr));
    // A crash, the time limit and death by memory have other ends.
    expect({ signal: ran.signal, isKnown, said: ran.stderr }).toMatchObject({ signal: null, isKnown: true });
  });
});

function packageIn(folder, name = 'long') {
  return { [join(folder, 'package.json')]: json({ name, version: '1.0.0', scripts: { test: 'true' } }) };
}

function repository(files) {
  const folder = mkdtempSync(join(home, 'repository-'));
  git(folder, 'init', '-q', '-b', 'main');
  commit(folder, files);
  return folder;
}

function commit(folder, files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  git(folder, 'add', '-A');
  git(folder, 'commit', '-q', '-m', 'Change');
}

function git(folder, ...args) {
  const { status, stderr } = spawnSync('git', args, { cwd: folder, env: ENV, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}
