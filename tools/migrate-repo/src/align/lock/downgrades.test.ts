import { describe, expect, test } from '@jest/globals';
import type { WorkspaceName } from '@tributary/model/ids';
import fc from 'fast-check';
import type { ReplacedVersion } from '../replaced.js';
import { diffVersions, type VersionChange } from '../version-change.js';
import type { DependencyTable } from '../version-table.js';
import { type Downgrade, type DowngradesInput, downgradesIn } from './downgrades.js';
import type { LockedRequestOutcome, RequestOutcome } from './request-outcomes.js';

function change(from: string, to: string): VersionChange {
  const found = diffVersions(from, to);
  if (found === undefined) throw new Error('no change');
  return found;
}

function outcome(descriptor: string, moved: VersionChange, more: Partial<LockedRequestOutcome> = {}): LockedRequestOutcome {
  const rest = { others: [], by: ['app' as WorkspaceName], direct: true, outcome: 'of the monorepo', why: undefined } as const;
  return { descriptor, version: moved.from, change: moved, ...rest, ...more };
}

const NOTHING: DowngradesInput = { outcomes: [], replaced: [], tables: [], lock: undefined };

function say({ name, change: { from, to }, for: whom, through }: Downgrade): string {
  return `${name} ${from} ${to} ${whom.join()} ${through.join()}`.trim();
}

const LOCK = `__metadata:
  version: 8

"tool@npm:^1.0.0":
  version: 1.0.0
  resolution: "tool@npm:1.0.0"
  dependencies:
    ms: "npm:^2.0.0"
  languageName: node
  linkType: hard
`;

describe('what is older than it was locked', () => {
  test('is told whatever became of it, by a patch too, and through whom; what is newer is not', () => {
    const outcomes = [
      outcome('ms@npm:^2.0.0', change('2.1.0', '2.0.0'), { direct: false, outcome: 'refused' }),
      outcome('io@npm:is-odd@^3.0.0', change('3.0.1', '3.0.0'), { outcome: 'resolved anew' }),
      outcome('up@npm:^1.0.0', change('1.0.0', '1.1.0')),
      { ...outcome('several@npm:^1.0.0', change('1.0.0', '1.1.0')), version: '1.0.0', others: ['1.2.0', '0.9.0'] },
      { ...outcome('kept@npm:^1.0.0', change('1.0.0', '1.1.0'), { outcome: 'kept' }), change: undefined, others: ['1.3.0'] },
      { ...outcome('gone@npm:^1.0.0', change('1.0.0', '1.1.0'), { outcome: 'no longer asked for' }), change: undefined, others: ['1.3.0'] },
      outcome('major@npm:*', change('3.0.0', '2.0.0'), { by: ['web' as WorkspaceName] }),
    ];
    expect(downgradesIn({ ...NOTHING, outcomes, lock: LOCK }).map(say)).toEqual([
      'major 3.0.0 2.0.0 web',
      'kept 1.3.0 1.0.0 app',
      'ms 2.1.0 2.0.0 app tool@1.0.0',
      'several 1.2.0 1.1.0 app',
      'is-odd 3.0.1 3.0.0 app',
    ]);
  });

  test('is told of workspaces that take the place of newer versions, and once for all who have the same', () => {
    const workspace = (by: string, from: string, to: string): ReplacedVersion => ({
      name: 'time',
      change: change(from, to),
      for: [by as WorkspaceName],
      through: [],
    });
    const replaced = [workspace('scale', '3.1.0', '3.0.0'), workspace('axis', '3.1.0', '3.0.0'), workspace('old', '2.0.0', '3.0.0')];
    const outcomes = [outcome('time@npm:^3.0.0', change('3.1.0', '3.0.0'), { by: ['scale' as WorkspaceName], outcome: 'a workspace' })];
    expect(downgradesIn({ ...NOTHING, replaced, outcomes }).map(say)).toEqual(['time 3.1.0 3.0.0 axis,scale']);
  });

  test('is told of what was foreseen where nothing was installed', () => {
    const row = { workspace: { name: 'app' }, change: change('1.4.0', '1.2.0') };
    expect(downgradesIn({ ...NOTHING, tables: [{ name: 'ms', rows: [row] }] as unknown as readonly DependencyTable[] }).map(say)).toEqual([
      'ms 1.4.0 1.2.0 app',
    ]);
  });

  test('loses none', () => {
    const versions = fc.constantFrom('1.0.0', '1.0.1', '1.2.0', '2.0.0', '0.3.0');
    const all = fc.constantFrom<RequestOutcome>(
      'of the monorepo',
      'of an imported package',
      'a workspace',
      'refused',
      'resolved anew',
      'overridden',
    );
    const one = fc.record({ name: fc.constantFrom('a', 'b', '@c/d'), from: versions, to: versions, outcome: all, direct: fc.boolean() });
    fc.assert(
      fc.property(fc.array(one), (some) => {
        const outcomes = some.flatMap(({ name, from, to, ...more }) => {
          const moved = diffVersions(from, to);
          return moved === undefined ? [] : [outcome(`${name}@npm:^1.0.0`, moved, more)];
        });
        const told = new Set(
          downgradesIn({ ...NOTHING, outcomes, lock: LOCK }).map(({ name, change: { from, to } }) => `${name} ${from} ${to}`),
        );
        const down = outcomes.filter(({ change: moved }) => moved?.direction === 'down');
        expect(told).toEqual(
          new Set(down.map(({ descriptor, change: moved }) => `${descriptor.replace(/@npm:.*/, '')} ${moved?.from} ${moved?.to}`)),
        );
      }),
    );
  });
});
