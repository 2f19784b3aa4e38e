import { isToolError } from '@tributary/model/errors';
import type { RepoPath } from '@tributary/model/paths';
import { type Manifest, parseManifest } from '@tributary/workspaces/manifest';
import { findMentions, readTexts, type Tree } from '../io/mentions.js';
import type { Mention, SearchSubject } from '../root-uses/subject.js';
import {
  collectUsers,
  isForEverybody,
  type RootUse,
  reachedFrom,
  subjectOf,
  type Users,
  type UseScene,
  unknownUsers,
  weigh,
  workspaceOf,
} from '../root-uses/uses.js';
import { buildTakesPart } from './compare-ci-files.js';

/** A searchable commit. */
export interface SearchScene extends UseScene, Tree {
  /** As for `decide`. */
  readonly workflow?: string | undefined;
}

/** The most subjects to follow; more are not a minor root matter. */
const MOST_FOLLOWED = 150;

/**
 * Finds the users of subjects at the head: files that name them and, through root files and scripts, those that name these. It errs on the
 * wide side: a name counts anywhere in a text, and unclear uses select everything. The search ends at the first use that is enough, with
 * the results so far. Throws `GIT_FAILED`.
 */
export async function findUsers(
  scene: SearchScene,
  subjects: readonly SearchSubject[],
  isEnough: (use: RootUse) => boolean = () => false,
): Promise<readonly Users[]> {
  const known = new Map<string, RootUse[]>();
  const takesPart = buildTakesPart(scene, scene.graph, scene.kind);
  for (let open = subjects; open.length > 0; open = toFollow(subjects, known)) {
    if (open !== subjects && open.length > MOST_FOLLOWED) return subjects.map((subject) => unknownUsers(collectUsers(subject, known)));
    const end = await searchOrNot(scene, open, { known, isEnough, takesPart });
    if (end === 'impossible') return subjects.map((subject) => unknownUsers(collectUsers(subject, known)));
    if (end === 'enough') break;
  }
  return subjects.map((subject) => collectUsers(subject, known));
}

interface Found {
  /** By subject. */
  readonly known: Map<string, RootUse[]>;
  readonly isEnough: (use: RootUse) => boolean;
  readonly takesPart: (file: RepoPath) => Promise<boolean>;
}

/** Handles a clone that cannot be searched, which is no reason to fail. */
async function searchOrNot(scene: SearchScene, subjects: readonly SearchSubject[], found: Found): Promise<'enough' | 'all' | 'impossible'> {
  try {
    return await search(scene, subjects, found);
  } catch (error) {
    if (isToolError(error) && error.code === 'GIT_FAILED') return 'impossible';
    throw error;
  }
}

async function search(
  scene: SearchScene,
  subjects: readonly SearchSubject[],
  { known, isEnough, takesPart }: Found,
): Promise<'enough' | 'all'> {
  for (const { id } of subjects) known.set(id, []);
  for await (const mention of findMentions(scene, subjects)) {
    if (isItself(mention)) continue;
    const uses = weigh(scene, mention, await manifestAbove(scene, mention));
    // A workflow that runs no tests is irrelevant for them.
    if (uses.some(({ bearing }) => bearing.kind === 'pipeline') && !(await takesPart(mention.file))) continue;
    known.get(mention.subject.id)?.push(...uses);
    if (uses.some(isEnough)) return 'enough';
  }
  return 'all';
}

async function manifestAbove(scene: SearchScene, { file, text }: Mention): Promise<Manifest | undefined> {
  const member = scene.graph.members[workspaceOf(scene, file) ?? -1];
  if (member === undefined) return undefined;
  const own = `${member.path}/package.json`;
  const [read = ''] = file === own ? [text] : await readTexts(scene, [own]);
  return parseManifest(read, own);
}

function isItself({ subject, file }: Mention): boolean {
  return (subject.kind === 'file' && subject.name === file) || (subject.kind === 'folder' && file.startsWith(`${subject.name}/`));
}

/** Returns the next subjects to search, unless it is already known that every workspace uses them. */
function toFollow(subjects: readonly SearchSubject[], known: ReadonlyMap<string, readonly RootUse[]>): readonly SearchSubject[] {
  const next = new Map<string, SearchSubject>();
  for (const subject of subjects) {
    const reached = reachedFrom(subject, known);
    if (reached.some(({ bearing }) => isForEverybody(bearing, subject))) continue;
    for (const one of reached.map(({ bearing }) => subjectOf(bearing))) if (one !== undefined && !known.has(one.id)) next.set(one.id, one);
  }
  return [...next.values()];
}
