import { expect, test } from '@jest/globals';
import type { RepoPath } from '@tributary/model/paths';
import { projectOf } from './project.fixture.js';
import { findEscapingSymlinks } from './symlinks.js';

const FILES = {
  'p/a/package.json': { name: 'a', version: '1.0.0', dependencies: { b: '*' } },
  'p/b/package.json': { name: 'b', version: '1.0.0', dependencies: { c: '*' } },
  'p/c/package.json': { name: 'c', version: '1.0.0' },
  'tools/x.ts': '',
  LICENSE: '',
};

const cases: readonly (readonly [what: string, links: Readonly<Record<string, string>>, found: readonly string[]])[] = [
  ['inside of its workspace', { 'p/a/l': './src', 'p/a/src/m': '../l' }, []],
  ['to a dependency', { 'p/a/l': '../b/src' }, []],
  ['to another workspace', { 'p/c/l': '../a/src' }, ['p/c/l hole unseen a p/a/src']],
  ['to one that edges reach', { 'p/a/l': '../c' }, ['p/a/l note reached c p/c']],
  ['out of the workspaces', { 'p/a/l': '../../tools' }, ['p/a/l hole unseen root tools']],
  ['to a document', { 'p/a/LICENSE': '../../LICENSE' }, ['p/a/LICENSE note document root LICENSE']],
  ['in a fixture', { 'p/c/fixtures/l': '../../a/src' }, ['p/c/fixtures/l hole unseen a p/a/src']],
  ['out of the project', { 'p/a/l': '../../../x', 'p/a/m': '/etc' }, ['p/a/l note outside ? ?', 'p/a/m note outside ? ?']],
  ['to several workspaces', { 'p/c/l': '../../p' }, ['p/c/l hole unseen ? p']],
  ['to a link', { 'p/c/l': './m/deep', 'p/c/m': '../a/src' }, ['p/c/l hole unseen a p/a/src/deep', 'p/c/m hole unseen a p/a/src']],
  ['to itself', { 'p/c/l': 'm', 'p/c/m': 'l' }, []],
  ['of the root', { l: 'p/a' }, ['l hole unseen a p/a']],
  ['with an empty text', { 'p/c/l': '' }, []],
];

test.each(cases)('a link %s', (_, links, found) => {
  const { project } = projectOf(FILES);
  const list = Object.entries(links).map(([path, text]) => ({ path: path as RepoPath, text }));
  const findings = findEscapingSymlinks(project, list);
  expect(findings.map(({ file, severity, reason, target = '?', path = '?' }) => `${file} ${severity} ${reason} ${target} ${path}`)).toEqual(
    found,
  );
});

test('a rule that covers what a link leads to makes it none', () => {
  const { project } = projectOf(FILES, { isCovered: (file, workspace) => file === 'tools/x.ts' && workspace === 'a' });
  const link = (path: string): { path: RepoPath; text: string } => ({ path: path as RepoPath, text: '../../tools' });
  expect(findEscapingSymlinks(project, [link('p/a/l'), link('p/c/l')]).map(({ file }) => file)).toEqual(['p/c/l']);
});
