import { expect, test } from '@jest/globals';
import { projectOf } from '../project.fixture.js';
import { lockOf } from './berry-lock.fixture.js';
import { readGot } from './got.js';

const ROOT = {
  name: 'root',
  workspaces: ['*'],
  packageManager: 'yarn@4.18.1',
  resolutions: { 'app/forced': '3.0.0', patched: 'patch:patched@npm%3A1.0.0#./p.patch' },
};
const LOCK = lockOf(
  'app@workspace:app -> app@workspace:app -> plain@npm:^1.0.0, forced@npm:^1.0.0, patched@npm:^1.0.0, listed@catalog:, typescript@npm:^5.0.0, lost@npm:^9.0.0',
  'plain@npm:^1.0.0, plain@npm:^1.1.0 -> plain@npm:1.2.0',
  'forced@npm:^1.0.0 -> forced@npm:1.0.0',
  'forced@npm:3.0.0 -> forced@npm:3.0.0',
  'patched@patch:patched@npm%3A1.0.0#./p.patch::locator=root%40workspace%3A. -> patched@patch:patched@npm%3A1.0.0#./p.patch::version=1.0.0&hash=aa&locator=root%40workspace%3A.',
  'listed@npm:^2.0.0 -> listed@npm:2.1.0',
  'typescript@npm:^5.0.0 -> typescript@npm:5.4.0',
  'typescript@patch:typescript@npm%3A^5.0.0#optional!builtin<compat/typescript> -> typescript@patch:typescript@npm%3A5.4.0#optional!builtin<compat/typescript>::version=5.4.0&hash=aa',
);

test.each([
  ['plain', '1.2.0'],
  ['forced', '3.0.0'],
  ['patched', '1.0.0'],
  ['listed', '2.1.0'],
  ['typescript', '5.4.0'],
  ['lost', undefined],
  ['never', undefined],
])('what a workspace gets for %s: %s', (name, version) => {
  const manifests = { '': ROOT, app: { name: 'app' } };
  const project = projectOf({ manifests, importedPackages: {}, files: { '.yarnrc.yml': 'catalog:\n  listed: ^2.0.0\n' } });
  const [, app] = project.workspaces;
  if (app === undefined) throw new Error('no app');
  expect(readGot(LOCK, project)(app, name)).toBe(version);
});
