import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Git, plumbing } from '@tributary/git/git';
import { resolveNames } from '@tributary/git/objects';
import { FOLDER_MODE, formatTree, parseTree } from '@tributary/git/tree';
import { isToolError, type ToolError } from '@tributary/model/errors';
import type { ObjectId } from '@tributary/model/ids';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { LooseObjects } from '@tributary/test-repo/loose-objects';
import { GPGSIG_HEADER } from '@tributary/test-repo/raw-commit';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import fc from 'fast-check';
import type { CommitParts } from './commit.js';
import type { MovedHistory } from './move.js';
import { gitDirOf, move, QUALIFIED, short } from './moving.fixture.js';
import { proveMove } from './prove.js';
import { type Alter, retellHistory, writeSourceToRetell } from './retell.fixture.js';

const cleanUp = cleanUpIn(afterAll);
const MODES = ['whole', 'folder', 'joined'] as const;

let repo: TempRepo;
let git: Git;
let objects: LooseObjects;
let honest: Record<(typeof MODES)[number], MovedHistory>;

beforeAll(async () => {
  repo = cleanUp.add(TempRepo.create());
  writeSourceToRetell(repo);
  git = plumbing(gitDirOf(repo));
  objects = new LooseObjects(gitDirOf(repo), 'sha1');
  const tags = ['annotated', 'before', 'light', 'nested', 'tree'].map((name) => ({ name, id: repo.id(`refs/tags/${name}`) }));
  const source = { tip: repo.id('HEAD'), tags };
  honest = {
    whole: await move(git, source),
    folder: await move(git, { ...source, subdirectory: 'lib' }),
    joined: await move(git, { ...source, strategy: 'merge' }),
  };
});

const retell = (moved: MovedHistory, alter: Alter): Promise<MovedHistory> => retellHistory({ repo, git, objects }, moved, alter);
const saying =
  (from: string | RegExp, to: string) =>
  (parts: CommitParts): CommitParts => ({
    ...parts,
    rest: Buffer.from(parts.rest.toString('latin1').replace(from, to), 'latin1'),
  });
const at =
  (wanted: string, change: (parts: CommitParts) => CommitParts | 'drop'): Alter =>
  (parts, subject) =>
    subject === wanted ? change(parts) : parts;
const holding =
  (extra: { mode: string; name: string }) =>
  (parts: CommitParts): CommitParts => ({
    ...parts,
    tree: objects.write(
      'tree',
      formatTree([...parseTree('sha1', repo.gitBytes('cat-file', 'tree', parts.tree)), { ...extra, id: blob() }]),
    ),
  });
const blob = (): ObjectId => objects.write('blob', 'smuggled');

async function refusal(moved: MovedHistory): Promise<ToolError> {
  const outcome = await proveMove(git, moved, { format: 'sha1' }).catch((error: unknown) => error);
  if (!isToolError(outcome)) throw new Error(`it was not refused but: ${JSON.stringify(outcome)} ${String(outcome)}`);
  return outcome;
}

test.each(MODES)('the honest result is proven: %s', async (mode) => {
  const proof = await proveMove(git, honest[mode], { format: 'sha1' });
  expect(proof.counts).toEqual(
    {
      whole: { commits: 7, merges: 1, authors: 1 },
      folder: { commits: 5, merges: 1, authors: 1 },
      joined: { commits: 7, merges: 1, authors: 1 },
    }[mode],
  );
  expect(proof.tags).toBe(mode === 'folder' ? 4 : 5);
});

