import type { RemoteRef } from '@tributary/git/parse';
import { isToolError } from '@tributary/model/errors';
import { joinRepoPath } from '@tributary/model/paths';
import { type AnnouncedTags, findForeignTags } from '../history/unlike-tags.js';
import { readRefs } from '../io/refs.js';
import type { Target } from '../io/target.js';
import type { FoundTag, SourceRequest } from '../plan/facts.js';
import { refuseTagCollisions, targetPath } from '../plan/names.js';
import type { PlanChoices } from '../plan/plan.js';
import { type PlannedTag, planTags } from '../plan/plan-tags.js';

/** The choices that decide the names of tags, and what they hold. */
export type TagChoices = Pick<PlanChoices, 'tagPattern' | 'pathPattern' | 'strategy'>;

/**
 * Rejects tags that the monorepo certainly has with another content, by what the source announces: a fetch may take
 * minutes. Of a subdirectory, only the fetched commits show which tags belong to it. Throws `TAG_COLLISION`.
 */
export async function refuseTakenTags(
  target: Target,
  { request, announced }: { readonly request: SourceRequest; readonly announced: readonly RemoteRef[] },
  choices: TagChoices,
): Promise<void> {
  const planned = planNames(target, { request, announced }, choices);
  if (planned === undefined) return;
  const refs = await readRefs(target.git);
  const isTaken = ({ newName }: PlannedTag): boolean => refs.has(`refs/tags/${newName}`);
  const foreign = new Set(await findForeignTags(target.git, refs, planned));
  refuseTagCollisions(
    planned.tags.filter((tag) => foreign.has(tag) || !isTaken(tag)),
    target.facts.refs,
  );
}

/** Returns the tags to import and their place; `undefined` if the plan must judge them. */
function planNames(
  { facts: { root, format } }: Target,
  { request, announced }: { readonly request: SourceRequest; readonly announced: readonly RemoteRef[] },
  { tagPattern, pathPattern, strategy }: TagChoices,
): AnnouncedTags | undefined {
  if (request.subdirectory !== undefined) return undefined;
  const tags = announced.flatMap(({ ref, id, peeled }): FoundTag[] =>
    ref.startsWith('refs/tags/') ? [{ name: ref.slice('refs/tags/'.length), id, ...(peeled === undefined ? {} : { target: peeled }) }] : [],
  );
  try {
    const path = joinRepoPath(root, request.path ?? targetPath(pathPattern, request.name));
    return { path, format, strategy, tags: planTags({ request, tags }, tagPattern).tags };
  } catch (error) {
    if (!isToolError(error)) throw error;
    return undefined;
  }
}
