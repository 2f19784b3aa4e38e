import { afterAll, expect, test } from '@jest/globals';
import { DEFAULT_AFFECTED } from '@tributary/model/default-affected';
import { systemClock } from '@tributary/terminal/clock';
import { recordStreams } from '@tributary/terminal/recording-streams';
import { Ui } from '@tributary/terminal/ui';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { GitClock, hermeticGitEnvironment } from '@tributary/test-repo/hermetic-git';
import { createTempMonorepo } from '@tributary/test-repo/temp-monorepo';
import { OracleRepository } from './oracle-repository.js';
import { type BoundFigures, boundsOf } from './share-bounds.js';
import { replayWith, type TunedCommit } from './share-tuned.js';

const cleanUp = cleanUpIn(afterAll);
const ui = new Ui(recordStreams(), {}, { quiet: true, verbose: false, color: 'never', input: 'never', json: false });
const services = { ui, clock: systemClock, signal: new AbortController().signal };

/** Returns the bounds of a commit that changes some files of a monorepo with four workspaces, the root among them. */
async function boundsFor(changed: readonly string[], scripts = {}): Promise<BoundFigures> {
  const files = Object.fromEntries(['shared.cfg', '.hidden.json', 'packages/lib/own.js'].map((file) => [file, '1\n']));
  const packages = { 'packages/app': { scripts, dependencies: { lib: 'workspace:^' } }, 'packages/lib': {}, 'packages/other': {} };
  const repo = cleanUp.add(createTempMonorepo({ packages, files }));
  repo.write(Object.fromEntries(changed.map((file) => [file, '2\n'])));
  repo.commit('Change');
  const oracle = new OracleRepository(repo.path, hermeticGitEnvironment(new GitClock()));
  const use = async (one: TunedCommit): Promise<BoundFigures> => boundsOf(one, oracle);
  const [bounds] = await replayWith(DEFAULT_AFFECTED, { cwd: repo.path, last: 1, use }, services);
  if (bounds === undefined) throw new Error('no commit');
  return bounds;
}

test('a file that nobody reads and nothing names spares everybody at best', async () => {
  const bounds = await boundsFor(['shared.cfg', 'packages/lib/own.js']);
  expect(bounds).toMatchObject({ workspaceCount: 4, all: 'FILE_UNCLAIMED shared.cfg', kept: undefined });
  expect(bounds).toMatchObject({ tuned: 4, narrow: 2, noInstall: 2, unread: 2, minimum: 2 });
});

test('a script of an installation keeps everybody, until it is left out of account', async () => {
  const bounds = await boundsFor(['shared.cfg'], { postinstall: 'node x' });
  expect(bounds).toMatchObject({ tuned: 4, narrow: 4, noInstall: 0, unread: 0, minimum: 0 });
  expect(bounds.kept).toContain('while dependencies are installed');
});

test('a file that acts without being read keeps everybody, whatever is installed', async () => {
  const bounds = await boundsFor(['.hidden.json'], { postinstall: 'node x' });
  expect(bounds).toMatchObject({ tuned: 4, narrow: 4, noInstall: 4, unread: 0, minimum: 0 });
});

test('a commit of one workspace has nothing to spare', async () => {
  expect(await boundsFor(['packages/lib/own.js'])).toMatchObject({ all: undefined, tuned: 2, narrow: 2, unread: 2, minimum: 2 });
});
