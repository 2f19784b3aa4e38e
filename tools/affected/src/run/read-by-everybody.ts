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
  const [loaded] = firstPlaces(free, [head.loaded, base?.loaded]);
  if (loaded !== undefined) {
    const [path, place] = loaded;
    return { code: 'RULE', reason: `${path} changed, which is loaded for every workspace (by ${place}).`, subject: path };
  }
  return (await whyRun(asked, free, [head.inPipelines, base?.inPipelines ?? {}])) ?? whyManifestIsRead(inputs, sides, { head, base });
}

/** Returns the reason if a part of a pipeline that counts, or may count, names a file. */
async function whyRun(
  asked: Asked,
  paths: readonly string[],
  facts: readonly ReferenceFacts['inPipelines'][],
): Promise<AllReason | undefined> {
  const named = paths.flatMap((path) =>
    facts.flatMap((known) => (Object.hasOwn(known, path) ? (known[path] ?? []) : []).map((place) => ({ path, place }))),
  );
  if (named.length === 0) return undefined;
  const isCounted = await (await import('./compare-ci-files.js')).readMentions(asked);
  const found = named.find(({ place }) => isCounted?.(place) !== false);
  if (found === undefined) return undefined;
  const { path, place } = found;
  return {
    code: 'RULE',
    reason: `${path} changed, which a pipeline may use for every workspace (${place.file}${place.line === undefined ? '' : `:${place.line}`} names it).`,
    subject: path,
  };
}

/** Returns the first place of each path that has one. */
function firstPlaces(paths: readonly string[], places: Places): ReadonlyMap<string, string> {
  const found = places.flatMap((known) =>
    paths.flatMap((path) => (known !== undefined && Object.hasOwn(known, path) ? [[path, known[path] ?? ''] as const] : [])),
  );
  return new Map(found.reverse());
}
