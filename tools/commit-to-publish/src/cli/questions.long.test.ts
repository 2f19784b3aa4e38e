// What people ask, with the real program: a record of the real move of babylon, and a monorepo with the import record of it.
import { rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AbsolutePath } from '@tributary/model/paths';
import { type CliResult, runCli } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { babylonEvents } from '../facts/facts.fixture.js';
import { writeEvents } from '../io/journal.js';
import { moveIn } from '../io/migration.fixture.js';
import type { Micros } from '../model/event.js';

const MOVED = Date.UTC(2017, 10, 1) / 1000;
const REPOS = { before: 'babel/babylon', after: 'babel/babel' } as const;
const folder = new TempFolder();
const monorepo = TempRepo.create();

beforeAll(async () => {
  const events = (['before', 'after'] as const).flatMap((era) => babylonEvents(era).map((event) => ({ ...event, repo: REPOS[era] })));
  writeFileSync(folder.join('events.ndjson'), events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  expect(await ask('ingest', 'events.ndjson')).toMatchObject({ code: 0 });
  monorepo.git('remote', 'add', 'origin', 'https://host.example/babel/babel.git');
  monorepo.commit('Start', { files: { 'package.json': '{}\n' } });
  moveIn(monorepo, 'babylon', MOVED);
});
afterAll(() => {
  folder.dispose();
  monorepo.dispose();
});

function ask(...args: readonly string[]): Promise<CliResult> {
  return runCli('commit-to-publish', args, { cwd: folder.path });
}

const CHANNELS = ['--channels', 'tag'];

test('what became of it, by the record of the import alone', async () => {
  const { code, stdout, stderr } = await ask(
    'compare',
    '--migration',
    'babylon',
    '--window',
    '64w',
    '--monorepo',
    monorepo.path,
    ...CHANNELS,
  );
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('babylon moved in on 2017-11-01');
  expect(stdout).toMatch(
    /^Before: what arrived of babylon in babel\/babylon from 2016-08-10 to 2017-11-01, from merged to the consumer's release/m,
  );
  expect(stdout).toMatch(/^changes +219 +248$/m);
  expect(stdout).toMatch(/^P50 +16 d +5\.1 d +-68 % .* shorter$/m);
  expect(stdout).toContain('fewer consumer upgrades a month (16 before, 0 after).');
  expect(stdout).toContain('as often as the package is released now');
});

test('of a package that moved in more than once it is said which move is compared', async () => {
  const first = monorepo.git('rev-list', '--max-parents=0', '--first-parent', 'main');
  const landing = monorepo.id('main');
  folder.write('tributary.json', JSON.stringify({ publish: { moved: { babylon: first } } }));
  const { code, stderr } = await ask('compare', '--migration', landing, '--window', '64w', '--monorepo', monorepo.path, ...CHANNELS);
  rmSync(folder.join('tributary.json'));
  expect({ code, why: code === 0 ? '' : stderr }).toEqual({ code: 0, why: '' });
  const [other, compared] = [first, landing].map((id) => id.slice(0, 12));
  expect(stderr).toMatch(
    new RegExp(`^warning: babylon also moved in on .* \\(${other}\\)\\. This compares the move of 2017-11-01 \\(${compared}\\)\\.$`, 'm'),
  );
  expect(stderr).toContain(`--migration ${first.slice(0, 12)}`);
});

test('the same by the names of repositories, in Markdown', async () => {
  const { stdout } = await ask(
    'compare',
    '--before',
    REPOS.before,
    '--before-to',
    'released',
    '--after',
    REPOS.after,
    ...CHANNELS,
    '--format',
    'markdown',
  );
  expect(stdout).toMatch(/^## Lead time, before and after: P50 -68 %$/m);
  expect(stdout).toMatch(/^\| P90 \| 34\u00a0d \| 17\u00a0d \| -52\u00a0% \|/m);
  expect(stdout.match(/<details>/g)?.length).toBe(3);
});

test('a week on each side is too short to say anything, and so it is said', async () => {
  const { stdout } = await ask('compare', '--migration', 'babylon', '--window', '1w', '--monorepo', monorepo.path, ...CHANNELS);
  expect(stdout).toMatch(/Too few changes for the P50: \d+ before and \d+ after, but 10 are needed on each side\./);
  expect(stdout).not.toMatch(/shorter|longer/);
});

test('what a move would save, with two rhythms of releases side by side', async () => {
  const { code, stdout } = await ask('predict', ...CHANNELS, '--repo', REPOS.before);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^measured +16 d \(/m);
  expect(stdout.match(/^as the (package|consumer) /gm)?.length).toBe(2);
  const { stdout: markdown } = await ask(
    'predict',
    ...CHANNELS,
    '--repo',
    REPOS.before,
    '--without',
    'upgrade-merge',
    '--format',
    'markdown',
  );
  expect(markdown).toMatch(/^\| without.them \|(?:.|\n)*^- Predicted without upgrade-merge\.$/m);
});

test('the report of a monorepo tells its moves in every format', async () => {
  const common = ['report', ...CHANNELS, '--since', '2017-07-03', '--until', '2018-01-01', '--monorepo', monorepo.path];
  expect((await ask(...common)).stdout).toContain('Moved into the monorepo in the weeks shown: 2017-11-01 babylon.');
  expect((await ask(...common, '--format', 'markdown')).stdout).toContain('2017-11-01 `babylon`');
  expect((await ask(...common, '--format', 'html')).stdout).toMatch(/<svg(?:.|\n)*>babylon<\/text>/);
  expect(JSON.parse((await ask(...common, '--json')).stdout)).toMatchObject({ migrations: [{ package: 'babylon', at: MOVED * 1e6 }] });
});

test.each<[title: string, args: readonly string[], code: string, message: RegExp]>([
  ['no monorepo', ['compare', '--migration', 'babylon', ...CHANNELS], 'TARGET_NOT_FOUND', / is not in a git repository: /],
  [
    'a package that never moved',
    ['compare', '--migration', 'jest', '--monorepo', monorepo.path, ...CHANNELS],
    'IMPORT_NOT_FOUND',
    /Known imports: babylon\./,
  ],
  [
    'a repository that is not recorded',
    ['compare', '--before', 'babel/babylom', '--after', REPOS.after, ...CHANNELS],
    'NOT_RECORDED',
    /It has babel\/babel, babel\/babylon/,
  ],
  ['a package that is not recorded', ['predict', '--package', 'babilon', ...CHANNELS], 'NOT_RECORDED', /no package babilon/],
  [
    'a move without a before',
    [
      'compare',
      '--migration',
      'babylon',
      '--after-repo',
      REPOS.after,
      '--after-repo',
      REPOS.before,
      '--monorepo',
      monorepo.path,
      ...CHANNELS,
    ],
    'NOT_RECORDED',
    /no changes of babylon from before the move/,
  ],
  ['one side alone', ['compare', '--before', REPOS.before, ...CHANNELS], 'USAGE', /Nothing to compare is given/],
  [
    'a move and sides',
    ['compare', '--before', REPOS.before, '--migration', 'babylon', ...CHANNELS],
    'USAGE',
    /--migration already defines before and after/,
  ],
  ['one date', ['compare', '--before', '2017-01-01', '--after', REPOS.after, ...CHANNELS], 'USAGE', /two dates/],
  ['a day that no calendar has', ['report', '--since', '2025-02-30', ...CHANNELS], 'USAGE', /Give a date/],
  [
    'days the wrong way round',
    ['compare', '--before', '2025-02-01..2025-01-01', '--after', REPOS.after, ...CHANNELS],
    'USAGE',
    /first day after the period/,
  ],
  [
    'days of which one is none',
    ['compare', '--before', '2025-01-01..2025-13-01', '--after', REPOS.after, ...CHANNELS],
    'USAGE',
    /two dates/,
  ],
  [
    'a time that is on both sides',
    ['compare', '--before', '2017-01-01..2017-11-02', '--after', '2017-11-01..2018-01-01', ...CHANNELS],
    'USAGE',
    /in common/,
  ],
  [
    'a repository on both sides',
    ['compare', '--before', REPOS.before, '--after', Object.values(REPOS).join(), ...CHANNELS],
    'USAGE',
    /in common/,
  ],
  ['a record without a name', ['report', '--record', '', ...CHANNELS], 'USAGE', /--record is empty/],
  ['a file in place of a clone', ['collect', '--repo', 'events.ndjson'], 'TARGET_NOT_FOUND', /it is not a folder/],
  ['nothing that falls away', ['predict', '--to', 'published', ...CHANNELS], 'USAGE', /--without/],
  ['a time for one change', ['explain', '#1', '--since', '2025-01-06', ...CHANNELS], 'USAGE', /unknown option '--since'/i],
  ['a stage that is none', ['predict', '--without', 'deploy', ...CHANNELS], 'USAGE', /Its stages are: post-merge-tests/],
])('%s is refused', async (_, args, code, message) => {
  const { code: exit, stderr, stdout } = await ask(...args);
  expect([exit, stdout]).toEqual([code === 'USAGE' ? 2 : 1, '']);
  expect(stderr).toContain(`[${code}]`);
  expect(stderr).toMatch(message);
});

test('--json and another format contradict each other, and --format json is the same', async () => {
  const commands = [
    ['report', '--until', '2018-01-01'],
    ['compare', '--before', REPOS.before, '--after', REPOS.after],
    ['predict', '--repo', REPOS.before],
  ];
  for (const command of commands) {
    const { code, stdout, stderr } = await ask('--json', ...command, ...CHANNELS, '--format', 'markdown');
    expect([code, JSON.parse(stdout)]).toMatchObject([2, { error: { code: 'USAGE' } }]);
    expect(stderr).toMatch(/--json and --format markdown contradict each other\. \[USAGE\]\nhint: Leave out one of them/);
  }
  const predict = ['predict', '--repo', REPOS.before, ...CHANNELS, '--json'];
  const [one, both] = [await ask(...predict), await ask(...predict, '--format', 'json')];
  expect([one.code, one.stdout]).toEqual([0, both.stdout]);
});

test('a gate prints the report, and ends with a code of its own only where the interval bears it out', async () => {
  const gate = (...rules: readonly string[]): ReturnType<typeof ask> =>
    ask(
      'report',
      ...CHANNELS,
      '--since',
      '2017-11-01',
      '--until',
      '2019-01-22',
      '--by',
      'repo',
      ...rules.flatMap((rule) => ['--fail-if', rule]),
    );
  const broken = await gate('p50>1h');
  expect([broken.code, broken.stdout]).toEqual([3, expect.stringContaining('babel/babel')]);
  expect(broken.stderr).toMatch(/P50 5\.1 d \(at least [\d.]+ d with 95 %\), which breaks p50>1h\./);
  expect((await gate('p50>90d')).code).toBe(0);
  expect((await gate('p50>4.9d')).code).toBe(0);
  expect((await gate('p50>5')).code).toBe(2);
});

test('a time in which nothing was, and one that is to come, say where the changes are', async () => {
  for (const times of [
    ['--since', '2001-01-01', '--until', '2002-01-01'],
    ['--until', '2040-01-01'],
  ])
    expect((await ask('report', ...CHANNELS, ...times)).stdout).toContain(
      'The 467 changes of the record arrived from 2017-03-22 to 2019-01-21',
    );
});

test('a channel that nothing was published on is named, instead of counting changes as waiting for it', async () => {
  const question = ['--since', '2016-01-01', '--until', '2018-01-01'];
  const { code, stderr } = await ask('report', ...question, '--channels', 'tag,production');
  expect([code, stderr]).toEqual([
    0,
    `warning: The record has no publication on production, so it is unknown whether a change arrived there.
hint: Collect that channel or send its events, or name others with --channels.
`,
  ]);
  expect(await ask('report', ...question, ...CHANNELS)).toMatchObject({ code: 0, stderr: '' });
  // Others may have published there.
  const narrowed = await ask('report', ...question, '--channels', 'tag,production', '--package', 'babylon');
  expect(narrowed.stderr).toContain('The record has no publication of what is asked about on production, so');
});

test('events from the future are named with their number, and counted by no command', async () => {
  const asked = [
    ['report', ...CHANNELS, '--until', '2090-01-01', '--since', '2017-11-01'],
    ['compare', '--before', REPOS.before, '--after', REPOS.after, ...CHANNELS],
    ['predict', '--repo', REPOS.before, ...CHANNELS],
  ];
  const before: CliResult[] = [];
  for (const args of asked) before.push(await ask(...args));
  const record = folder.join('.tributary/record') as AbsolutePath;
  const later = (Date.UTC(2089, 0, 1) * 1000) as Micros;
  const events = babylonEvents('after').slice(0, 40);
  writeEvents(
    record,
    events.map((event) => ({ ...event, repo: REPOS.after, change: `${event.change}!`, startedAt: later, endedAt: later })),
  );
  for (const [at, args] of asked.entries()) {
    const { code, stdout, stderr } = await ask(...args);
    expect([code, stdout]).toEqual([before[at]?.code, before[at]?.stdout]);
    expect(stderr).toMatch(/^warning: The record has 40 events from the future \(the last ends 2089-01-01\), which no figure counts\.$/m);
  }
});
