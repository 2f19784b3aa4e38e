import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { build } from 'esbuild';

const cleanUp = cleanUpIn(afterAll);
const COMMITS = 20_000;

/** Yields a history of this many commits with ten changing files; every tenth commit is a merge. */
function* streamHistory(commits: number): Generator<string> {
  const person = (at: number): string => `Ada Author <ada${at % 50}@example.com> ${1_400_000_000 + at * 60} +0000`;
  for (let at = 1; at <= commits; at++) {
    const message = `Commit ${at}\n\n${'A line of a message of ordinary length, as people write them. '.repeat(3)}\n`;
    const from = at === 1 ? '' : `from :${at - 1}\n${at % 10 === 0 ? `merge :${at - 9}\n` : ''}`;
    const file = at === 1 ? 'package.json' : `src/file-${at % 10}.js`;
    const content = `content ${at}\n`;
    const head = `commit refs/heads/main\nmark :${at}\nauthor ${person(at)}\ncommitter ${person(at)}\ndata ${message.length}\n${message}`;
    yield `${head}${from}M 100644 inline ${file}\ndata ${content.length}\n${content}\n`;
    if (at % 100 === 0) yield `tag v0.${at}.0\nfrom :${at}\ntagger ${person(at)}\ndata 2\nx\n`;
  }
}

test(`a history of ${COMMITS} commits is moved and proven in a small heap, and in seconds`, async () => {
  const repo = cleanUp.add(TempRepo.create({ bare: true }));
  repo.fastImport([...streamHistory(COMMITS)].join(''));
  const folder = cleanUp.add(new TempFolder());
  const script = folder.join('stress.mjs');
  const entry = fileURLToPath(new URL('stress.fixture.ts', import.meta.url));
  // Built from the sources, as the tests are, because `dist` may be outdated.
  await build({
    entryPoints: [entry],
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['@tributary/source'],
    mainFields: ['module', 'main'],
    // For packages that are CommonJS.
    banner: { js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);" },
    logLevel: 'error',
  });
  const run = spawnSync(process.execPath, ['--max-old-space-size=128', script, repo.path], { encoding: 'utf8' });
  expect(run.stderr).toBe('');
  const { peakMegabytes, ...answer } = JSON.parse(run.stdout) as { peakMegabytes: number };
  expect(answer).toEqual({ commits: COMMITS, merges: COMMITS / 10, authors: 50, tags: COMMITS / 100, method: 'inverse' });
  expect(peakMegabytes).toBeLessThan(400);
  rmSync(script, { force: true });
});
