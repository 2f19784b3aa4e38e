// If a tool's path does not reach the tests, they are skipped silently.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const provided = [...read('scripts/engine-tools.sh').matchAll(/^provide ([A-Z0-9_]+) /gm)].map(([, name]) => name).sort();

test('turborepo hands on the path of every tool that is installed', () => {
  const { passThroughEnv } = JSON.parse(read('turbo.json')).tasks.engines;
  expect(passThroughEnv.filter((name) => name !== 'JAVA_HOME')).toEqual(provided);
});

test('.ci/run looks for every tool', () => {
  const [, list = ''] = /for tool in (.*); do/.exec(read('.ci/run')) ?? [];
  expect(list.split(' ')).toEqual(provided);
});

test('the tests of affected know them all', () => {
  const [, list = ''] = /PROGRAMS = \{([^}]*)\}/.exec(read('tools/affected/src/ci-tests/tools.fixture.ts')) ?? [];
  expect([...list.matchAll(/^ {2}([A-Z0-9_]+):/gm)].map(([, name]) => name).sort()).toEqual(provided);
});

function read(file) {
  return readFileSync(join(root, file), 'utf8');
}