describe('of a history whose messages are not exact', () => {
  let moved: MovedHistory;
  beforeAll(async () => {
    const source = cleanUp.add(TempRepo.create());
    source.commit('start', { files: { 'package.json': '{}' } });
    const first = source.commit('Fixes #12, thanks @ada', { files: { a: '1' } });
    source.commit(`Undo ${short(first)}`, { files: { a: null } });
    source.tag('signed', { message: 'One\n-----BEGIN SSH SIGNATURE-----\nabc\n-----END SSH SIGNATURE-----\n' });
    repo.git('fetch', '-q', source.path, 'HEAD:refs/heads/talking', 'refs/tags/signed:refs/tags/signed');
    const tags = [{ name: 'signed', id: repo.id('refs/tags/signed') }];
    moved = await move(git, { tip: repo.id('refs/heads/talking'), tags, messages: QUALIFIED });
  });

  test('the honest result is proven, whole and as a folder', async () => {
    expect(await proveMove(git, moved, { format: 'sha1' })).toMatchObject({ method: 'inverse', counts: { commits: 3 }, tags: 1 });
    const folder = await move(git, { tip: repo.id('HEAD'), subdirectory: 'lib', messages: QUALIFIED });
    expect(await proveMove(git, folder, { format: 'sha1' })).toMatchObject({ method: 'compared' });
  });

  test.each<[string, (parts: CommitParts) => CommitParts, RegExp]>([
    ['a message that is not what the move makes of the original', saying('acme/x#12,', 'acme/x#13,'), /is not the rewritten one of/],
    ['the original message', saying(' Fixes #12,', ' Fixes #13,'), /is not the rewritten one of|reversing the rewrite gives/],
    ['an original message that was lost', saying(/tributary-message [\s\S]*?\n(?! )/, ''), /reversing the rewrite gives/],
  ])('what was changed is refused: %s', async (_title, alter, sentence) => {
    const retold = await retell(moved, (parts) => alter(parts));
    expect((await refusal(retold)).message).toMatch(sentence);
  });

  test('a signature of a tag that was lost is refused', async () => {
    const tags = withTag(moved, 'x@signed', reworded(moved, 'x@signed', '\n abc', '\n abd'));
    expect((await refusal({ ...moved, tags })).message).toMatch(/the tag x@signed differs/);
  });
});

test.each(MODES)('a history retold without a change is still proven: %s', async (mode) => {
  await proveMove(git, await retell(honest[mode], (parts) => parts), { format: 'sha1' });
});

