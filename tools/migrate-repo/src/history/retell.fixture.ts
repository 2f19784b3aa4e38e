import type { Git } from '@tributary/git/git';
import { readObjects, resolveNames } from '@tributary/git/objects';
import type { ObjectId } from '@tributary/model/ids';
import type { LooseObjects } from '@tributary/test-repo/loose-objects';
import { GPGSIG_HEADER } from '@tributary/test-repo/raw-commit';
import type { TempRepo } from '@tributary/test-repo/temp-repo';
import { type CommitParts, formatCommit, parseCommit } from './commit.js';
import type { MovedHistory } from './move.js';
import { formatTagObject, parseTagObject } from './tag-object.js';

/** The repository that holds a moved history. */
export interface MovedRepository {
  readonly repo: TempRepo;
  readonly git: Git;
  readonly objects: LooseObjects;
}

/** Returns what a commit becomes instead. Its parents are already the retold ones; `subject` is its whole message. */
export type Alter = (parts: CommitParts, subject: string) => CommitParts | 'drop';

/** Writes a merge, a signed commit, a commit from before the folder, and a tag of every kind. */
export function writeSourceToRetell(source: TempRepo): void {
  source.commit('before', { files: { 'package.json': '{}' } });
  source.tag('before');
  source.commit('start', { files: { 'lib/package.json': '{}', 'lib/a.js': '1' } });
  source.tag('light');
  source.tag('annotated', { message: 'Annotated\n' });
  source.tag('nested', { at: 'refs/tags/annotated', message: 'Nested\n' });
  source.tag('tree', { at: 'HEAD^{tree}', message: 'A tree\n' });
  source.branch('side');
  source.commit('main', { files: { 'lib/a.js': '2' } });
  source.checkout('side');
  source.commit('side', { files: { 'lib/b.js': '1' } });
  source.checkout('main');
  source.merge('side');
  const signed = source.writeRawCommit({
    tree: source.id('HEAD^{tree}'),
    parents: [source.id('HEAD')],
    headers: [GPGSIG_HEADER],
    message: 'signed\n',
  });
  source.git('reset', '-q', '--hard', signed);
  source.commit('end', { files: { 'lib/c.js': '1' } });
}

/** Retells a history with some commits altered. All other commits and the map agree with that, so it is the most convincing forgery. */
export async function retellHistory(place: MovedRepository, moved: MovedHistory, alter: Alter): Promise<MovedHistory> {
  const ids = (await place.git.text(['rev-list', '--topo-order', '--reverse', moved.tip])).split('\n') as ObjectId[];
  const retold = new Map<ObjectId, ObjectId>();
  for (const { id, content } of await readObjects(place.git, ids)) {
    const old = parseCommit(content);
    const subject = content
      .subarray(content.indexOf('\n\n') + 2)
      .toString()
      .trim();
    const parts = alter({ ...old, parents: old.parents.map((parent) => retold.get(parent) ?? parent) }, subject);
    retold.set(id, parts === 'drop' ? (retold.get(old.parents[0] ?? id) ?? id) : place.objects.write('commit', formatCommit(parts)));
  }
  const tip = retold.get(moved.tip) ?? moved.tip;
  const map = moved.map === undefined ? undefined : new Map([...moved.map].map(([from, to]) => [from, retold.get(to) ?? to]));
  const [tree] = await resolveNames(place.git, [`${tip}:packages/x`]);
  const tags = await Promise.all(moved.tags.map(async (tag) => ({ ...tag, id: await retag(place, tag.id, retold) })));
  return { ...moved, tip, map, tags, tree: tree?.id ?? moved.tree };
}

async function retag(place: MovedRepository, id: ObjectId, retold: ReadonlyMap<ObjectId, ObjectId>): Promise<ObjectId> {
  const [object] = retold.has(id) ? [] : await readObjects(place.git, [id]);
  if (object?.type !== 'tag') return retold.get(id) ?? id;
  const parts = parseTagObject(object.content);
  return place.objects.write('tag', formatTagObject({ ...parts, object: await retag(place, parts.object, retold) }));
}
