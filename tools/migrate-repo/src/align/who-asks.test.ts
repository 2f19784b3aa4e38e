import { describe, expect, test } from '@jest/globals';
import { indexLock } from '@tributary/lockfile/lock-index';
import { parseManifest } from '@tributary/workspaces/manifest';
import { type MayAsk, whoAsks } from './who-asks.js';

const LOCK = `__metadata:
  version: 8

"app@workspace:packages/app":
  version: 0.0.0-use.local
  resolution: "app@workspace:packages/app"
  dependencies:
    far: "npm:^1.0.0"
    own: "npm:^2.0.0"
  languageName: unknown
  linkType: soft

"deep@npm:^1.0.0, deep@npm:^1.1.0":
  version: 1.2.0
  resolution: "deep@npm:1.2.0"
  dependencies:
    far: "npm:^1.0.0"
  languageName: node
  linkType: hard

"far@npm:^1.0.0":
  version: 1.0.0
  resolution: "far@npm:1.0.0"
  dependencies:
    middle: ^3.0.0
  languageName: node
  linkType: hard

"middle@npm:^3.0.0":
  version: 3.0.0
  resolution: "middle@npm:3.0.0"
  dependencies:
    deep: "npm:^1.1.0"
  languageName: node
  linkType: hard

"newer@workspace:packages/newer":
  version: 0.0.0-use.local
  resolution: "newer@workspace:packages/newer"
  dependencies:
    far: "npm:^1.0.0"
  languageName: unknown
  linkType: soft

"own@npm:^2.0.0":
  version: 2.0.0
  resolution: "own@npm:2.0.0"
  languageName: node
  linkType: hard
`;

function workspace(name: string, dependencies: object): MayAsk {
  const manifest = parseManifest(JSON.stringify({ name, dependencies }), 'package.json');
  const folder = `packages/${name}` as MayAsk['lockFolder'];
  return { member: { name: name as MayAsk['member']['name'], path: folder }, manifest, isNew: false, lockFolder: folder };
}

const index = indexLock(LOCK);
const lock = index.kind === 'berry' ? index : undefined;
const workspaces = [
  workspace('newer', { far: '^1.0.0', odd: 'npm:other@^1.0.0', not: 'not a range!!' }),
  workspace('app', { own: '^2.0.0', far: '^1.0.0', both: '~1.0.0' }),
];

function asked(name: string, reference: string): string | undefined {
  const asker = whoAsks({ name, reference }, { workspaces, lock });
  return asker && [asker.member.name, ...asker.through].join(' > ');
}

describe('who asks for a package', () => {
  test.each([
    ['own', 'npm:^2.0.0', 'app'],
    ['own', 'npm:2.0.0', 'app'],
    ['both', '~1.0.0', 'app'],
    ['odd', 'npm:other@^1.0.0', 'newer'],
    ['not', 'not a range!!', 'newer'],
    ['far', 'npm:1.0.0', 'newer'],
    ['deep', 'npm:1.2.0', 'newer > far@1.0.0 > middle@3.0.0'],
    ['deep', 'npm:^1.1.0', 'newer > far@1.0.0 > middle@3.0.0'],
    ['middle', 'npm:^3.0.0', 'newer > far@1.0.0'],
    ['none', 'npm:^1.0.0', undefined],
    ['own', 'npm:^9.0.0', undefined],
  ])('%s@%s', (name, reference, expected) => {
    expect(asked(name, reference)).toBe(expected);
  });

  test('without a lockfile the manifests alone tell', () => {
    expect(whoAsks({ name: 'deep', reference: 'npm:1.2.0' }, { workspaces, lock: undefined })).toBeUndefined();
  });
});

test('who has it from a catalog asks itself, where nobody else is known to', () => {
  const wanted = { name: 'debug', reference: 'npm:^4.3.0' };
  const workspaces = [workspace('app', { own: '^2.0.0' }), workspace('newer', { debug: 'catalog:' })];
  expect(whoAsks(wanted, { workspaces, lock: undefined })).toMatchObject({ member: { name: 'newer' }, asks: 'itself' });
  const far = [workspace('other', { far: 'catalog:old' }), workspace('app', {})];
  const lock = indexLock(LOCK);
  expect(
    whoAsks({ name: 'far', reference: 'npm:^1.0.0' }, { workspaces: far, lock: lock.kind === 'berry' ? lock : undefined }),
  ).toMatchObject({
    member: { name: 'app' },
    asks: 'by the lockfile',
  });
});