describe.each(['whole', 'folder'] as const)('of a rewritten history, %s, is refused', (mode) => {
  const whole = mode === 'whole';
  const undone = /reversing the rewrite gives [0-9a-f]{40} instead of [0-9a-f]{40}/;
  test.each<[string, Alter, RegExp, RegExp]>([
    ['a word of a message', at('main', saying('main', 'Main')), undone, /message or a header of the commit .* differs from [0-9a-f]{40}/],
    [
      'a newline at the end of a message',
      at('side', saying('side\n', 'side')),
      undone,
      /message or a header of the commit .* differs from/,
    ],
    ['an author', at('main', saying('author Ada', 'author Eve')), undone, /message or a header of the commit .* differs from/],
    ['a committer', at('main', saying('committer Ada', 'committer Eve')), undone, /message or a header of the commit .* differs from/],
    ['a date', at('main', saying(' +0000', ' +0100')), undone, /message or a header of the commit .* differs from/],
    [
      'parents in another order',
      (parts) => ({ ...parts, parents: [...parts.parents].reverse() }),
      undone,
      /do not correspond to the parents of/,
    ],
    [
      'a merge that lost a parent',
      (parts) => ({ ...parts, parents: parts.parents.slice(0, 1) }),
      undone,
      /do not correspond to the parents of/,
    ],
    ['a dropped commit', at('main', () => 'drop'), undone, /does not have exactly the files|do not correspond to the parents/],
    ['a dropped last commit', at('end', () => 'drop'), undone, /does not have exactly the files/],
    [
      'a file beside the path',
      at('start', holding({ mode: '100644', name: 'smuggled' })),
      /has files outside packages\/x/,
      /and nowhere else/,
    ],
    [
      'a folder beside the path',
      at('end', holding({ mode: FOLDER_MODE, name: 'zoo' })),
      /has files outside packages\/x/,
      /and nowhere else/,
    ],
  ])('%s', async (_title, alter, inWhole, inFolder) => {
    const error = await refusal(await retell(honest[mode], alter));
    expect(error.code).toBe('PROOF_FAILED');
    expect(error.message).toMatch(whole ? inWhole : inFolder);
    expect(error.message).toMatch(/^The history of x could not be verified: .*\. The monorepo was not changed\.$/);
  });

  test('a file that is not what it was', async () => {
    const [under] = await resolveNames(git, [`${honest[mode].tip}:packages/x`]);
    const entries = parseTree('sha1', repo.gitBytes('cat-file', 'tree', under?.id ?? ''));
    const inner = objects.write(
      'tree',
      formatTree(entries.map((entry, index) => (index === 0 ? { ...entry, id: blob(), mode: '100644' } : entry))),
    );
    const packages = objects.write('tree', formatTree([{ mode: FOLDER_MODE, name: 'x', id: inner }]));
    const root = objects.write('tree', formatTree([{ mode: FOLDER_MODE, name: 'packages', id: packages }]));
    const error = await refusal(
      await retell(
        honest[mode],
        at('end', (parts) => ({ ...parts, tree: root })),
      ),
    );
    expect(error.message).toMatch(whole ? undone : /does not have exactly the files under packages\/x/);
  });

  test('any byte of the last commit that is another one', async () => {
    const content = repo.gitBytes('cat-file', 'commit', honest[mode].tip);
    const places = fc.record({ place: fc.nat(content.length - 1), bit: fc.nat(7) });
    const flipped = fc.asyncProperty(places, async ({ place, bit }) => {
      const bytes = Buffer.from(content);
      bytes[place] = (bytes[place] ?? 0) ^ (1 << bit);
      const tip = objects.write('commit', bytes);
      const map = new Map(honest[mode].map).set(honest[mode].planned.source.tip, tip);
      expect(['PROOF_FAILED', 'GIT_FAILED']).toContain((await refusal({ ...honest[mode], tip, map })).code);
    });
    await fc.assert(flipped, { numRuns: 20, seed: 1, endOnFailure: true });
  });

  test.each<[string, (moved: MovedHistory) => Partial<MovedHistory>, RegExp]>([
    ['another commit in place of the last', (moved) => ({ tip: repo.id(`${moved.tip}~1`) }), /the last commit [0-9a-f]{40} does not have/],
    [
      'a tree to be merged that is not that of the last commit',
      () => ({ tree: repo.id('HEAD~3^{tree}') }),
      /does not have the tree [0-9a-f]{40} under packages\/x/,
    ],
    [
      'a count that is not true',
      (moved) => ({ counts: { ...moved.counts, commits: 1 } }),
      /the source has 1 commits, .* but [57] commits, .* were written/,
    ],
    ['a tag that was not written', (moved) => ({ tags: moved.tags.slice(0, -1) }), /of [45] tags were written/],
    [
      'a tag in the middle that was not written',
      (moved) => ({ tags: moved.tags.filter(({ name }) => name !== 'x@light') }),
      /the tag x@nested differs from light of the source/,
    ],
    [
      'a tag left out without need',
      (moved) => ({ tags: moved.tags.slice(0, -1), leftOutTags: [...moved.leftOutTags, 'tree'] }),
      /of [45] tags were written/,
    ],
    [
      'a tag under another name',
      (moved) => ({ tags: moved.tags.map((tag) => ({ ...tag, name: tag.name.replace('light', 'heavy') })) }),
      /the tag x@heavy differs from light of the source/,
    ],
    [
      'a lightweight tag on another commit',
      (moved) => ({ tags: withTag(moved, 'x@light', moved.tip) }),
      /the tag x@light differs from light of the source/,
    ],
    [
      'a lightweight tag in place of an annotated one',
      (moved) => ({ tags: withTag(moved, 'x@annotated', repo.id(`${tagOf(moved, 'x@annotated')}^{}`)) }),
      /the tag x@annotated differs/,
    ],
    [
      'a tag with another message',
      (moved) => ({ tags: withTag(moved, 'x@annotated', reworded(moved, 'x@annotated', 'Annotated', 'annotated')) }),
      /the tag x@annotated differs/,
    ],
    [
      'a tag with another name inside',
      (moved) => ({ tags: withTag(moved, 'x@annotated', reworded(moved, 'x@annotated', 'tag x@', 'tag y@')) }),
      /the tag x@annotated differs/,
    ],
    [
      'a tag of a tag that lost its outer one',
      (moved) => ({ tags: withTag(moved, 'x@nested', tagOf(moved, 'x@annotated')) }),
      /the tag x@nested differs/,
    ],
    [
      'a tag of another tree',
      (moved) => ({ tags: withTag(moved, 'x@tree', reworded(moved, 'x@tree', repo.id('light^{tree}'), repo.id('HEAD^{tree}'))) }),
      /the tag x@tree differs/,
    ],
  ])('%s', async (_title, alter, sentence) => {
    const error = await refusal({ ...honest[mode], ...alter(honest[mode]) });
    expect(error).toMatchObject({ code: 'PROOF_FAILED', message: expect.stringMatching(sentence) });
  });
});

