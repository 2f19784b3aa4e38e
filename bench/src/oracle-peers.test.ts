import { afterAll, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { nxPeer } from './oracle-peers.js';
import { formatOracle } from './oracle-table.js';

const cleanUp = cleanUpIn(afterAll);

/** Fails until its cache is there, and then selects two projects. */
const NX = `const fs = require('node:fs');
const { NX_WORKSPACE_DATA_DIRECTORY: data } = process.env;
const isCold = !fs.existsSync(data);
fs.mkdirSync(data, { recursive: true });
fs.writeFileSync(data + '/project-graph.json', JSON.stringify({ nodes: { a: { data: { root: 'packages/a' } }, b: { data: { root: 'b' } } } }));
if (isCold) process.exit(1);
console.log('a banner\\n' + JSON.stringify(['a', 'b']));`;

test('Nx is asked again if it fails, and its answer is mapped to folders', async () => {
  const work = cleanUp.add(new TempFolder());
  work.write('installed/node_modules/nx/dist/bin/nx.js', NX);
  work.write('clone/package.json', '{}');
  const peer = nxPeer(work.join('installed'));
  expect(await peer.ask({ folder: work.join('clone'), base: 'a', head: 'b', env: {} })).toEqual(['packages/a', 'b']);
  expect(() => nxPeer(work.path)).toThrow('nx.js is missing. Install nx 24 there.');
});

test('the table has columns for Nx if it was asked', () => {
  const misses = [{ workspace: 'a', why: 'it changed' }];
  const commit = { commit: 'c', workspaceCount: 4, affected: 1, all: null, minimum: 1, misses: [], more: {}, turbo: { failed: 'no' } };
  const table = (nx?: object): string => formatOracle([{ repository: 'r', commits: [{ ...commit, ...nx }] }]);
  expect(table()).toMatch(/turborepo failed \|\n.*\n.* \| - \| 0 \| 1 \|$/);
  expect(table({ nx: { selected: 2, misses } })).toMatch(/Nx failed \|\n.*\n.* \| 50\.0 % \| 1 in 1 commits \| 0 \|$/);
});
