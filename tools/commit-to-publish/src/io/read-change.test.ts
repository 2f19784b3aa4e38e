import { afterEach, expect, test } from '@jest/globals';
import type { AbsolutePath } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { attemptOf } from '../collect/events.js';
import type { KnownLeadTime } from '../documents.js';
import { eventNumber } from '../model/event.fixture.js';
import type { Event, Micros } from '../model/event.js';
import type { LeadTimeQuestion } from '../model/lead-time.js';
import { renderChange } from '../render/change.js';
import { changeDocument } from '../render/document.js';
import type { ExplainedChange } from '../report/explanation.js';
import { failureOf } from '../safety/record.fixture.js';
import { writeEvents } from './journal.js';
import { readChange } from './read-change.js';
import { withRecord } from './record.js';

const cleanUp = cleanUpIn(afterEach);
const MERGED = Date.UTC(2026, 0, 5, 12) * 1000;
const LEAD: LeadTimeQuestion = { ready: 'merged', until: 'published', channels: new Set(['latest']) };

/** Returns an event of the change, some hours after its merge. */
function event(stage: Event['stage'], hours: number, more: Partial<Event> = {}): Event {
  const at = (MERGED + hours * 3600e6) as Micros;
  const id = `${stage} ${JSON.stringify(more)}`;
  return { ...eventNumber(1), id, change: 'c0ffee', stage, startedAt: at, endedAt: at, recordedAt: at, ...more };
}

interface Asked extends Partial<LeadTimeQuestion> {
  readonly change?: string;
  readonly repo?: string;
}

function read(events: readonly Event[], { change = 'c0ffee', repo, ...lead }: Asked = {}): Promise<ExplainedChange> {
  const record = cleanUp.add(new TempFolder()).join('record') as AbsolutePath;
  writeEvents(record, events);
  return withRecord(record, (database) => readChange(database, { change, repo, lead: { ...LEAD, ...lead } }));
}

async function explain(events: readonly Event[], asked: Asked = {}): Promise<string> {
  return renderChange(await read(events, asked), { width: 80, bold: (text) => text, signs: 'unicode' });
}

const MERGE = event('merge-wait', 0);
const OUT = event('publish', 5, { channel: 'latest', release: '1.1.0' });
const CORE = { package: '@acme/core' };

test('a change in two packages, of which one is out', async () => {
  const text = await explain([{ ...MERGE, url: 'https://host.example/pull/1' }, OUT, event('merge-wait', 0, CORE)]);
  expect(text.split('\n')).toEqual([
    'c0ffee of acme/ui (https://host.example/pull/1)',
    'From merged to published. Publications: latest.',
    '',
    '@acme/core: no publication of it is recorded there; merged 2026-01-05 12:00 (UTC)',
    '',
    '@acme/ui: 5.0 h, with 1.1.0',
    'stage            took  until (UTC)       known from',
    'publish-wait    5.0 h  2026-01-05 17:00  what lies around it',
    'publish       unknown  2026-01-05 17:00  ci',
  ]);
});

test('packages of one release share a table', async () => {
  const text = await explain([MERGE, OUT, event('merge-wait', 0, CORE), { ...OUT, ...CORE, id: 'of-core', release: '2.0.0' }]);
  expect(text.split('\n').slice(3)).toEqual([
    '@acme/core: 5.0 h, with 2.0.0',
    '@acme/ui: 5.0 h, with 1.1.0',
    'stage            took  until (UTC)       known from',
    'publish-wait    5.0 h  2026-01-05 17:00  what lies around it',
    'publish       unknown  2026-01-05 17:00  ci',
  ]);
});

test('a change that was reverted came out nowhere', async () => {
  const gone = (channel: string): Event =>
    event('publish', 1, { channel, outcome: 'unmeasured', source: 'git', attempt: attemptOf(channel) });
  const text = await explain([MERGE, gone('latest'), gone('beta')]);
  expect(text.split('\n').at(-1)).toBe(
    '@acme/ui: reverted 2026-01-05 13:00 (UTC) before a release, or the revert itself: nothing of it came out there; merged 2026-01-05 12:00 (UTC)',
  );
});

test('beside a lower bound the document marks the total and each stage', async () => {
  const app = { consumer: 'app' };
  const events = [MERGE, { ...OUT, confidence: 'at-least' as const }, event('upgrade-open', 6, app), event('upgrade-merge', 8, app)];
  const marksTo = async (until: LeadTimeQuestion['until']): Promise<unknown> => {
    const document = changeDocument(await read(events, { until })) as { readonly targets: readonly { readonly leadTime: KnownLeadTime }[] };
    return document.targets.map(({ leadTime }) => [leadTime.atLeast, ...leadTime.stages.map(({ stage, known }) => `${stage}: ${known}`)]);
  };
  expect(await marksTo('published')).toEqual([[1, 'publish-wait: at least', 'publish: at least']]);
  expect(await marksTo('upgraded')).toEqual([
    [0, 'publish-wait: at least', 'publish: at least', 'upgrade-open: unknown', 'upgrade-merge: length'],
  ]);
});

