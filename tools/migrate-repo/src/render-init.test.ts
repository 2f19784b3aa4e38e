import { expect, test } from '@jest/globals';
import { renderInit } from './render-init.js';
import type { InitResult } from './result/result.js';

function linesOf(width: number, ...names: readonly string[]): readonly string[] {
  const added = names.map((name) => ({ name: `@acme/${name}`, repository: name, source: `https://github.com/acme/${name}.git` }));
  const result: InitResult = { schemaVersion: 1, state: 'planned', owner: 'acme', added, kept: [], leftOut: [] } as never;
  return renderInit(result, { width, bold: (text) => text })
    .split('\n')
    .slice(2);
}

test('names and addresses are never cut: those that do not fit side by side stand one below the other', () => {
  expect(linesOf(80, 'log', 'clock')).toEqual([
    'package      source',
    '@acme/log    https://github.com/acme/log.git',
    '@acme/clock  https://github.com/acme/clock.git',
  ]);
  const long = 'internationalisation-of-the-checkout';
  expect(linesOf(80, 'log', long)).toEqual([
    '@acme/log',
    '  source  https://github.com/acme/log.git',
    `@acme/${long}`,
    `  source  https://github.com/acme/${long}.git`,
  ]);
});
