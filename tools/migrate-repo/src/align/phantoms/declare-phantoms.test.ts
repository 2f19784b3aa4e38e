import { expect, test } from '@jest/globals';
import { layOut, projectOf } from '../project.fixture.js';
import { declarePhantoms } from './declare-phantoms.js';

const project = projectOf({
  manifests: {
    'packages/x': { name: 'x', dependencies: { c: '^1.0.0' }, devDependencies: { d: '^1.0.0' } },
    'packages/y': { name: 'y' },
    'packages/z': { name: 'z' },
  },
  newcomers: { 'packages/y': { 'a@^1.0.0': '1.5.0' }, 'packages/x': { 'a@^2.0.0': '2.5.0', 'b@*': '3.0.0' } },
  files: {
    'packages/x/index.js': `require('a'); require('d'); require('y')`,
    'packages/x/test/a.js': `require('b')`,
    'packages/y/index.js': `require('a'); }}`,
    'packages/z/index.js': `require('a')`,
  },
});

test('every newcomer gets what its own lockfile had; others are left alone', () => {
  const { edits } = declarePhantoms(project);
  expect(Object.fromEntries(edits)).toEqual({
    'packages/y/package.json': layOut({ name: 'y', dependencies: { a: '^1.5.0' } }),
    'packages/x/package.json': layOut({
      name: 'x',
      dependencies: { a: '^2.5.0', c: '^1.0.0', y: 'workspace:^' },
      devDependencies: { b: '^3.0.0', d: '^1.0.0' },
    }),
  });
});

test('findings name the newcomer, in the order in which they are merged', () => {
  const said = declarePhantoms(project).findings.map((one) =>
    one.finding === 'phantom' ? `${one.newcomer}: ${one.package} ${one.problem}` : `${one.newcomer}: ${one.file} unread`,
  );
  expect(said).toEqual([
    'y: a third party',
    'y: packages/y/index.js unread',
    'x: a third party',
    'x: b third party',
    'x: d development only',
    'x: y workspace',
  ]);
});

test('the range between workspaces is as the team has it', () => {
  const { edits } = declarePhantoms(project, { range: 'workspace:*', convert: 'admitted' });
  expect([...edits.values()].join('')).toContain('"y": "workspace:*"');
});

test('once all is declared nothing is left to do', () => {
  const { edits } = declarePhantoms(project);
  const manifests = Object.fromEntries(
    [...edits].map(([path, text]) => [path.replace('/package.json', ''), JSON.parse(text ?? '') as object]),
  );
  const files = Object.fromEntries(
    project.files.paths.filter((path) => path.endsWith('.js')).map((path) => [path, project.files.read(path) ?? '']),
  );
  const newcomers = { 'packages/y': { 'a@^1.0.0': '1.5.0' }, 'packages/x': { 'a@^2.0.0': '2.5.0', 'b@*': '3.0.0' } };
  const again = declarePhantoms(projectOf({ manifests: { ...manifests, 'packages/z': { name: 'z' } }, newcomers, files }));
  expect([...again.edits]).toEqual([]);
});
