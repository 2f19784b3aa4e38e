import { describe, expect, test } from '@jest/globals';
import type { WorkspaceName } from '@tributary/model/ids';
import type { Downgrade } from '../align/lock/downgrades.js';
import type { ModulePath } from '../align/module-paths.js';
import type { VersionChange } from '../align/version-change.js';
import type { LockOutcome } from '../alignment.js';
import { TOPICS } from '../topics.js';
import { decisionId, decisionsOf } from './decisions.js';
import { installPart } from './install-part.js';
import { olderQuestions } from './lock-part.js';
import type { Reason, ReportPart } from './part.js';

test('a decision is called by its kind and what it is about', () => {
  expect(decisionId('carry-over', 'Look at it.')).toMatch(/^[0-9a-f]{8}$/);
  expect(decisionId('carry-over', 'Look at it.')).toBe(decisionId('carry-over', 'Look at it.'));
  expect(decisionId('carry-over', 'Look at it')).not.toBe(decisionId('carry-over', 'Look at it.'));
  expect(decisionId('settings', 'Look at it.')).not.toBe(decisionId('carry-over', 'Look at it.'));
});

describe('one decision for each topic', () => {
  const reason = (name: string, place = 'f', topic: Reason['topic'] = 'behaviour', text = 'It does.'): Reason => ({
    topic,
    package: name,
    place,
    text,
    detail: name,
  });
  const part = (step: ReportPart['step'], ...decisions: ReportPart['decisions']): ReportPart => ({ step, decisions, changes: [] });
  const idsOf = (...parts: readonly ReportPart[]): readonly string[] => [...decisionsOf(parts).values()].flat().map(({ id }) => id);

  test('whatever step, package and words its reasons have; equal words are one finding', () => {
    const parts = [part('carry-over', reason('a'), 'Its own.', reason('b')), part('lockfile', reason('c', 'g', 'behaviour', 'It may.'))];
    const all = decisionsOf(parts);
    expect(all.get('lockfile')).toBeUndefined();
    expect(all.get('carry-over')).toMatchObject([
      {
        ...TOPICS.behaviour,
        findings: [
          { text: 'It does.', about: [{ package: 'a' }, { package: 'b' }] },
          { text: 'It may.', about: [{ package: 'c', place: 'g' }] },
        ],
      },
      { text: 'Its own.', byDefault: null, findings: [] },
    ]);
  });

  test('an answer to what may break holds for the places that were looked at, in any order, whatever is known of them', () => {
    const [id] = idsOf(part('carry-over', reason('a'), reason('b')));
    expect(idsOf(part('carry-over', reason('b'), { ...reason('a'), detail: undefined }))).toEqual([id]);
    expect(idsOf(part('carry-over', reason('a'), reason('b'), reason('b', 'g')))).not.toEqual([id]);
    expect(idsOf(part('carry-over', reason('a'), reason('c')))).not.toEqual([id]);
  });

  test('what the installation alone has shown is asked apart: the rest has the id of the dry run', () => {
    const dry = [part('carry-over', reason('a'), reason('b'), reason('c'))];
    const real = [part('carry-over', reason('a'), reason('b'), reason('b', 'g')), part('lockfile', reason('d'))];
    const found = [...decisionsOf(real, dry).values()].flat();
    const [first, second] = found;
    expect(found).toHaveLength(2);
    expect([first?.id]).toEqual(idsOf(...dry));
    expect(first?.findings).toMatchObject([{ about: [{ package: 'a' }, { package: 'b', place: 'f' }] }]);
    expect(second).toMatchObject({ text: `The installation shows more: ${TOPICS.behaviour.text}`, risk: TOPICS.behaviour.risk });
    expect(second?.findings).toMatchObject([{ about: [{ package: 'b', place: 'g' }, { package: 'd' }] }]);
    expect(idsOf(part('carry-over', reason('b', 'g'), reason('d')))).toEqual([second?.id]);
    expect([...decisionsOf(real, [part('settings')]).values()].flat()).toMatchObject([{ text: TOPICS.behaviour.text }]);
  });

  test('a place that an installation tells more of is the same place', () => {
    const path = { importedPackage: 'a', path: 'packages/a', package: 'b', file: 'f.js', line: 3 } as ModulePath;
    const state = { scriptsOff: new Set<WorkspaceName>(), unresolvable: [], modulePaths: [path] };
    const former = [{ importedPackage: 'a' as WorkspaceName, package: '@s/c@1.0.0' }];
    const warning = {
      importedPackage: 'a' as WorkspaceName,
      code: 'YN0004',
      kind: 'build',
      package: '@s/c@1.0.1',
      words: 'through d@1.0.0',
    };
    const dry = installPart({ ...state, lock: undefined, formerBuilds: former });
    const real = installPart({ ...state, lock: { warnings: [warning] } as unknown as LockOutcome, formerBuilds: [] });
    expect(real.decisions).toMatchObject([{ place: '@s/c', detail: '1.0.1, through d@1.0.0' }, { detail: '`b`, which is elsewhere' }]);
    expect(idsOf({ step: 'lockfile', ...real })).toEqual(idsOf({ step: 'lockfile', ...dry }));
  });

  test('so is a version that gets older, whoever is known to ask for it', () => {
    const older = (name: string, ...through: readonly string[]): Downgrade => {
      const change = { from: '2.0.0', to: '1.0.0', direction: 'down', level: 'major' } as VersionChange;
      return { name, change, for: ['a'], through };
    };
    const dry = part('lockfile', ...olderQuestions([older('b'), older('c')]));
    const real = part('lockfile', ...olderQuestions([older('b', 'tool@1.0.0'), older('d')], [older('b'), older('c')]));
    expect(idsOf(real)).toHaveLength(2);
    expect(idsOf(real)[0]).toBe(idsOf(dry)[0]);
  });

  test('an answer to what works holds for all', () => {
    expect(idsOf(part('versions', reason('a', 'f', 'versions')))).toEqual(idsOf(part('versions', reason('b', 'g', 'versions', 'x'))));
  });
});
