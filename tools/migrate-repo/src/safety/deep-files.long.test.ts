import { afterEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { createFixture, createSource } from './migration.fixture.js';

// A function that walks through a value overflows the stack if the value is nested some thousand levels deep.

const cleanUp = cleanUpIn(afterEach);

const DEEP = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;

test('a package.json of the source is refused by name', async () => {
  const source = createSource(cleanUp);
  source.commit('Deep', { files: { 'package.json': `{"name":"left-pad","version":"1.0.0","x":${DEEP}}` } });
  const { stderr } = await createFixture(cleanUp).refused('MANIFEST_INVALID', ['left-pad', '--from', source.path]);
  expect(stderr).toContain('it is nested more than 1000 levels deep');
});

test('so is that of the monorepo', async () => {
  const fixture = createFixture(cleanUp);
  fixture.monorepo.commit('Deep', { files: { 'package.json': `{"name":"root","workspaces":["packages/*"],"x":${DEEP}}` } });
  await fixture.refused('MANIFEST_INVALID', ['left-pad', '--from', createSource(cleanUp).path]);
});

describe('another file that is nested so deep is no failure of the tool', () => {
  const files: Readonly<Record<string, string>> = {
    'tsconfig.json': `{"x":${DEEP}}`,
    'lerna.json': `{"x":${DEEP}}`,
    'turbo.json': `{"tasks":${DEEP}}`,
    '.eslintrc.json': `{"x":${DEEP}}`,
    'package-lock.json': `{"lockfileVersion":3,"packages":{},"x":${DEEP}}`,
    'test/package.json': `{"name":"inner","x":${DEEP}}`,
    '.yarnrc.yml': `x: ${DEEP}\n`,
    'pnpm-workspace.yaml': `x: ${DEEP}\n`,
    'pnpm-lock.yaml': `lockfileVersion: '9.0'\nx: ${DEEP}\n`,
    '.eslintrc.yml': `x: ${DEEP}\n`,
    '.github/workflows/ci.yml': `on: push\njobs: ${DEEP}\n`,
    '.github/dependabot.yml': `x: ${DEEP}\n`,
    'src/deep.js': `module.exports = ${DEEP};\n`,
  };
  test.each(Object.keys(files))('%s', async (name) => {
    const fixture = createFixture(cleanUp);
    const source = createSource(cleanUp);
    source.commit('Deep', { files: { 'yarn.lock': null, [name]: files[name] ?? '' } });
    const { code, stderr } = await fixture.run(['left-pad', '--from', source.path]);
    expect({ name, code, stderr: code === 70 ? stderr : '' }).toEqual({ name, code: expect.any(Number), stderr: '' });
    expect(code).not.toBe(70);
  });
});
