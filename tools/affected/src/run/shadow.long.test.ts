import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { systemClock } from '@tributary/terminal/clock';
import { recordStreams } from '@tributary/terminal/recording-streams';
import { Ui } from '@tributary/terminal/ui';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { affectedOf, planOfPieces, receiptsFor } from '../gate/proof.fixture.js';
import { formatObservations } from '../observe/kept-observation.js';
import { ObservedRepo, observedAt } from '../observe/observed.fixture.js';
import { formatPlan } from '../plan/seal.js';
import type { ShadowResult } from '../result.js';
import { shadow } from './shadow.js';

// Full runs of a real repository, told by receipts that the gate would take.

const cleanUp = cleanUpIn(afterAll);
const ui = new Ui(recordStreams(), {}, { quiet: true, verbose: false, color: 'never', input: 'never', json: false });
const services = { ui, clock: systemClock, signal: new AbortController().signal };
const NARROW = { 'tributary.json': '{ "affected": { "observed": "narrow" } }\n' };
const ALL = ['app', 'bare', 'lib', 'other'];

const one = new ObservedRepo(cleanUp, { ...NARROW, 'shared.cfg': '1\n', 'turbo.json': '{ "tasks": { "test": {} } }\n' });
const { repo } = one;
let work: string;
let runs = 0;
beforeEach(() => {
  work = cleanUp.add(new TempFolder()).path;
});

/** A full run at HEAD in which the tests of some failed, and were repeated. */
function runAll(failed: readonly string[] = [], { observed = ['nobody'] as readonly string[], repeats = 2 } = {}): Promise<ShadowResult> {
  runs += 1;
  const head = repo.git('rev-parse', 'HEAD').trim();
  const plan = planOfPieces([ALL], { affected: { ...affectedOf(ALL), workspaceCount: ALL.length, head } });
  const receipts = join(work, `receipts-${runs}`);
  for (let at = 1; at <= repeats; at++) {
    mkdirSync(join(receipts, String(at)), { recursive: true });
    const [receipt] = receiptsFor(plan);
    if (receipt === undefined) throw new Error('no receipt');
    const pieces = receipt.pieces.map((piece) => ({ ...piece, exit: failed.includes(piece.workspace) ? 1 : 0 }));
    writeFileSync(join(receipts, `${at}/01.json`), JSON.stringify({ ...receipt, startedAt: at, endedAt: 5000, pieces }));
  }
  writeFileSync(join(work, 'plan.json'), formatPlan(plan));
  const commits = [...new Set([one.start, head])];
  const kept = commits.flatMap((commit) => observed.map((name) => observedAt(commit, name)));
  writeFileSync(join(work, 'observations.json'), formatObservations(kept));
  const run = { plan: join(work, 'plan.json'), receipts, observations: join(work, 'observations.json') };
  return shadow({ cwd: repo.path, ledger: join(work, 'ledger.ndjson'), run, write: 'yes' }, services);
}

const change = (path: string): string => one.change({ [path]: `${Math.random()}\n` });

