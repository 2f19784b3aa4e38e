import { expect, test } from '@jest/globals';
import type { CommitId } from '@tributary/model/ids';
import type { Micros } from '../model/event.js';
import { chooseMigration } from './choose-migration.js';
import type { Migration } from './migration.js';

function migration(name: string, at: number, [merge, landing]: readonly [string, string]): Migration {
  const id = (text: string): CommitId => text.padEnd(40, '0') as CommitId;
  return { package: name, at: at as Micros, merge: id(merge), landing: id(landing), source: `https://host.example/${name}` };
}

const MIGRATIONS = [
  migration('geo', 1, ['aaaa', 'cccc']),
  migration('units', 1, ['bbbb', 'cccc']),
  migration('dock', 2, ['dddd', 'dddd']),
  migration('geo', 3, ['eeee', 'ccdd']),
];

test('by name the last move of a package, by a commit all that it brought', () => {
  expect(chooseMigration(MIGRATIONS, 'geo')).toMatchObject({ packages: ['geo'], at: 3 });
  expect(chooseMigration(MIGRATIONS, 'cccc')).toMatchObject({
    packages: ['geo', 'units'],
    at: 1,
    sources: ['https://host.example/geo', 'https://host.example/units'],
  });
  expect(chooseMigration(MIGRATIONS, 'bbbb0')).toMatchObject({ packages: ['units'] });
  expect(chooseMigration(MIGRATIONS, 'dddd')).toMatchObject({ packages: ['dock'] });
});

test.each<[name: string, migrations: readonly Migration[], hint: RegExp]>([
  ['nobody', MIGRATIONS, /^Known imports: geo, units, dock\.$/],
  ['ffff', MIGRATIONS, /^Known imports/],
  ['geo', [], /--monorepo/],
])('%s is not found', (name, migrations, hint) => {
  expect(() => chooseMigration(migrations, name)).toThrow(
    expect.objectContaining({ code: 'IMPORT_NOT_FOUND', hint: expect.stringMatching(hint) }),
  );
});

test('the beginning of an id that several commits have is refused', () => {
  const two = [migration('geo', 1, ['aaaa', 'cccc1']), migration('units', 2, ['bbbb', 'cccc2'])];
  expect(() => chooseMigration(two, 'cccc')).toThrow(/2 commits of the main line begin with cccc/);
});
