import type { Git } from '@tributary/git/git';
import { type Config, DEFAULT_CONFIG } from '@tributary/model/config';
import { isToolError } from '@tributary/model/errors';
import type { FoundReason } from '@tributary/workspaces/affected';
import { parseConfigFile } from '@tributary/workspaces/config-file';
import type { EdgeSides } from '@tributary/workspaces/reading-edges';
import { isSameValue } from '@tributary/workspaces/same-value';
import { type RootTexts, readRootTexts } from '../io/reading.js';
import type { SidesCompared } from './compared.js';
import type { AffectedInputs } from './inputs.js';

/**
 * Returns the edges of both commits if tributary.json changed. `undefined` if other keys changed too, or if its previous content is
 * unreadable. Throws `GIT_FAILED`.
 */
export async function readEdgeSides({ git, repository, mergeBase, texts: textsOfHead }: AffectedInputs): Promise<EdgeSides | undefined> {
  if (mergeBase === null) return undefined;
  const texts = await readRootTexts(git, mergeBase, repository.project).catch(noneIfMissing(git));
  const before = texts && readOrNone(texts);
  const after = readOrNone(textsOfHead);
  if (before === undefined || after === undefined || !isSameValue(withoutEdges(before), withoutEdges(after), 'counts')) return undefined;
  const [base, head] = [before.affected.edges, after.affected.edges];
  return isSameValue(base, head, 'is free') ? undefined : { base, head };
}

/** A partial clone may lack the old settings. */
function noneIfMissing({ isPartial }: Git): (error: unknown) => undefined {
  return (error) => {
    if (isPartial !== true || !isToolError(error) || error.code !== 'GIT_FAILED') throw error;
    return undefined;
  };
}

/** Returns `undefined` if it is unreadable. */
function readOrNone({ 'tributary.json': text }: RootTexts): Config | undefined {
  if (text === undefined) return DEFAULT_CONFIG;
  try {
    return parseConfigFile(text, 'tributary.json');
  } catch (error) {
    if (!isToolError(error)) throw error;
    return undefined;
  }
}

function withoutEdges(config: Config): Config {
  return { ...config, affected: { ...config.affected, edges: {} } };
}

/** Adds the edges of both commits to the comparison's graph, with the reasons that they give. */
export async function followEdges(
  compared: SidesCompared,
  edges: EdgeSides,
  { files }: Pick<AffectedInputs, 'files'>,
): Promise<SidesCompared> {
  const isChanged = files.some(({ path }) => path === 'tributary.json');
  // Its content was examined.
  const answered = isChanged ? new Set([...compared.answered, 'tributary.json']) : compared.answered;
  if ([edges.base, edges.head].every((some) => Object.keys(some).length === 0)) return { ...compared, answered };
  const { findReadReasons, joinReadingEdges } = await import('@tributary/workspaces/reading-edges');
  const found: readonly FoundReason[] = [...compared.found, ...findReadReasons(files, compared, edges)];
  return { ...compared, answered, found, joined: joinReadingEdges(compared.joined, compared.base, edges) };
}
