import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { startProcess } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { type Files, TempRepo } from '@tributary/test-repo/temp-repo';
import { pieceName } from '../plan/plan.js';
import type { Receipt } from '../receipt/receipt.js';
import { ShardRepo } from '../testing/shard-repo.fixture.js';
import { findTool } from './tools.fixture.js';

// One machine does not repeat the tests of another one if they share a cache server, which a team can run itself.

const cleanUp = cleanUpIn(afterAll);
const afterServer = cleanUpIn(afterEach);
const server = findTool('TURBOREPO_REMOTE_CACHE');

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function untilUp(api: string, token: string): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const answer = await fetch(`${api}/v8/artifacts/status`, { headers: { authorization: `Bearer ${token}` } }).catch(() => undefined);
    if (answer?.ok === true) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the cache server did not come up');
}

function turboFile(signature: boolean): Files {
  const tasks = { test: { dependsOn: ['^build'] }, build: { dependsOn: ['^build'] } };
  return { 'turbo.json': JSON.stringify({ globalPassThroughEnv: ['RAN_LOG'], remoteCache: { signature }, tasks }) };
}

(server === undefined ? describe.skip : describe)('a remote cache', () => {
  test.each<[title: string, key: Readonly<Record<string, string>>]>([
    ['unsigned', {}],
    // A server without the key keeps no signatures, and turborepo uses no artifact without one.
    ['signed', { TURBO_REMOTE_CACHE_SIGNATURE_KEY: '0123456789abcdef0123456789abcdef' }],
  ])('gives the second clone what the first one tested, but for what must be fresh: %s', async (title, key) => {
    const port = await freePort();
    const token = 'a-token-for-this-test';
    const api = `http://127.0.0.1:${port}`;
    const storage = { STORAGE_PROVIDER: 'local', STORAGE_PATH: new TempFolder().path, STORAGE_PATH_USE_TMP_FOLDER: 'false' };
    const running = startProcess(process.execPath, [server ?? ''], {
      cwd: storage.STORAGE_PATH,
      env: { NODE_ENV: 'production', PORT: String(port), HOST: '127.0.0.1', TURBO_TOKEN: token, ...storage, ...key },
    });
    afterServer.add(running);
    await untilUp(api, token);
    const one = await ShardRepo.create(
      cleanUp,
      { core: {}, ui: { dependencies: ['core'] }, e2e: {} },
      { changed: ['core'], files: { 'tributary.json': '{ "affected": { "always": ["e2e"] } }\n', ...turboFile(title === 'signed') } },
    );
    const remote = { TURBO_API: api, TURBO_TEAM: 'team_test', TURBO_TOKEN: token, ...key };
    const plan = join(one.work, 'plan.json');
    await one.affected(['plan', '--base', 'main', '--shards', '1', '--out', plan]);
    const states: Record<string, unknown>[] = [];
    for (const name of ['first', 'second']) {
      const clone = TempRepo.cloneOf(one.repo);
      cleanUp.add(clone);
      clone.git('checkout', '-q', 'topic');
      await one.install(clone.path);
      const receipts = join(one.work, name);
      const { code, stderr } = await one.affected(['run-shard', '01', '--plan', plan, '--receipts', receipts], {
        cwd: clone.path,
        env: remote,
      });
      expect([code, stderr]).toEqual([0, expect.any(String)]);
      const { pieces } = JSON.parse(readFileSync(join(receipts, '01.json'), 'utf8')) as Receipt;
      states.push(Object.fromEntries(pieces.map((piece) => [pieceName(piece), piece.state])));
    }
    expect(states).toEqual([
      { core: 'executed', ui: 'executed', e2e: 'executed' },
      { core: 'replayed', ui: 'replayed', e2e: 'executed' },
    ]);
  });
});