test('beside a lower bound only what it does not touch is exact', async () => {
  const app = { consumer: 'app' };
  const upgraded = [event('upgrade-open', 7, app), event('upgrade-merge', 9, app)];
  const text = await explain([MERGE, event('post-merge-tests', 6), { ...OUT, confidence: 'at-least' }, ...upgraded], { until: 'upgraded' });
  expect(text).toMatch(/^@acme\/ui, in app: 9\.0 h, with 1\.1\.0$/m);
  const published = await explain([MERGE, { ...OUT, confidence: 'at-least' }]);
  expect(published).toContain('@acme/ui: >= 5.0 h, with 1.1.0: no certain time of its publication is known');
  const took = text.split('\n').flatMap((line) => /^[a-z]+-?[a-z-]* {2,}(\S+(?: \S+)*?) {2}/.exec(line)?.slice(0, 2) ?? []);
  expect(took.filter((_, at) => at % 2 === 1)).toEqual(['took', '>= 5.0 h', 'unknown', 'unknown', 'unknown', '2.0 h']);
});

test('names of hundreds of letters lose their middle, and the id of a commit nothing', async () => {
  const name = `@acme/${'long-'.repeat(60)}end`;
  const id = 'f005cf8581fd23b1e98be69a84f6535873df10c4';
  const named = [MERGE, OUT, event('post-merge-tests', 1, { package: `${name}2` })].map((one) => ({
    ...one,
    change: id,
    package: one === MERGE || one === OUT ? name : one.package,
    repo: name,
    release: name,
  }));
  const change = await read(named, { change: id, channels: new Set(['latest', name]) });
  const text = renderChange(change, { width: 70, bold: (one) => one, signs: 'unicode' });
  expect(Math.max(...text.split(/\s+/).map(({ length }) => length))).toBe(id.length);
  expect(renderChange(change, { width: Number.POSITIVE_INFINITY, bold: (one) => one, signs: 'unicode' })).not.toContain('…');
});

test('a package that a change did not touch is not called unmerged', async () => {
  const events = [MERGE, OUT, event('post-merge-tests', 1, { package: 'app' }), event('publish', 6, { package: 'docs' })];
  expect(
    (await read(events)).targets.map((target) => [target.package, typeof target.leadTime === 'string' ? target.leadTime : 'measured']),
  ).toEqual([
    ['@acme/ui', 'measured'],
    ['app', 'not touched'],
    ['docs', 'not touched'],
  ]);
  const text = await explain(events);
  expect(text).toMatch(/\n\nNot touched by this change, so their events are not counted: app, docs\.$/);
  expect(text).not.toContain('merge is');
});

test('where no package is merged, that is what is said', async () => {
  expect(await explain([event('pr-tests', -1)])).toContain('@acme/ui: no merge is recorded (1 event known)');
});

test('how far it has come, where it has not come to the end that was asked for', async () => {
  const app = { consumer: 'app' };
  const upgraded = [event('upgrade-open', 6, app), event('upgrade-merge', 8, app)];
  expect(await explain([MERGE, OUT, upgraded[0] as Event], { until: 'upgraded' })).toContain(
    '@acme/ui, in app: no upgrade to it is recorded; so far 5.0 h, with 1.1.0\nstage ',
  );
  expect(await explain([MERGE, OUT, ...upgraded], { until: 'released' })).toMatch(
    /@acme\/ui, in app: no release with it is recorded; so far 8\.0 h, with 1\.1\.0\n(?:.*\n)+upgrade-merge /,
  );
  expect(await explain([MERGE, OUT], { channels: new Set(['next']) })).toContain(
    '@acme/ui: no publication of it is recorded there; merged 2026-01-05 12:00 (UTC); published on latest (1.1.0)',
  );
  expect(await explain([MERGE, { ...OUT, outcome: 'unmeasured' }], { channels: new Set(['next']) })).toContain(
    '; published on latest (1.1.0)',
  );
});

test('a publication beside the first that counts is no attempt at it, and one that failed before it is', async () => {
  const failed = event('publish', 4, { channel: 'latest', release: '1.1.0', attempt: 2, outcome: 'failure' });
  const [beta, later] = [event('publish', 3, { channel: 'beta', attempt: 3 }), event('publish', 9, { channel: 'next', attempt: 4 })];
  const channels = new Set(['latest', 'next']);
  expect(await explain([MERGE, OUT, beta, later], { channels })).toMatch(/^publish .* ci$/m);
  expect(await explain([MERGE, OUT, beta, later, failed], { channels })).toMatch(/^publish .* ci, 2 attempts$/m);
});

test('which of several repositories is meant can be said, and the hint says how', async () => {
  const events = [MERGE, OUT, { ...MERGE, repo: 'acme/core', id: 'other' }];
  expect(await failureOf(read(events))).toEqual({
    code: 'CHANGE_UNKNOWN',
    message: '2 repositories have a change c0ffee: acme/core, acme/ui.',
    hint: 'Name the repository: commit-to-publish explain c0ffee --repo acme/core.',
  });
  expect(await read(events, { repo: 'acme/core' })).toMatchObject({ repo: 'acme/core' });
  expect(await failureOf(read(events, { repo: 'acme' }))).toMatchObject({ code: 'NOT_RECORDED', hint: 'It has acme/core, acme/ui.' });
  expect(await failureOf(read(events, { repo: 'acme/core', change: '#7' }))).toMatchObject({
    code: 'CHANGE_UNKNOWN',
    message: 'The record has no change #7 of acme/core.',
  });
});