describe('affected shadow', () => {
  beforeEach(() => void repo.git('reset', '-q', '--hard', one.start));

  test('refuses to judge a ledger that is not there', async () => {
    const request = { cwd: repo.path, ledger: join(work, 'mistyped.ndjson'), run: undefined, write: 'no' as const };
    await expect(shadow(request, services)).rejects.toMatchObject({ code: 'FILE_UNUSABLE' });
  });

  test('refuses observations that are not there', async () => {
    await runAll();
    change('packages/lib/own.js');
    await expect(runAll([], { observed: [] })).rejects.toMatchObject({ code: 'FILE_UNUSABLE' });
  });

  test('counts no trial where one change of several does not select who broke', async () => {
    await runAll();
    change('shared.cfg');
    expect(await runAll(['bare'], { observed: ['other'] })).toMatchObject({ trials: 1, missed: 0, entry: { spared: ['other'] } });
    await runAll([], { observed: ['other'] });
    change('shared.cfg');
    change('packages/lib/own.js');
    const { entry, trials } = await runAll(['bare'], { observed: ['other'] });
    expect(entry).toMatchObject({ failed: ['bare'], selected: ['app', 'bare', 'lib'], selectedByEach: ['app', 'lib'], escapes: [] });
    expect(trials).toBe(1);
  });

  test('unites what each change selects, and names who failed without it', async () => {
    expect((await runAll()).entry).toMatchObject({ base: null, passed: ALL });
    change('packages/lib/own.js');
    change('packages/other/own.js');
    const { entry, narrow } = await runAll(['app', 'bare']);
    expect(entry).toMatchObject({ base: one.start, changes: 2, everything: 0, selected: ['app', 'lib', 'other'] });
    expect(entry).toMatchObject({ failed: ['app', 'bare'], escapes: ['bare'], observed: 'narrow' });
    expect(narrow).toBe('escape');
  });

  test('sees that observations spared who failed, and not by those of the failure', async () => {
    await runAll();
    change('shared.cfg');
    const { entry } = await runAll(['other'], { observed: ['app', 'other'] });
    expect(entry).toMatchObject({ everything: 0, selected: ['bare', 'lib'], failed: ['other'], escapes: ['other'] });
  });

  test('counts a change that selects everybody as no trial', async () => {
    await runAll();
    change('shared.cfg');
    expect(await runAll(['other'])).toMatchObject({ entry: { everything: 1, selected: ALL, failed: ['other'] }, trials: 0 });
  });

  test('compares a merge as one change, and starts anew where the history was rewritten', async () => {
    await runAll();
    repo.git('checkout', '-q', '-b', 'side');
    change('packages/app/own.js');
    change('packages/app/own.js');
    repo.git('checkout', '-q', '-B', 'again', one.start);
    repo.git('merge', '-q', '--no-ff', '-m', 'Merge', 'side');
    expect((await runAll()).entry).toMatchObject({ changes: 1, selected: ['app'] });
    repo.git('reset', '-q', '--hard', one.start);
    change('packages/lib/own.js');
    const { entry, warnings } = await runAll(['bare']);
    expect(entry).toMatchObject({ base: null, before: ['bare'], escapes: [] });
    expect(warnings).toEqual([expect.stringContaining('which is not part of this history. This run is compared with nothing.')]);
  });

  test('refuses a run that is older than the ledger, and the ledger of another repository', async () => {
    change('packages/lib/own.js');
    await runAll();
    repo.git('reset', '-q', '--hard', one.start);
    await expect(runAll()).rejects.toThrow('which is newer than this one');
    const ledger = join(work, 'ledger.ndjson');
    writeFileSync(ledger, '');
    const { entry } = await runAll();
    writeFileSync(ledger, `${JSON.stringify({ ...entry, head: 'c'.repeat(40) })}\n`);
    await expect(runAll()).rejects.toThrow('does not have both commits');
  });
});

describe('"narrow" with a ledger', () => {
  async function answer(text: string | undefined, more: Readonly<Record<string, string>> = {}, file = join(work, 'ledger.ndjson')) {
    if (text !== undefined) writeFileSync(file, text);
    const { spared = [], warnings } = await one.select({ 'shared.cfg': '2\n', ...more }, [one.observed('other')], { ledger: file });
    return { spared: spared.map(({ name }) => name), warnings: warnings.filter((warning) => warning.startsWith('Observations')) };
  }

  async function ledgerOf(failed: readonly string[]): Promise<string> {
    repo.git('reset', '-q', '--hard', one.start);
    await runAll();
    change('packages/lib/own.js');
    await runAll(failed, { repeats: 1 });
    return readFileSync(join(work, 'ledger.ndjson'), 'utf8');
  }

  test('spares while no escape is seen', async () => {
    expect(await answer(await ledgerOf(['lib']))).toEqual({ spared: ['other'], warnings: [] });
  });

  test('only adds after an escape, and for a ledger that cannot be trusted', async () => {
    const text = await ledgerOf(['bare']);
    const nobody = (why: string): object => ({
      spared: [],
      warnings: [expect.stringMatching(`^Observations exclude no workspace: .*${why}`)],
    });
    expect(await answer(text)).toEqual(nobody('the tests of bare failed at \\w+ and were not selected'));
    expect(await answer(text.slice(0, -1))).toEqual(nobody('its last line is cut off'));
    expect(await answer(`${text.replaceAll('"task":"test"', '"task":"lint"').split('\n')[0]}\n`)).toEqual(
      nobody('of the task "lint", not of "test"'),
    );
    expect(await answer('')).toEqual(nobody('there is no run in .* yet'));
    expect(await answer(undefined, {}, join(work, 'none'))).toEqual(nobody('none cannot be read \\(ENOENT\\)'));
    const foreign = text.split('\n')[0]?.replace(one.start, 'c'.repeat(40));
    expect(await answer(`${foreign}\n`)).toEqual(nobody('is not in this clone'));
    const inside = join(repo.path, 'ledger.ndjson');
    expect(await answer(undefined, { 'ledger.ndjson': text.split('\n')[0] ?? '' }, inside)).toEqual(nobody('is a file of the commit'));
  });
});
