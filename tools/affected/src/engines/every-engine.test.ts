import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { CI_FILES } from '@tributary/workspaces/ci-files';
import { buildFileRules } from '@tributary/workspaces/file-rules';
import { parseAllDocuments } from 'yaml';
import { engineOf } from '../ci-files/file-types.js';
import { ENGINES } from './engines.js';
import { sameTime } from './plan.fixture.js';
import type { CiVariables } from './variables.js';

// What each engine has to have, and what holds for each. CONTRIBUTING.md names this file to those who add one.

const rules = buildFileRules([], []);

test('CI_FILES has the engines of ENGINES, in the same order', () => {
  expect(Object.keys(CI_FILES)).toEqual(ENGINES.map(({ name }) => name));
});

describe.each(ENGINES)('$name', (engine) => {
  const written = Object.values({ ...engine.setup.files, ...engine.setup.oneJob });
  const files = [...written, ...(CI_FILES[engine.name] ?? []).map(exampleOf)];

  test('its template exists, which makes a plan, runs shards and asks the gate', () => {
    const templates = Object.keys(engine.setup.files).map((file) => `ci/${file}`);
    expect(templates.filter((path) => !existsSync(inProject(path)))).toEqual([]);
    const text = [...templates.map((path) => readFileSync(inProject(path), 'utf8')), engine.emit(sameTime(1))].join('\n');
    const calls = ['plan', 'run-shard', 'gate'].filter((name) =>
      new RegExp(`(?:affected|\\$@|cli\\.cjs)["}]*[\\s\\\\]+${name} `, 'i').test(text),
    );
    expect(calls).toEqual(['plan', 'run-shard', 'gate']);
  });

  test('its template for one job does all of that in one job', () => {
    const text = Object.keys(engine.setup.oneJob ?? {})
      .map((file) => readFileSync(inProject(`ci/${file}`), 'utf8'))
      .join('\n');
    for (const call of ['plan', 'run-shard', 'gate', 'check'])
      expect(text).toMatch(new RegExp(`(?:affected|\\$@|cli\\.cjs)["}]*[\\s\\\\]+${call}\\b`, 'i'));
    // All shards, in this job.
    expect(text).toMatch(/run-shard --all\b|'--all' \|\| inputs\.shard/);
  });

  test('nothing of the engine that it was copied from is left, in the code and in the template, whose YAML can be read', () => {
    const templates = Object.keys({ ...engine.setup.files, ...engine.setup.oneJob }).map((file) => `ci/${file}`);
    for (const path of [`tools/affected/src/engines/${engine.name}.ts`, ...templates]) {
      const text = readFileSync(inProject(path), 'utf8');
      expect(text).not.toMatch(/made.?up/i);
      const emits = [...text.matchAll(/(?:affected|cli\.cjs)["}]*[\s\\]+emit (\w[\w-]*)/gi)].map(([, name]) => name);
      expect(emits.filter((name) => name !== engine.name)).toEqual([]);
      const errors = /\.ya?ml$/.test(path) ? parseAllDocuments(text).flatMap((one) => ('errors' in one ? one.errors : [])) : [];
      expect(errors).toEqual([]);
    }
  });

  test('its files belong to it alone, also those that affected init writes', () => {
    expect(files.filter((path) => engineOf(path) !== engine)).toEqual([]);
  });

  test('a change of its files selects every workspace, and a narrower rule for its folder may be proposed', () => {
    expect(files.filter((path) => rules(path, 'outside')?.affects !== 'all')).toEqual([]);
  });

  test('without variables its base is unknown, and a hostile value in any variable is no base', () => {
    expect(engine.readChange({}, () => '').base.kind).toBe('unknown');
    for (const value of ['-x', '--upload-pack=touch x', 'a\nb', 'a..b', '@{-1}', '\u001b[31m']) {
      const change = engine.readChange(everyVariable(value), () => value);
      expect(change).toMatchObject({ base: { kind: 'unknown' }, head: null, pullRequest: null });
      expect(JSON.stringify(change)).not.toContain(JSON.stringify(value).slice(1, -1));
    }
  });

  test('its attempts are numbers from 1', () => {
    for (const value of ['0', '-1', 'x', '1'.repeat(30)]) expect(engine.attempt?.(everyVariable(value)) ?? 1).toBeGreaterThan(0);
  });

  test.each([0, 1, 300])('a plan of %j shards is emitted, with all of their ids', (count) => {
    const plan = sameTime(count);
    const text = engine.emit(plan);
    expect(plan.shards.filter(({ id }) => !new RegExp(`\\b${id}\\b`).test(text))).toEqual([]);
  });
});

function inProject(path: string): string {
  return join(findProjectRoot(), path);
}

/** Returns a path that a glob matches. */
function exampleOf(glob: string): string {
  const path = glob
    .replace('**/*', 'a/b')
    .replace('**', 'a/b')
    .replace('*', '-pr')
    .replace(/\{.*,(.*)\}/, '$1');
  expect(path).not.toMatch(/[*{]/);
  return path;
}

/** Returns an environment in which every variable has this value. */
function everyVariable(value: string): CiVariables {
  return new Proxy<CiVariables>(
    {},
    { get: () => value, getOwnPropertyDescriptor: () => ({ value, configurable: true, enumerable: true }) },
  );
}

test.each([
  '.github/workflows/a/ci.yml',
  '.github/a.sh',
  '.gitlab/a.md',
  'a/.gitlab-ci.yml',
  'circleci/a',
  'buildkite.yml',
  'ci/azure-pipelines.yml',
  'a/Jenkinsfile',
  'Jenkinsfile.md',
])('%s belongs to none', (path) => expect(engineOf(path)).toBeUndefined());
