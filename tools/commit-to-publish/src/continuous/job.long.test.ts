// Runs the command lines of ci/github/lead-time.yml and ci/gitlab/.gitlab/lead-time.yml as their engines run them.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { runCli } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { eventNumber } from '../model/event.fixture.js';
import { BRANCH, collectIn, commandsOf, freshIn, HostedRepo, runStep, TOOL } from './job.fixture.js';

const cleanUp = cleanUpIn(afterEach);

function hosted(): HostedRepo {
  return cleanUp.add(new HostedRepo());
}

test.each([
  ['github', 'bash', [4, 2, 0], ['sh ci/lead-time.sh collect', 'sh ci/lead-time.sh report', 'sh ci/lead-time.sh gate']],
  [
    'gitlab',
    'sh',
    [4],
    [
      `export LEAD_TIME_TOKEN="\${LEAD_TIME_TOKEN:-$CI_JOB_TOKEN}"`,
      'sh ci/lead-time.sh collect',
      'sh ci/lead-time.sh report',
      'sh ci/lead-time.sh gate',
    ],
  ],
] as const)(
  '%s: the first run makes the branch, later ones collect what is new, and page, summary and metrics are there',
  async (template, shell, runs, expected) => {
    expect(commandsOf(template)).toEqual(expected);
    const repo = hosted();
    const summary = cleanUp.add(new TempFolder()).join('summary.md');
    for (const fresh of runs) {
      if (fresh === 2) repo.changeAndRelease('1.2.0', 30, 10);
      repo.push();
      const before = repo.tip();
      const checkout = cleanUp.add(repo.checkout());
      const ran = await runStep(checkout, commandsOf(template).join('\n'), {
        shell,
        env: { GITHUB_STEP_SUMMARY: summary, CI_JOB_TOKEN: 't' },
      });
      expect(ran).toMatchObject({ code: 0 });
      expect(freshIn(ran)).toBe(fresh);
      expect(repo.tip() === before).toBe(fresh === 0);
      const written = (file: string): string => readFileSync(join(checkout.path, '.tributary/site', file), 'utf8');
      expect(written('index.html')).toMatch(/<!doctype html>[\s\S]*[0-9a-f]{10} Add</);
      expect(written('lead-time.prom')).toMatch(/commit_to_publish_changes\{.*\} \d+\n[\s\S]*# EOF\n$/);
      expect(readFileSync(summary, 'utf8')).toContain(written('summary.md'));
      expect(checkout.git('status', '--porcelain').replace(/^\?\? \.tributary\/$/, '')).toBe('');
      expect(checkout.git('rev-parse', '--is-shallow-repository')).toBe('false');
    }
    // The branch has only the record, and each run with new events adds one commit.
    expect(repo.host.git('rev-list', '--count', BRANCH)).toBe(String(runs.filter((fresh) => fresh > 0).length));
    expect(repo.kept().filter((path) => !/^(journal|collected|sums?)\//.test(path))).toEqual([]);
  },
);

test.each(['.tributary', '.tributary/record', '.tributary/site', '.tributary/site/index.html'])(
  'nothing is written or removed through a link at %s',
  async (path) => {
    const checkout = cleanUp.add(hosted().checkout());
    const outside = cleanUp.add(new TempFolder());
    for (const file of ['kept', 'record/kept', 'site/kept', 'site/index.html/kept']) outside.write(file, 'kept');
    mkdirSync(dirname(join(checkout.path, path)), { recursive: true });
    // The last one is a link to a file that does not exist yet.
    symlinkSync(path.endsWith('.html') ? outside.join('index.html') : outside.path, join(checkout.path, path));
    const { code, stderr } = await runStep(checkout, 'sh ci/lead-time.sh collect && sh ci/lead-time.sh report');
    if (path.endsWith('.html')) expect(code).toBe(0);
    else expect([code, stderr]).toEqual([1, expect.stringMatching(/lead-time: .*tributary.* is a link\. Replace it by a folder\.\n$/)]);
    expect(readdirSync(outside.path, { recursive: true }).map(String).sort()).toEqual([
      'kept',
      'record',
      'record/kept',
      'site',
      'site/index.html',
      'site/index.html/kept',
      'site/kept',
    ]);
  },
);

test('of two jobs at the same time the later one does its work again, and no event is lost', async () => {
  const repo = hosted();
  const [slow, fast] = [cleanUp.add(repo.checkout()), cleanUp.add(repo.checkout())];
  const events = (name: string, id: number): string => {
    const folder = cleanUp.add(new TempFolder());
    folder.write(`${name}.ndjson`, `${JSON.stringify({ ...eventNumber(id), repo: 'acme/ui' })}\n`);
    return folder.path;
  };
  // The fast one runs from start to end while the slow one collects for the first time.
  const script = cleanUp.add(new TempFolder());
  const [slowEvents, fastEvents] = [events('slow', 1), events('fast', 2)];
  script.write(
    'tool',
    `#!/bin/sh\nif [ "$1" = collect ] && mkdir ${script.join('overtaken')} 2>/dev/null; then\n  (cd ${fast.path} && COMMIT_TO_PUBLISH='${TOOL}' LEAD_TIME_EVENTS=${fastEvents} sh ci/lead-time.sh collect) >&2 || exit 9\nfi\nexec ${TOOL} "$@"\n`,
  );
  const ran = await collectIn(slow, { COMMIT_TO_PUBLISH: `sh ${script.join('tool')}`, LEAD_TIME_EVENTS: slowEvents });
  expect(ran.stderr).toContain('attempt 2 of 5');
  expect(ran.code).toBe(0);
  const checkout = cleanUp.add(repo.checkout());
  expect(freshIn(await collectIn(checkout))).toBe(0);
  const lines = repo
    .kept()
    .filter((path) => /^journal\/.*\.ndjson$/.test(path))
    .flatMap((path) => repo.host.git('show', `${BRANCH}:${path}`).split('\n'));
  expect([1, 2].map((id) => lines.filter((line) => line.includes(`"${eventNumber(id).id}"`)).length)).toEqual([1, 1]);
});

test('a job that may not push fails and says so, as that of a fork, and the branch is as it was', async () => {
  const repo = hosted();
  expect(await collectIn(cleanUp.add(repo.checkout()))).toMatchObject({ code: 0 });
  const before = repo.tip();
  repo.host.write({ 'hooks/pre-receive': { executable: '#!/bin/sh\nexit 1\n' } });
  repo.story.at(30).commit('Fix', { 'a.js': '2' });
  repo.story.repo.git(
    'push',
    '-q',
    `file://${repo.host.path}`,
    'main:refs/heads/other',
    '--receive-pack=git -c core.hooksPath=/dev/null receive-pack',
  );
  repo.host.git('update-ref', 'refs/heads/main', 'refs/heads/other');
  const ran = await collectIn(cleanUp.add(repo.checkout()), { LEAD_TIME_TOKEN: 's3cret' });
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringMatching(/may not push to the branch lead-time-record.*\n.*contents: write/) });
  expect(ran.stderr + ran.stdout).not.toContain('s3cret');
  expect(repo.tip()).toBe(before);
});

test.each(['add', 'write-tree', 'commit-tree'])(
  'a record that cannot be written (git %s) fails, and the branch is as it was',
  async (call) => {
    const repo = hosted();
    repo.host.git('update-ref', `refs/heads/${BRANCH}`, repo.host.git('commit-tree', '-m', 'Record', 'main^{tree}'));
    const before = repo.tip();
    const bin = cleanUp.add(new TempFolder());
    const git = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
    bin.write('git', `#!/bin/sh\nfor one in "$@"; do [ "$one" = ${call} ] && exit 128; done\nexec ${git} "$@"\n`);
    bin.write('tool', '#!/bin/sh\nwhile [ "$1" != --record ]; do shift; done\necho x > "$2/x"\n');
    chmodSync(bin.join('git'), 0o755);
    const ran = await collectIn(cleanUp.add(repo.checkout()), {
      COMMIT_TO_PUBLISH: `sh ${bin.join('tool')}`,
      PATH: `${bin.path}:${process.env['PATH']}`,
    });
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('could not be written') });
    expect(repo.tip()).toBe(before);
  },
);

