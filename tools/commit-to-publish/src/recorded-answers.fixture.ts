import { parseObjectId } from '@tributary/model/ids';
import type { Collection, RefusedGroup, RepositorySummary, UnclaimedTags } from './collect/collection.js';
import type { Micros } from './model/event.js';
import type { Clash } from './model/seen-ids.js';
import { collectionDocument, compactionDocument, ingestionDocument } from './render/document.js';

// Documents that commands which record print with --json. A new field or word of a type does not compile here until it has an answer,
// which the schema then refuses.

const REFUSED: Readonly<Record<RefusedGroup['why'], true>> = {
  'no commit': true,
  'no time': true,
  'registry time is implausible': true,
  'no time in the registry': true,
  'registry time is later': true,
  'two tags': true,
  'another package': true,
  'impossible time of the tag': true,
  'impossible time': true,
  'registry lacks its latest': true,
  'registry lacks its first': true,
  'not in the registry': true,
  'not in this history': true,
  'before a change in it': true,
};
const UNCLAIMED: Readonly<Record<UnclaimedTags['why'], true>> = {
  'another history': true,
  'no package': true,
  'not new': true,
  'several packages': true,
};
const CLONES: Readonly<Record<RepositorySummary['clone'], true>> = { current: true, behind: true };
const NOTHING: Readonly<Record<NonNullable<RepositorySummary['nothing']>, true>> = {
  'no package.json': true,
  'no published package': true,
};
const CLASHES: Readonly<Record<Clash['kind'], true>> = { 'other event': true, 'other content': true };

function keys<Key extends string>(all: Readonly<Record<Key, true>>): readonly Key[] {
  return Object.keys(all) as Key[];
}

/** Collections with every reason for something left out, and empty ones. */
export function collections(): readonly unknown[] {
  const known = keys(CLONES).map((clone) => ({ ...repositoryWithAll(clone), nothing: null, since: null }));
  const empty = keys(NOTHING).map((nothing) => ({ ...repositoryWithAll('current'), nothing, since: { from: 1 as Micros, changes: 0 } }));
  const repositories = [...known, ...empty];
  const upgrades = [{ package: 'ui', consumer: 'acme/app', taken: 2, skipped: 1, open: 0 }];
  const full: Collection = { repositories, upgrades };
  return [collectionDocument(full, 'record'), collectionDocument({ repositories: [], upgrades: [] }, 'look')];
}

const COMMIT = parseObjectId('2'.repeat(40));

export function repositoryWithAll(clone: RepositorySummary['clone']): Omit<RepositorySummary, 'nothing' | 'since'> {
  return {
    repo: 'acme/ui',
    head: '1'.repeat(40),
    changes: { person: 3, bot: 1 },
    packages: ['ui'],
    publications: { latest: 2 },
    unpublished: 1,
    pairs: 4,
    published: 2,
    inFirst: 1,
    changesInFirst: 1,
    refused: keys(REFUSED).map((why) => ({ why, count: 1, examples: ['ui@1.0.0'] })),
    lateTags: ['ui@1.1.0'],
    reverted: { count: 0, examples: [] },
    broughtBack: { count: 0, examples: [] },
    mistimed: { count: 0, examples: [] },
    unmatchedTags: { count: 1, examples: ['nightly'] },
    ambiguousTags: { count: 0, examples: [] },
    unclaimedTags: keys(UNCLAIMED).map((why) => ({ why, count: 1, examples: ['v9.9.9'] })),
    renamed: [{ former: 'ui', name: '@acme/ui', commit: 'c'.repeat(40) }],
    moved: ['core@1.1.0'],
    former: { ui: 3 },
    withoutFormer: [{ package: 'geo', source: 'https://host.example/acme/geo' }],
    unreleased: [{ package: 'ui', changes: ['b'.repeat(40)] }],
    returned: [{ package: 'ui', source: 'acme/mono', commit: 'c'.repeat(40) }],
    departed: [
      {
        package: 'ui',
        commit: 'c'.repeat(40),
        channels: clone === 'current' ? ['latest'] : null,
        holders: [{ repo: 'acme/geo', isJoined: false }],
        changes: ['b'.repeat(40)],
      },
    ],
    unreadableImports: [{ merge: 'a'.repeat(40), problem: 'Tributary-Path is missing' }],
    leftOut: ['private'],
    unknown: ['ui'],
    unreadable: [{ code: 'MANIFEST_INVALID', reason: 'package.json:1: it is not JSON.', count: 1, commits: [COMMIT] }],
    unreadableLockfiles: [{ code: 'LOCKFILE_INVALID', reason: 'yarn.lock:1: it is no lockfile.', count: 7, commits: [COMMIT] }],
    leftAtGitHub: { releases: ['v3'], deployments: { production: { failed: 1, underWay: 1, elsewhere: 0 } } },
    pullRequests: { changes: 2, withoutCommit: 1 },
    clockSkew: clone === 'current' ? -2000 : null,
    flawed: 0,
    hasTags: true,
    clone,
    events: { fresh: 5, all: 9, retracted: 1 },
  };
}

/** Ingestions with rejected lines, and with lines that had the id of another. */
export function ingestions(): readonly unknown[] {
  const clashes = keys(CLASHES).map((kind, at) => ({ line: at + 2, first: 1, id: 'e1', kind }));
  return [
    ingestionDocument({ kept: 3, repeated: 1, rejected: 1, flaws: [{ line: 4, flaw: 'is no JSON' }], clashing: 2, clashes }, 'record'),
    ingestionDocument({ kept: 0, repeated: 0, rejected: 0, flaws: [], clashing: 0, clashes: [] }, 'look'),
  ];
}

/** A compaction, and one that found nothing to do. */
export function compactions(): readonly unknown[] {
  return [compactionDocument({ events: 3 }, 'record'), compactionDocument({ events: 0 }, 'look')];
}
