import { expect, test } from '@jest/globals';
import type { LockfileName } from '@tributary/lockfile/lockfile';
import { lockedVersions } from './lock-versions.js';

const WANTED = new Set(['@acme/core', 'ui']);

function versions(name: LockfileName, text: string): unknown {
  const found = lockedVersions({ name, text }, WANTED);
  return 'problem' in found ? found.problem : Object.fromEntries(found);
}

test('Yarn 1: of several versions the highest, an alias by what it stands for', () => {
  const lock = [
    '# yarn lockfile v1',
    '',
    '"@acme/core@^1.0.0", "@acme/core@^1.2.0":\n  version "1.9.0"',
    '"@acme/core@^1.10.0":\n  version "1.10.0"',
    '"old@npm:ui@1":\n  version "1.0.1"',
    '"ui@npm:other@7":\n  version "7.0.0"',
    'other@^3.0.0:\n  version "3.0.0"\n  dependencies:\n    ui "^9.0.0"',
  ].join('\n');
  expect(versions('yarn.lock', lock)).toEqual({ '@acme/core': '1.10.0', ui: '1.0.1' });
  expect(versions('yarn.lock', lock.replaceAll('\n', '\r\n'))).toEqual({ '@acme/core': '1.10.0', ui: '1.0.1' });
});

test('Yarn 2 and later: what was patched counts as itself, a workspace does not count', () => {
  const entry = (resolution: string, version: string): string =>
    `"${resolution}":\n  version: ${version}\n  resolution: "${resolution}"\n  linkType: hard\n`;
  const lock = [
    '__metadata:\n  version: 8',
    entry('ui@npm:2.0.0', '2.0.0'),
    entry('ui@patch:ui@npm%3A2.1.0#~/x.patch', '2.1.0'),
    entry('ui@portal:../ui', '9.0.0'),
    entry('@acme/core@workspace:core', '9.0.0'),
  ];
  expect(versions('yarn.lock', lock.join('\n\n'))).toEqual({ ui: '2.1.0' });
});

test('npm: nested ones too, links do not count', () => {
  const packages = {
    '': { version: '9.0.0', name: 'ui' },
    'node_modules/ui': { version: '1.0.0' },
    'node_modules/a/node_modules/ui': { version: '1.1.0' },
    'node_modules/alias': { name: '@acme/core', version: '3.0.0' },
    'node_modules/@acme/core': { link: true, version: '5.0.0' },
  };
  expect(versions('package-lock.json', JSON.stringify({ lockfileVersion: 2, packages }))).toEqual({ ui: '1.1.0', '@acme/core': '3.0.0' });
  const dependencies = { a: { version: '1.0.0', dependencies: { ui: { version: '1.2.0' } } }, b: { version: 'npm:@acme/core@2.0.0' } };
  expect(versions('npm-shrinkwrap.json', JSON.stringify({ dependencies }))).toEqual({ ui: '1.2.0', '@acme/core': '2.0.0' });
});

test.each([
  ['5.4', ['/ui/1.0.1_react@18.0.0+x@1.0.0', '/@acme/core/1.9.0', '/@acme/core/1.10.0_ui@9.0.0', '/other/3.0.0']],
  ["'6.0'", ['/ui@1.0.1(react@18.0.0)', '/@acme/core@1.9.0', "'/@acme/core@1.10.0(ui@9.0.0)'", '/other@3.0.0']],
  ["'9.0'", ['ui@1.0.1', "'@acme/core@1.9.0'", "'@acme/core@1.10.0'", "'@acme/core@file:../core'", 'other@3.0.0']],
])('pnpm, version %s of the file: of several versions the highest, and what others ask for does not count', (version, keys) => {
  const head = [
    `lockfileVersion: ${version}`,
    '',
    'overrides:',
    "  'ui@1': 7.0.0",
    '',
    'importers:',
    '',
    '  ui/8.0.0:',
    '    dependencies:',
  ];
  const entries = keys.map((key) => `  ${key}:\n    resolution: {integrity: sha512-x}\n    dependencies:\n      ui: 9.0.0\n`);
  const lock = [...head, '      ui: 1.0.1', '', 'packages:', '', ...entries].join('\n');
  expect(versions('pnpm-lock.yaml', lock)).toEqual({ '@acme/core': '1.10.0', ui: '1.0.1' });
  expect(versions('pnpm-lock.yaml', lock.replaceAll('\n', '\r\n'))).toEqual({ '@acme/core': '1.10.0', ui: '1.0.1' });
});

test('what is no lockfile is not an empty one, and says why', () => {
  const conflict = '__metadata:\n  version: 8\n<<<<<<< HEAD\n"x":\n  version: 0\n  resolution: "ui@npm:2.0.0"\n=======\n>>>>>>> other\n';
  expect(versions('yarn.lock', conflict)).toBe('yarn.lock: line 3 is a conflict marker of an unfinished merge.');
  expect(versions('yarn.lock', 'ui 1.0.0\n')).toBe('yarn.lock: line 1 should begin an entry.');
  expect(versions('pnpm-lock.yaml', 'packages:\n')).toBe('pnpm-lock.yaml: it has no "lockfileVersion".');
  expect(versions('pnpm-lock.yaml', "lockfileVersion: '77.0'\n")).toBe(
    'pnpm-lock.yaml: it has format version 77.0, but only 5 to 9 are supported.',
  );
  expect(versions('package-lock.json', '{\n"a": 1')).toBe('package-lock.json: line 2 is not JSON.');
  expect(versions('package-lock.json', '[]')).toBe('package-lock.json: it must be a JSON object.');
  expect(versions('package-lock.json', '{}')).toBe('package-lock.json: it is not a lockfile: it has neither a version nor dependencies.');
});