test('a signature that was dropped is refused', async () => {
  const error = await refusal(await retell(honest.whole, at('signed', saying(`${GPGSIG_HEADER}\n`, ''))));
  expect(error.message).toMatch(/reversing the rewrite gives/);
});

test("of a folder's history, a commit that the map keeps silent about is refused", async () => {
  const map = new Map([...(honest.folder.map ?? [])].filter(([from]) => from !== repo.id('light')));
  const error = await refusal({
    ...honest.folder,
    map,
    tags: honest.folder.tags.slice(-1),
    leftOutTags: ['annotated', 'before', 'light', 'nested'],
  });
  expect(error.message).toMatch(/the commit [0-9a-f]{40}, which has the folder lib, was left out/);
});

describe('of a joined history is refused', () => {
  const join = async (alter: (parts: CommitParts) => CommitParts): Promise<ToolError> =>
    refusal(await retell(honest.joined, (parts, subject) => (subject.startsWith('Move all files') ? alter(parts) : parts)));

  test('a join of another commit', async () => {
    expect((await join((parts) => ({ ...parts, parents: [repo.id('HEAD~1')] }))).message).toMatch(
      /is not the parent of the commit that is merged/,
    );
  });
  test('a join with one more parent', async () => {
    expect((await join((parts) => ({ ...parts, parents: [...parts.parents, repo.id('HEAD~1')] }))).message).toMatch(/is not the parent of/);
  });
  test('a file beside the path', async () => {
    expect((await join(holding({ mode: '100644', name: 'smuggled' }))).message).toMatch(/and nowhere else/);
  });
  test('other files under the path', async () => {
    expect((await join((parts) => ({ ...parts, tree: repo.id(`${honest.whole.tip}~1^{tree}`) }))).message).toMatch(
      /does not have exactly the files of the source/,
    );
  });
  test('a tag that is not the one of the source', async () => {
    const tags = withTag(honest.joined, 'x@light', repo.id('HEAD'));
    expect((await refusal({ ...honest.joined, tags })).message).toMatch(/the tag x@light differs from light of the source/);
  });
  test('a tag that was not written', async () => {
    expect((await refusal({ ...honest.joined, tags: honest.joined.tags.slice(0, -1) })).message).toMatch(/4 of 5 tags were written/);
  });
});

function tagOf(moved: MovedHistory, name: string): ObjectId {
  return moved.tags.find((tag) => tag.name === name)?.id ?? moved.tip;
}

function withTag(moved: MovedHistory, name: string, id: ObjectId): MovedHistory['tags'] {
  return moved.tags.map((tag) => (tag.name === name ? { ...tag, id } : tag));
}

function reworded(moved: MovedHistory, name: string, from: string, to: string): ObjectId {
  const text = repo.gitBytes('cat-file', 'tag', tagOf(moved, name)).toString();
  expect(text).toContain(from);
  return objects.write('tag', text.replace(from, to));
}
