import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { createScene, createSource, gitFolderOf, type MigrationScene } from './scene.fixture.js';

// A run that is killed after it made its refs, but before it could note that. People see a finished migration and continue.

const cleanUp = cleanUpIn(afterEach);
const BRANCH = 'migrate/left-pad';
const REFS = ['refs/tags/left-pad@1.0.0', 'refs/tags/left-pad@1.1.0', `refs/heads/${BRANCH}`];
const TAGS = 'left-pad@1.0.0\nleft-pad@1.1.0';

let scene: MigrationScene;

beforeEach(async () => {
  scene = createScene(cleanUp);
  await scene.accepted(['left-pad', '--from', createSource(cleanUp).path]);
  const packs = readdirSync(join(gitFolderOf(scene.monorepo), 'objects', 'pack')).filter((file) => file.endsWith('.idx'));
  const refs = REFS.map((ref) => ({ ref, value: scene.monorepo.id(ref) }));
  const journal = { kind: 'create', refs, packs: packs.map((file) => file.replace(/\.idx$/, '')) };
  scene.monorepo.write({ '.git/tributary/run-0123456789ab/journal.json': JSON.stringify(journal) });
});

test.each<[string, (scene: MigrationScene) => void]>([
  ['nothing', () => {}],
  ['packed refs', ({ monorepo }) => void monorepo.git('pack-refs', '--all')],
  [
    'a merge, and the branch deleted',
    ({ monorepo }) => {
      monorepo.merge(BRANCH);
      monorepo.git('branch', '-q', '-d', BRANCH);
    },
  ],
  [
    'a commit on the branch',
    ({ monorepo }) => {
      monorepo.checkout(BRANCH);
      monorepo.commit('Mine', { files: { 'packages/left-pad/mine.js': '1\n' } });
      monorepo.checkout('main');
    },
  ],
  ['the branch deleted without a merge', ({ monorepo }) => void monorepo.git('branch', '-q', '-D', BRANCH)],
  ['the branch renamed', ({ monorepo }) => void monorepo.git('branch', '-m', BRANCH, 'mine')],
])('after %s the next command takes nothing away', async (_title, goOn) => {
  goOn(scene);
  const before = scene.monorepo.git('for-each-ref');
  await scene.run(['status']);
  expect(scene.monorepo.git('for-each-ref')).toBe(before);
  expect(scene.monorepo.git('tag')).toBe(TAGS);
  expect(scene.state().broken).toBe('');
});

test('a tag that somebody has deleted does not come back', async () => {
  scene.monorepo.git('tag', '-d', 'left-pad@1.0.0');
  await scene.run(['status']);
  expect(scene.monorepo.git('tag')).toBe('left-pad@1.1.0');
});

test('it is said that the run was done, and the branch is then as any other', async () => {
  const { stderr } = await scene.run(['discard', 'left-pad']);
  expect(stderr).toContain(`had already completed its migration: it is on ${BRANCH}.`);
  expect(scene.monorepo.git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
});
