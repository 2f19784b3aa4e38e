import type { AllReason } from '@tributary/model/changeset';
import type { FileRules } from '@tributary/workspaces/file-rules';
import type { ReferenceFacts } from '../reasons/reference-facts.js';
import type { SidesCompared } from './compared.js';
import type { AffectedInputs } from './inputs.js';
import { whyManifestIsRead } from './manifest-readers.js';
import type { SidesRead } from './read-sides.js';

/** The places of both commits, by what they name. */
export type Places = readonly (Readonly<Record<string, string>> | undefined)[];

interface Asked {
  readonly inputs: AffectedInputs;
  readonly sides: SidesRead;
  readonly compared: SidesCompared;
  readonly rules: FileRules;
}

/** Returns why a changed file selects everybody that settings of the root load, a pipeline runs, or shared settings read. Throws `GIT_FAILED`. */
export async function whyEverybodyReads(
  asked: Asked,
  head: ReferenceFacts,
  base: ReferenceFacts | undefined,
): Promise<AllReason | undefined> {
  const { inputs, sides, rules } = asked;
  // What a user wrote about a file is the user's to know.
  const free = inputs.files.flatMap(({ path }) => ((rules(path, 'workspace')?.source ?? 'built-in') === 'built-in' ? [path] : []));
  const [loaded] = placesOf(free, [head.loaded, base?.loaded]);
  if (loaded !== undefined) {
    const [path, place] = loaded;
    return { code: 'RULE', reason: `${path} changed, which is loaded for every workspace (${place} names it).`, subject: path };
  }
  const named = placesOf(free, [head.inPipelines, base?.inPipelines]);
  const run = named.size === 0 ? undefined : await (await import('./compare-ci-files.js')).whyRunInCi(asked, named);
  return run ?? whyManifestIsRead(inputs, sides, { head, base });
}

/** Returns the first place of each path that has one. */
function placesOf(paths: readonly string[], places: Places): ReadonlyMap<string, string> {
  const found = places.flatMap((known) =>
    paths.flatMap((path) => (known !== undefined && Object.hasOwn(known, path) ? [[path, known[path] ?? ''] as const] : [])),
  );
  return new Map(found.reverse());
}
