import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { readJUnit } from './junit-files.js';

const cleanUp = cleanUpIn(afterEach);
let folder: TempFolder;

beforeEach(() => {
  folder = cleanUp.add(new TempFolder());
  folder.write('package.json', '{ "name": "root" }');
  folder.write('packages/ui/package.json', '{ "name": "@acme/ui" }');
  for (const file of ['packages/ui/src/a.test.ts', 'packages/ui/src/b.test.ts', 'e2e/c.spec.ts']) folder.write(file, '');
});

const report = (file: string, ...seconds: readonly number[]): string =>
  `<testsuites><testsuite name="x">${seconds.map((one) => `<testcase file="${file}" time="${one}"/>`).join('')}</testsuite></testsuites>`;

function read(path = 'reports'): unknown {
  const { workspaces, problems } = readJUnit(folder.join(path), folder.path);
  return { workspaces: Object.fromEntries(workspaces), problems: problems.map((one) => one.replaceAll(folder.path, '')) };
}

test('tests of a file are added up, and belong to the nearest workspace; paths are absolute, from the root, or from a folder on the way to it', () => {
  folder.write('reports/1.xml', report(folder.join('packages/ui/src/a.test.ts'), 1, 2));
  folder.write('reports/below/2.xml', report('packages/ui/src/a.test.ts', 4));
  folder.write('packages/ui/reports/junit.xml', report('src/b.test.ts', 8));
  folder.write('reports/3.xml', report('e2e/c.spec.ts', 16));
  folder.write('reports/other.json', '{');
  expect(read()).toEqual({ workspaces: { '@acme/ui': { 'src/a.test.ts': 7 }, root: { 'e2e/c.spec.ts': 16 } }, problems: [] });
  expect(read('packages')).toEqual({ workspaces: { '@acme/ui': { 'src/b.test.ts': 8 } }, problems: [] });
  expect(read('packages/ui/reports/junit.xml')).toEqual(read('packages'));
  expect(read('nowhere')).toEqual({ workspaces: {}, problems: [] });
});

test('what cannot be read, and tests whose file is not there or lies elsewhere, are named', () => {
  folder.write('reports/1.xml', report('src/a.test.ts', 1));
  folder.write('reports/2.xml', '<testsuites>');
  folder.write('reports/3.xml', report('../../../../../../../../../etc/hosts.ts', 1));
  folder.write('reports/4.xml', report('../packages/ui/src/a.test.ts', 1));
  expect(read()).toEqual({
    workspaces: { '@acme/ui': { 'src/a.test.ts': 1 } },
    problems: [
      '/reports/1.xml: the file of 1 of 1 tests is unknown.',
      '/reports/2.xml is left out: it is not a complete XML document.',
      '/reports/3.xml: the file of 1 of 1 tests is unknown.',
    ],
  });
});
