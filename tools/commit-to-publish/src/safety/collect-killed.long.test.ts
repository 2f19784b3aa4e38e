import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { startCli } from '@tributary/test-repo/run-cli';
import { CloneStory, Collecting } from '../collect/story.fixture.js';

let story: CloneStory;
let collecting: Collecting;
beforeEach(() => {
  story = new CloneStory();
  collecting = new Collecting();
  story.repo.fastImport(manyChanges());
  story.repo.git('remote', 'add', 'origin', 'https://host.example/acme/core.git');
});
afterEach(() => {
  story.repo.dispose();
  collecting.dispose();
});

const PACKAGES = 20;
const CHANGES = 1500;

/** Makes a monorepo in which every change touches every package, and every hundredth commit publishes them. */
function manyChanges(): string {
  const names = Array.from({ length: PACKAGES }, (_, at) => `p${at}`);
  const file = (path: string, text: string): string => `M 100644 inline ${path}\ndata ${text.length}\n${text}\n`;
  const manifests = (version: string): string =>
    names.map((name) => file(`packages/${name}/package.json`, JSON.stringify({ name, version }))).join('');
  const commit = (at: number, message: string, files: string): string =>
    `commit refs/heads/main\ncommitter A <a@example.com> ${1_600_000_000 + at * 60} +0000\ndata ${message.length}\n${message}\n${files}`;
  const root = file('package.json', JSON.stringify({ name: 'root', private: true, workspaces: ['packages/*'] }));
  const changes = Array.from({ length: CHANGES }, (_, at) =>
    at % 100 === 99
      ? commit(at, `1.${at}.0`, manifests(`1.${at}.0`))
      : commit(at, `Change ${at}`, names.map((name) => file(`packages/${name}/a.js`, `${at}`)).join('')),
  );
  return `${commit(0, 'Start', root + manifests('1.0.0'))}${changes.join('')}`;
}

test('killed at any moment, the next run records the rest: nothing is lost, and nothing counts twice', async () => {
  const whole = new Collecting();
  await whole.run([story]);
  const expected = new Set(whole.events().map(({ id }) => id));
  expect(expected.size).toBeGreaterThan(50_000);
  const args = ['collect', '--repo', story.repo.path, '--record', collecting.record];
  let [killed, kept] = [0, 0];
  // Waits longer each time: some runs are killed before they write, some while they write, and the last one ends by itself.
  for (let wait = 200; ; wait = Math.round(wait * 1.3)) {
    const running = startCli('commit-to-publish', args, { cwd: story.repo.path, timeoutMs: 300_000 });
    const timer = setTimeout(() => running.child.kill('SIGKILL'), wait);
    const { signal, code } = await running.finished;
    clearTimeout(timer);
    const ids = existsSync(join(collecting.record, 'journal')) ? collecting.events().map(({ id }) => id) : [];
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !expected.has(id))).toEqual([]);
    expect(ids.length).toBeGreaterThanOrEqual(kept);
    kept = ids.length;
    if (signal === 'SIGKILL') killed++;
    else {
      expect(code).toBe(0);
      break;
    }
  }
  expect(killed).toBeGreaterThan(0);
  expect(kept).toBe(expected.size);
  whole.dispose();
});
