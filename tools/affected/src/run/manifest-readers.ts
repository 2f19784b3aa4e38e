import { readNamedBlobs } from '@tributary/git/objects';
import type { AllReason } from '@tributary/model/changeset';
import { keysRead } from '@tributary/references/keys-read';
import { changedKeys } from '@tributary/workspaces/same-value';
import { objectName } from '../io/reading.js';
import type { ReferenceFacts } from '../reasons/reference-facts.js';
import type { AffectedInputs } from './inputs.js';
import type { SidesRead } from './read-sides.js';

interface Sides {
  readonly head: ReferenceFacts;
  readonly base: ReferenceFacts | undefined;
}

/** Returns the reason if settings that are loaded for every workspace read a changed key of the root's manifest. Throws `GIT_FAILED`. */
export async function whyManifestIsRead(
  { git, repository, headTree, mergeBase }: AffectedInputs,
  sides: SidesRead,
  facts: Sides,
): Promise<AllReason | undefined> {
  if (sides.kind === 'unchanged') return undefined;
  const changed = changedKeys(sides.base.rootManifest.raw, sides.head.rootManifest.raw, () => 'counts');
  if (changed.length === 0) return undefined;
  for (const [commit, readers] of [
    [headTree, facts.head.manifestReaders] as const,
    [mergeBase, facts.base?.manifestReaders ?? []] as const,
  ])
    for (const { file, specifier } of commit === null ? [] : readers) {
      const [text] = await readNamedBlobs(git, [objectName(commit ?? '', repository.project, file)]);
      const keys = specifier === undefined ? undefined : keysRead(text?.toString('utf8') ?? '', specifier);
      const key = changed.find((one) => keys?.has(one) !== false);
      if (key === undefined) continue;
      const reason = `${key} in the root package.json changed, which ${file} may read for every workspace.`;
      return { code: 'ROOT_MANIFEST_CHANGED', reason };
    }
  return undefined;
}
