import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { afterAll, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { runCli } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { eventNumber } from '../model/event.fixture.js';

const cleanUp = cleanUpIn(afterAll);

/** Adds a commit with this author, committer and message to `main`, whatever git says to them. */
function commitRaw(repo: TempRepo, files: Readonly<Record<string, string>>, who: string, message: string): string {
  repo.write(files);
  repo.git('add', '-A');
  const head = repo.git('rev-parse', 'HEAD');
  const text = `tree ${repo.git('write-tree')}\nparent ${head}\nauthor ${who}\ncommitter ${who}\n\n${message}`;
  const id = execFileSync('git', ['hash-object', '-t', 'commit', '-w', '--literally', '--stdin'], { cwd: repo.path, input: text })
    .toString()
    .trim();
  repo.git('update-ref', 'refs/heads/main', id);
  return id;
}

test('impossible times, and names that a terminal, a CI log or a page would obey, are data', async () => {
  const repo = cleanUp.add(TempRepo.create());
  const manifest = (version: string): string => JSON.stringify({ name: 'pad', version });
  repo.commit('Start', { files: { 'package.json': manifest('1.0.0') } });
  repo.git('tag', 'v1.0.0');
  const evil = 'Evil \u001b[31m<script>alert(1)</script> <a@example.com>';
  commitRaw(repo, { 'a.js': '1' }, `${evil} 99999999999999999 +9999`, '\u001b]0;x\u0007 ##vso[task.complete]\n::error::x\n');
  commitRaw(repo, { 'a.js': '2', 'package.json': manifest('1.0.1') }, `${evil} 18446744073709551615 +0000`, 'x');
  repo.git('tag', "v1.0.1'--;drop");
  commitRaw(
    repo,
    { 'a.js': '3', 'package.json': manifest('1.0.2') },
    `${evil} 1767600000 -99999999`,
    '| `x` <img src=x onerror=alert(1)> (#12)',
  );
  repo.git('tag', 'v1.0.2');
  const record = cleanUp.add(new TempFolder()).path;
  const run = (...args: readonly string[]): ReturnType<typeof runCli> =>
    runCli('commit-to-publish', [...args, '--record', record], { cwd: repo.path });
  const collected = await run('collect');
  expect(collected).toMatchObject({ code: 0, stderr: expect.not.stringContaining('\u001b') });
  expect(collected.stderr).not.toMatch(/^(?:##vso|::)/m);
  for (const format of ['html', 'openmetrics']) {
    const { code, stdout } = await run(
      'report',
      '--channels',
      'latest',
      '--format',
      format,
      '--since',
      '2026-01-01',
      '--until',
      '2026-02-01',
    );
    expect(code).toBe(0);
    for (const sign of ['\u001b', '<script>alert', '<img']) expect(stdout).not.toContain(sign);
  }
});

test('a record named like a pattern is one folder', async () => {
  const folder = cleanUp.add(new TempFolder());
  for (const [name, count] of [
    ['r1', 3],
    ['r[1]', 1],
    ["r'; drop", 2],
  ] as const) {
    const events = Array.from({ length: count }, (_, at) => `${JSON.stringify(eventNumber(at + 1))}\n`).join('');
    writeFileSync(folder.join('events.ndjson'), events);
    const run = (...args: readonly string[]): ReturnType<typeof runCli> =>
      runCli('commit-to-publish', [...args, '--record', name], { cwd: folder.path });
    expect((await run('ingest', 'events.ndjson')).code).toBe(0);
    expect(await run('compact')).toMatchObject({ code: 0, stderr: expect.stringContaining(`${count} event`) });
  }
});
