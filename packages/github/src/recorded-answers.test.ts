import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createGitHub } from './client.js';
import { readListPages } from './rest-list.js';

const question = { what: 'the issues of acme/app', permission: 'issues: read' };
const TOKEN = '0000000000000000000000000000000000000001';

/** Real responses of GitHub, recorded and served by @octokit/fixtures-server. */
interface RecordedGitHub {
  /** Returns the address of an API that answers the requests of one recording, each once and in order. */
  scene(scenario: string): Promise<string>;
  close(): Promise<void>;
}

async function startRecordedGitHub(): Promise<RecordedGitHub> {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const folder = dirname(createRequire(import.meta.url).resolve('@octokit/fixtures-server/package.json'));
  const server = spawn(process.execPath, [join(folder, 'bin/server.js'), '--port', String(port), '--log-level', 'silent'], {
    stdio: 'pipe',
  });
  const exited = once(server, 'exit');
  // It prints its address as soon as it listens.
  await Promise.race([
    once(server.stdout, 'data'),
    exited.then(() => Promise.reject(new Error('The server of recordings did not start.'))),
  ]);
  return {
    scene: async (scenario) => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${origin}/fixtures`, { method: 'POST', headers, body: JSON.stringify({ scenario }) });
      return ((await response.json()) as { url: string }).url;
    },
    close: async () => {
      server.kill();
      await exited;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

let recorded: RecordedGitHub;
beforeAll(async () => {
  recorded = await startRecordedGitHub();
});
afterAll(() => recorded.close());

test('pages to the last one, wherever the server says that the next one lies', async () => {
  const github = createGitHub({ apiUrl: await recorded.scene('paginate-issues'), token: TOKEN });
  const path = '/repos/octokit-fixture-org/paginate-issues/issues?per_page=3';
  const pages: string[][] = [];
  for await (const { entries } of readListPages(github, question, { path })) pages.push(entries.map((entry) => entry.text('title')));
  expect(pages.map((page) => page.length)).toEqual([3, 3, 3, 3, 1]);
  expect(new Set(pages.flat()).size).toBe(13);
});

test('the body of an error', async () => {
  const github = createGitHub({ apiUrl: await recorded.scene('errors'), token: TOKEN });
  const label = { owner: 'octokit-fixture-org', repo: 'errors', name: 'foo', color: 'invalid' };
  await expect(github.call(question, (octokit) => octokit.rest.issues.createLabel(label))).rejects.toMatchObject({
    code: 'GITHUB_REFUSED',
    message: expect.stringMatching(/422, Validation Failed: "color" is invalid$/),
  });
});

test('what a page is called, by which it is asked for again', async () => {
  const github = createGitHub({ apiUrl: await recorded.scene('paginate-issues'), token: TOKEN });
  const path = '/repos/octokit-fixture-org/paginate-issues/issues?per_page=3';
  for await (const { etag } of readListPages(github, question, { path })) expect(etag).toMatch(/^(?:W\/)?"[^"]+"$/);
});
