import type { Alignment } from '../run/align.js';
import { internalPart } from './internal-part.js';
import type { ReportPart } from './part.js';
import { versionsPart } from './versions-part.js';

/** What the steps of an alignment have to say, in their order. */
export function partsOf({ internal, versions }: Pick<Alignment, 'internal' | 'versions'>): readonly ReportPart[] {
  return [internalPart(internal), versionsPart(versions)];
}
