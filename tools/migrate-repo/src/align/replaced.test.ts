import { expect, test } from '@jest/globals';
import { alignInternal } from './internal.js';
import { declarePhantoms } from './phantoms/declare-phantoms.js';
import { projectOf } from './project.fixture.js';
import type { Monorepo } from './project.js';
import { type ReplacedInput, type ReplacedVersion, replacedVersions } from './replaced.js';
import { diffVersions } from './version-change.js';

const CHOICES = { range: 'workspace:^', convert: 'admitted', packer: 'yarn' } as const;

function say({ name, change, for: whom, through }: ReplacedVersion): string {
  return [`${name} ${change.from} -> ${change.to} (${change.level} ${change.direction}) for ${whom.join(' ')}`, ...through].join(
    ' through ',
  );
}

function replacedIn(project: Monorepo, more: Partial<ReplacedInput> = {}): readonly string[] {
  const internal = alignInternal(project, CHOICES).findings;
  return replacedVersions({ internal, phantoms: [], outcomes: [], answered: [], toWorkspaces: [], ...more }).map(say);
}

/** `time`, `wide` and `scale` are imported; `user` already exists. */
const MANIFESTS = {
  scale: { name: 'scale', version: '4.0.0', dependencies: { time: '2 - 3', wide: '>=1', same: '^1.0.0' } },
  same: { name: 'same', version: '1.0.0' },
  time: { name: 'time', version: '3.1.0' },
  user: { name: 'user', dependencies: { time: '^3.0.0', scale: '^4.0.0-rc.1' } },
  wide: { name: 'wide', version: '2.0.0' },
};
const IMPORTED_PACKAGES = { scale: { 'time@2 - 3': '3.0.0', 'wide@>=1': '1.4.0', 'same@^1.0.0': '1.0.0' }, time: {}, wide: {} };
const PROJECT = projectOf({
  manifests: MANIFESTS,
  importedPackages: IMPORTED_PACKAGES,
  rootLock: { 'time@^3.0.0': '3.0.0', 'scale@^4.0.0-rc.1': '4.0.0-rc.2' },
});

test('what was locked for a converted request, for imported packages by their own lockfile; what may break comes first', () => {
  expect(replacedIn(PROJECT)).toEqual([
    'scale 4.0.0-rc.2 -> 4.0.0 (prerelease up) for user',
    'wide 1.4.0 -> 2.0.0 (major up) for scale',
    'time 3.0.0 -> 3.1.0 (minor up) for scale user',
  ]);
});

test('what is asked for itself stands apart from what others ask for, and before it', () => {
  const toWorkspaces = [{ descriptor: 'time@npm:3.0.0', change: diffVersions('3.0.0', '3.1.0') }];
  const answered = [{ name: 'time', range: 'npm:3.0.0', by: 'axis@1.0.0' }];
  expect(replacedIn(PROJECT, { toWorkspaces, answered }).slice(-2)).toEqual([
    'time 3.0.0 -> 3.1.0 (minor up) for scale user',
    'time 3.0.0 -> 3.1.0 (minor up) for  through axis@1.0.0',
  ]);
});

test('what packages of the registry ask for, with who had it locked', () => {
  const outcome = { others: [], direct: false, outcome: 'a workspace', why: undefined } as const;
  const outcomes = [
    { ...outcome, descriptor: 'time@npm:^3.0.0', version: '3.0.9', by: ['scale' as never], change: diffVersions('3.0.9', '3.1.0') },
  ];
  const answered = [
    { name: 'time', range: 'npm:^3.0.0', by: 'axis@1.0.0' },
    { name: 'wide', range: 'npm:*', by: 'tool@1.0.0' },
  ];
  const toWorkspaces = [
    { descriptor: 'wide@npm:*', change: diffVersions('2.1.0', '2.0.0') },
    { descriptor: 'same@npm:^1.0.0', change: undefined },
    // Only a workspace requested this range, and it now says "workspace:".
    { descriptor: 'time@npm:~3.0.0', change: diffVersions('3.0.1', '3.1.0') },
  ];
  expect(replacedVersions({ internal: [], phantoms: [], outcomes, answered, toWorkspaces }).map(say)).toEqual([
    'wide 2.1.0 -> 2.0.0 (minor down) for  through tool@1.0.0',
    'time 3.0.9 -> 3.1.0 (minor up) for scale through axis@1.0.0',
  ]);
});

test('what was not declared, and is a workspace', () => {
  const project = projectOf({
    manifests: { ...MANIFESTS, time: { name: 'time', version: '3.1.0' } },
    importedPackages: { user: { 'wide@>=1': '2.3.0' } },
    files: { 'user/index.js': 'require("wide");\n' },
  });
  const phantoms = declarePhantoms(project, { ...CHOICES, convert: 'all', packer: 'yarn' }).findings;
  expect(replacedVersions({ internal: [], phantoms, outcomes: [], answered: [], toWorkspaces: [] }).map(say)).toEqual([
    'wide 2.3.0 -> 2.0.0 (minor down) for user',
  ]);
});
