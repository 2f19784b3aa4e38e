import { afterEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import type { MigrateResult } from '../result/result.js';
import { createFixture, createSource, type MigrationFixture } from './migration.fixture.js';

// The oracle is a server: git itself with receive.fsckObjects.

const cleanUp = cleanUpIn(afterEach);

const PERSON = 'A <a@example.com> 1600000000 +0000';

/** Adds a commit with these bytes to the source, followed by a sound commit. */
function withCommit(source: TempRepo, lines: { author?: string; tree?: string; message?: string }): void {
  const { author = PERSON, tree = source.id('HEAD^{tree}'), message = 'odd\n' } = lines;
  const odd = source.writeObject(
    'commit',
    `tree ${tree}\nparent ${source.id('HEAD')}\nauthor ${author}\ncommitter ${PERSON}\n\n${message}`,
  );
  const next = `tree ${source.id('HEAD^{tree}')}\nparent ${odd}\nauthor ${PERSON}\ncommitter ${PERSON}\n\nsound\n`;
  source.git('update-ref', 'refs/heads/main', source.writeObject('commit', next));
}

/** Creates a tree with an entry that no index accepts. */
function treeWith(source: TempRepo, entry: string, type: 'mode first' | 'below' = 'mode first'): string {
  const blob = Buffer.from(source.id('HEAD:package.json'), 'hex');
  const bad = source.writeObject('tree', Buffer.concat([Buffer.from(`${entry}\0`), blob]));
  if (type === 'mode first') return bad;
  return source.writeObject('tree', Buffer.concat([Buffer.from('40000 deep\0'), Buffer.from(bad, 'hex')]));
}

const REFUSED: Record<string, (source: TempRepo) => unknown> = {
  badTimezone: (source) => withCommit(source, { author: 'A <a@example.com> 1600000000 +051800' }),
  missingEmail: (source) => withCommit(source, { author: 'A 1600000000 +0000' }),
  missingSpaceBeforeDate: (source) => withCommit(source, { author: 'A <a@example.com>1600000000 +0000' }),
  nulInCommit: (source) => withCommit(source, { message: 'a\0b\n' }),
  zeroPaddedFilemode: (source) => withCommit(source, { tree: treeWith(source, '0100644 package.json') }),
  hasDotgit: (source) => withCommit(source, { tree: treeWith(source, '100644 git~1', 'below') }),
};

/** Pushes the new branch to a server and returns its refusal, or an empty text if it accepts the branch. */
function pushed({ monorepo }: MigrationFixture): string {
  const server = cleanUp.add(TempRepo.create({ bare: true }));
  server.git('config', 'receive.fsckObjects', 'true');
  try {
    monorepo.git('push', '-q', server.path, 'migrate/left-pad', '--tags');
    return '';
  } catch (error) {
    return String(error);
  }
}

describe('what a server refuses', () => {
  test.each(Object.keys(REFUSED))('%s stops the run, and comes where it is allowed', async (kind) => {
    const fixture = createFixture(cleanUp);
    const source = createSource(cleanUp);
    REFUSED[kind]?.(source);
    const command = ['left-pad', '--from', source.path];
    for (const more of [['--dry-run'], [], ['--allow-objects', 'badName']]) {
      const { stderr } = await fixture.refused('SOURCE_FAULTY_OBJECTS', [...command, ...more]);
      expect(stderr).toContain(`reject: 1 ${kind} (`);
      expect(stderr).toContain(`--allow-objects ${kind}.`);
    }
    const { code, stderr } = await fixture.run([...command, '--allow-objects', `badName,${kind.toLowerCase()}`]);
    expect([code, stderr]).toEqual([0, expect.stringContaining(`1 ${kind} (`)]);
    expect(pushed(fixture)).toContain(`${kind}: `);
  });
});

test('what git only warns of comes, is told, and is taken by the server', async () => {
  const fixture = createFixture(cleanUp);
  const source = createSource(cleanUp);
  const tag = source.writeObject('tag', `object ${source.id('HEAD')}\ntype commit\ntag v2.0.0\n\nnobody\n`);
  source.git('update-ref', 'refs/tags/v2.0.0', tag);
  const { stderr } = await fixture.run(['left-pad', '--from', source.path]);
  expect(stderr).toContain('left-pad has malformed objects, which git warns about but servers accept: 1 missingTaggerEntry (');
  expect(pushed(fixture)).toBe('');
});

test('what git will not even warn of is found all the same', async () => {
  const fixture = createFixture(cleanUp);
  const source = createSource(cleanUp);
  withCommit(source, { author: `A\0 <a@example.com> 1600000000 +0000` });
  const { stderr } = await fixture.refused('SOURCE_FAULTY_OBJECTS', ['left-pad', '--from', source.path]);
  expect(stderr).toContain('nulInHeader');
});

test('paths are warnings, in the dry run as in the migration', async () => {
  const fixture = createFixture(cleanUp);
  const source = createSource(cleanUp);
  source.commit('Odd names', { files: { 'src/con': '', 'src/README': '', 'src/readme': '' } });
  const command = ['left-pad', '--from', source.path, '--json'];
  const [planned, moved] = [await fixture.accepted([...command, '--dry-run']), await fixture.accepted(command)].map(
    ({ stdout }) => (JSON.parse(stdout) as MigrateResult).warnings,
  );
  expect(planned).toEqual([
    'Windows cannot check out 1 path of left-pad: packages/left-pad/src/con.',
    'On file systems that ignore case or the form of accents (Windows, macOS), 1 path of left-pad is not unique: packages/left-pad/src/README and packages/left-pad/src/readme.',
  ]);
  expect(moved).toEqual(planned);
});
