import { expect, test } from '@jest/globals';
import { parseManifest } from '@tributary/workspaces/manifest';
import { withManifests } from '../manifest-edits.js';
import { layOut, projectOf } from '../project.fixture.js';
import type { Edits } from '../project.js';
import { comparePublished } from './published-manifest.js';
import type { PackerChoice } from './release.js';

interface Fixture {
  readonly before: object;
  readonly after: object;
  readonly packer?: PackerChoice;
}

function compare({ before, after, packer = 'npm' }: Fixture): readonly (string | undefined)[] {
  const project = projectOf({
    manifests: { 'packages/app': { name: 'app', ...before }, 'packages/lib': { name: 'lib', version: '1.2.3', private: true } },
    importedPackages: { 'packages/app': {} },
    files: { '.yarnrc.yml': 'catalog:\n  ms: ^2.0.0\n' },
  });
  const edits = new Map([['packages/app/package.json', layOut({ name: 'app', ...after })]]) as unknown as Edits;
  const [found] = comparePublished({ ...project, workspaces: withManifests(project.workspaces, edits) }, packer);
  return [found?.done.text, found?.done.detail, found?.decision?.detail];
}

const SAME = (who: string): readonly string[] => [
  `${who} would publish the same package.json as before.`,
  'how it is released is not known',
];
const OTHER = (who: string): string => `${who} would publish a different package.json than before.`;

test('nothing that is published differs', () => {
  const before = { dependencies: { lib: '^1.2.3' }, devDependencies: { jest: '29' }, scripts: { test: 'jest' } };
  expect(compare({ before, after: before })).toEqual([...SAME('npm'), undefined]);
  expect(compare({ before: { bin: { other: 'a.js' } }, after: { bin: 'a.js' } })[0]).toBe(OTHER('npm'));
  expect(compare({ before: { private: true }, after: { private: true } })).toEqual([undefined, undefined, undefined]);
});

test('a range for a workspace of the former monorepo counts as it was published', () => {
  const before = { name: 'app', dependencies: { core: 'workspace:^', lib: 'workspace:^' } };
  const after = { name: 'app', dependencies: { core: '^3.0.0', lib: '^1.0.0' } };
  const project = projectOf({ manifests: { 'packages/app': after }, importedPackages: { 'packages/app': {} } });
  const siblings = new Map(
    Object.entries({ core: '3.0.0', lib: '2.0.0' }).map(([name, version]) => [name, { folder: '' as const, version }]),
  );
  const manifest = parseManifest(JSON.stringify(before), 'package.json');
  const importedPackages = project.importedPackages.map((one) => ({ ...one, manifest, siblings }));
  const [found] = comparePublished({ ...project, importedPackages }, 'npm');
  expect(found?.done.detail).toContain('dependencies `lib` `^2.0.0` -> `^1.0.0`');
  expect(found?.done.detail).not.toContain('core');
});

test('what nobody reads who installs it is named', () => {
  const text = 'For whoever installs it, npm would publish the same package.json as before.';
  const how = 'how it is released is not known; it differs in';
  const before = { bin: { app: 'a.js' }, devDependencies: { jest: '29' }, packageManager: 'npm@12.0.2' };
  expect(compare({ before, after: { ...before, bin: 'a.js' } })).toEqual([text, `${how} \`bin\`, written as Yarn writes it`, undefined]);
  expect(compare({ before: { dependencies: {} }, after: {} })).toEqual([
    text,
    `${how} \`dependencies\`, written as Yarn writes it`,
    undefined,
  ]);
  expect(compare({ before, after: { bin: { app: 'a.js' }, devDependencies: {} } })).toEqual([
    text,
    `${how} \`devDependencies\`, \`packageManager\``,
    undefined,
  ]);
});

test('what differs is named', () => {
  const before = { version: '1.0.0', dependencies: { a: '^1.0.0', b: '1' } };
  expect(compare({ before, after: { version: '2.0.0', dependencies: { a: '^1.1.0', c: '1' } } })).toEqual([
    OTHER('npm'),
    'how it is released is not known: `version`, dependencies `a` `^1.0.0` -> `^1.1.0`, dependencies `b` taken out, dependencies `c` added: `1`',
    undefined,
  ]);
});

test('npm packs what only Yarn can read as it stands, which is to be decided', () => {
  const [text, , decision] = compare({
    before: { dependencies: { lib: '^1.0.0' } },
    after: { dependencies: { lib: 'workspace:^' }, devDependencies: { ms: 'catalog:' } },
  });
  // Whoever installs it gets no devDependencies, so npm does not read their ranges.
  expect([text, decision]).toEqual([OTHER('npm'), 'dependencies `lib` `workspace:^`']);
});

test.each([
  ['workspace:^', '^1.2.3'],
  ['workspace:~', '~1.2.3'],
  ['workspace:*', '1.2.3'],
  ['workspace:packages/lib', '1.2.3'],
  ['workspace:^1.0.0', '^1.0.0'],
])('Yarn writes for %s what others can read: %s', (range, packed) => {
  const before = { dependencies: { lib: packed, ms: '^2.0.0' } };
  expect(compare({ before, after: { dependencies: { lib: range, ms: 'catalog:' } }, packer: 'yarn' })).toEqual([
    ...SAME('Yarn'),
    undefined,
  ]);
});

test('of what a build puts together only that is said', () => {
  const before = { publishConfig: { directory: 'dist' } };
  expect(compare({ before, after: before })[0]).toContain('A build creates');
});
