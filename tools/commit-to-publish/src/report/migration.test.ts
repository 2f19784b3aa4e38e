import { expect, test } from '@jest/globals';
import type { CommitId } from '@tributary/model/ids';
import type { Micros } from '../model/event.js';
import { type Migration, movesIn } from './migration.js';

function migration(name: string, at: number, landing: string): Migration {
  return { package: name, at: at as Micros, merge: name as CommitId, landing: landing as CommitId, source: 'https://host.example/x' };
}

test('packages that came together are one move; those outside of the time are left out', () => {
  const migrations = [
    migration('late', 30, 'x'),
    migration('b', 10, 'm'),
    migration('a', 10, 'm'),
    migration('c', 20, 'n'),
    migration('old', 9, 'l'),
  ];
  expect(movesIn(migrations, { since: 10 as Micros, until: 30 as Micros })).toEqual([
    { at: 10, packages: ['a', 'b'] },
    { at: 20, packages: ['c'] },
  ]);
});
