import { expect, test } from '@jest/globals';
import type { WorkspaceName } from '@tributary/model/ids';
import { workspacesOf } from '@tributary/workspaces/testing/parse-graph';
import { lockOf } from './berry-lock.fixture.js';
import type { DroppedPin, Pin } from './pins.js';
import { type LockedRequestOutcome, requestOutcomes } from './request-outcomes.js';

const APP = 'app' as WorkspaceName;

function pin(name: string, version: string, others: readonly string[] = []): Pin {
  return { descriptor: `${name}@npm:^1.0.0`, version, others, resolution: `${name}@npm:${version}`, by: [APP] };
}

function drop(name: string, version: string, why = 'Yarn rejects it'): DroppedPin {
  return { descriptor: `${name}@npm:^1.0.0`, version, others: [], by: ['other' as WorkspaceName], why };
}

const WORKSPACES = workspacesOf({
  '': { name: 'root', workspaces: ['*'], resolutions: { 'app/forced': '1.0.0' } },
  app: { name: APP, dependencies: { direct: '^1.0.0', ms: '^1.0.0' } },
  local: { name: 'local', version: '1.4.0' },
});

interface Fixture {
  readonly before?: readonly string[];
  readonly after: readonly string[];
  readonly pins?: readonly Pin[];
  readonly dropped?: readonly DroppedPin[];
  /** The version that `app` gets for each of its requests. */
  readonly gets?: string;
}

function follow({ before = [], after, pins = [], dropped = [], gets }: Fixture): readonly LockedRequestOutcome[] {
  const byDescriptor = new Map(pins.map((one) => [one.descriptor, one]));
  const importedPackages = WORKSPACES.filter(({ name }) => name === APP);
  return requestOutcomes({
    before: lockOf(...before),
    after: lockOf(...after),
    pins: byDescriptor,
    dropped,
    workspaces: WORKSPACES,
    importedPackages,
    got: () => gets,
  });
}

function say({ descriptor, version, outcome, change }: LockedRequestOutcome): string {
  return `${descriptor} ${version}: ${outcome}${change === undefined ? '' : `, ${change.to}`}`;
}

const entry = (name: string, version: string): string => `${name}@npm:^1.0.0 -> ${name}@npm:${version}`;
const patched = 'ms@npm:^1.0.0 -> ms@patch:ms@npm%3A1.0.0#./ms.patch::version=1.0.0&hash=aa';

const cases: readonly (readonly [what: string, fixture: Fixture, outcomes: readonly string[]])[] = [
  ['the same version is kept', { after: [entry('ms', '1.0.0')], pins: [pin('ms', '1.0.0')] }, ['kept']],
  ['what only became a patch has the version that it had', { after: [patched], pins: [pin('ms', '1.0.0')] }, ['kept']],
  [
    'the root has another',
    { before: [entry('ms', '1.5.0')], after: [entry('ms', '1.5.0')], pins: [pin('ms', '1.0.0')] },
    ['of the monorepo, 1.5.0'],
  ],
  [
    'the root has that of the one that came second',
    { before: [entry('ms', '1.5.0')], after: [entry('ms', '1.5.0')], pins: [pin('ms', '1.0.0')], dropped: [drop('ms', '1.5.0')] },
    ['of the monorepo, 1.5.0', 'kept'],
  ],
  [
    'of two imported packages the first won',
    { after: [entry('ms', '1.0.0')], pins: [pin('ms', '1.0.0')], dropped: [drop('ms', '1.5.0')] },
    ['kept', 'of an imported package, 1.0.0'],
  ],
  [
    'it could not be kept',
    { after: [entry('ms', '1.9.0')], pins: [pin('ms', '1.0.0')], dropped: [drop('ms', '1.0.0')] },
    ['refused, 1.9.0'],
  ],
  ['Yarn chose anew', { after: [entry('ms', '1.9.0')], pins: [pin('ms', '1.0.0')] }, ['resolved anew, 1.9.0']],
  ['nobody asks', { after: [], pins: [pin('ms', '1.0.0')] }, ['no longer asked for']],
  ['the root decides', { after: [], pins: [pin('forced', '1.0.0')] }, ['overridden']],
  [
    'the root decides for it alone, and others get another',
    { before: [entry('ms', '1.5.0')], after: [entry('ms', '1.5.0')], pins: [pin('ms', '1.0.0')], gets: '1.0.0' },
    ['kept'],
  ],
  [
    'a workspace answers',
    { after: ['local@npm:^1.0.0, local@workspace:local -> local@workspace:local'], pins: [pin('local', '1.2.0')] },
    ['a workspace, 1.4.0'],
  ],
];

test.each(cases)('%s', (_, fixture, outcomes) => {
  expect(follow(fixture).map((one) => say(one).replace(/^\S+ \S+: /, ''))).toEqual(outcomes);
});

test('each request stands there once with each version, who had it, and why it was refused', () => {
  const two = { ...pin('ms', '1.0.0', ['1.1.0']), by: [APP, 'second' as WorkspaceName] };
  const [outcome, ...more] = follow({ after: [entry('ms', '1.9.0')], pins: [two], dropped: [drop('ms', '1.0.0', 'it is gone')] });
  expect(more).toEqual([]);
  expect(outcome).toMatchObject({ others: ['1.1.0'], by: [APP, 'second', 'other'], why: 'it is gone', direct: true });
});

test('direct is what one of those asks for that had it', () => {
  const others = { ...pin('direct', '1.0.0'), by: ['other' as WorkspaceName] };
  expect(follow({ after: [], pins: [others] }).map(({ direct }) => direct)).toEqual([false]);
  expect(follow({ after: [], pins: [pin('direct', '1.0.0'), pin('behind', '1.0.0')] }).map(({ direct }) => direct)).toEqual([false, true]);
});