test('a server that does not answer, lines that are no events, and a missing tool fail, each with its reason', async () => {
  const repo = hosted();
  const checkout = cleanUp.add(repo.checkout());
  const gone = await collectIn(checkout, { LEAD_TIME_REMOTE: 'file:///nowhere/at/all' });
  expect([gone.code, gone.stderr]).toEqual([128, expect.stringContaining('/nowhere/at/all')]);
  const events = cleanUp.add(new TempFolder());
  events.write('bad.ndjson', '{}\n');
  const flawed = await collectIn(checkout, { LEAD_TIME_EVENTS: events.path });
  expect([flawed.code, flawed.stderr]).toEqual([1, expect.stringMatching(/bad\.ndjson could be ingested. The rest is kept/)]);
  expect(repo.tip()).not.toBe('');
  expect(await collectIn(checkout, { COMMIT_TO_PUBLISH: '' })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('.tgz is missing'),
  });
});

test('the gate ends with exit code 3 where a bar is exceeded, and lets a job without a bar pass', async () => {
  const repo = hosted();
  for (let at = 1; at <= 12; at++) repo.changeAndRelease(`2.${at}.0`, at * 400, 240);
  repo.push();
  const checkout = cleanUp.add(repo.checkout());
  await collectIn(checkout);
  const gate = (rule: string): ReturnType<typeof runCli> =>
    runStep(checkout, 'sh ci/lead-time.sh gate', { env: { LEAD_TIME_FAIL_IF: rule } });
  expect(await gate('')).toMatchObject({ code: 0, stdout: '' });
  expect(await gate('--fail-if p90>5d --fail-if p50>90d')).toMatchObject({ code: 0, stdout: expect.stringContaining('@acme/ui') });
  expect(await gate('--fail-if p50>90d --fail-if p50>1d')).toMatchObject({ code: 3 });
  expect(await gate('--fail-if p90>quickly')).toMatchObject({ code: 2 });
});
