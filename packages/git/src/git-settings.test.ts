import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { ObjectId } from '@tributary/model/ids';
import { parseAbsolutePath } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { gitDirOf, moveInto, setVariable } from './git.fixture.js';
import { asUser, network, plumbing } from './git.js';
import { readObjects } from './objects.js';

const cleanUp = cleanUpIn(afterEach);
const shared = cleanUpIn(afterAll);
const home = shared.add(new TempFolder());

beforeAll(() => moveInto(home, shared));

function create(): TempRepo {
  return cleanUp.add(TempRepo.create());
}

describe('plumbing sees the repository alone', () => {
  test('not the settings of the user, nor the variables that a hook leaves', async () => {
    const [repo, other] = [create(), create()];
    const commit = repo.commit('x');
    other.commit('y');
    for (const name of ['GIT_DIR', 'GIT_COMMON_DIR']) setVariable(name, gitDirOf(other), cleanUp);
    setVariable('GIT_OBJECT_DIRECTORY', join(gitDirOf(other), 'objects'), cleanUp);
    setVariable('GIT_WORK_TREE', other.path, cleanUp);
    setVariable('GIT_NAMESPACE', 'evil', cleanUp);
    setVariable('GIT_CONFIG_PARAMETERS', "'user.name'='Eve'", cleanUp);
    const git = plumbing(gitDirOf(repo));
    expect(await git.text(['rev-parse', 'HEAD'])).toBe(commit);
    expect(await git.text(['for-each-ref', '--format=%(objectname)'])).toBe(commit);
    expect(await git.attempt(['config', 'user.name'])).toMatchObject({ exit: 1 });
    expect(await asUser(repo.path).text(['config', 'user.name'])).toBe('Ada');
  });

  test('not its replacements and grafts: the history is the real one', async () => {
    const repo = create();
    const [one, two, three] = ['one', 'two', 'three'].map((message) => repo.commit(message)) as [ObjectId, ObjectId, ObjectId];
    const original = repo.gitBytes('cat-file', 'commit', two);
    repo.git('replace', two, one);
    mkdirSync(join(gitDirOf(repo), 'info'), { recursive: true });
    writeFileSync(join(gitDirOf(repo), 'info/grafts'), `${three}\n`);
    expect(repo.git('rev-list', 'HEAD')).toBe(three);
    for (const git of [plumbing(gitDirOf(repo)), network(gitDirOf(repo))]) {
      expect((await readObjects(git, [two]))[0]?.content).toEqual(original);
    }
    expect((await plumbing(gitDirOf(repo)).text(['rev-list', 'HEAD'])).split('\n')).toEqual([three, two, one]);
  });

  test('and the object folders it is given, whatever their names', async () => {
    const repo = create();
    const folder = cleanUp.add(new TempFolder());
    const sources = ['a b', 'colon:x', 'quote"x', 'back\\slash', 'ü', '"both:"', 'line\nbreak'].map((name) =>
      TempRepo.create({ bare: true, folder: folder.join(name) }),
    );
    const ids = sources.map((source) => source.writeObject('blob', source.path));
    const git = plumbing(gitDirOf(repo), { alternates: sources.map((source) => parseAbsolutePath(join(source.path, 'objects'))) });
    expect((await readObjects(git, ids)).map(({ content }) => content.toString())).toEqual(sources.map((source) => source.path));
    await expect(readObjects(plumbing(gitDirOf(repo)), ids)).rejects.toMatchObject({ code: 'GIT_FAILED' });
  });
});

test('the identity of the user comes from their variables or from their settings', async () => {
  const repo = create();
  expect(await asUser(repo.path).text(['var', 'GIT_COMMITTER_IDENT'])).toMatch(/^Ada <ada@example.com> /);
  setVariable('GIT_COMMITTER_NAME', 'Bob', cleanUp);
  setVariable('GIT_COMMITTER_DATE', '@7 +0000', cleanUp);
  expect(await asUser(repo.path).text(['var', 'GIT_COMMITTER_IDENT'])).toBe('Bob <ada@example.com> 7 +0000');
});
