import type { Alignment } from '../run/align.js';
import { carryOverPart } from './carry-over-part.js';
import { internalPart } from './internal-part.js';
import { lockPart, unlockedPart } from './lock-part.js';
import type { ReportPart } from './part.js';
import { phantomsPart } from './phantoms-part.js';
import { settingsPart } from './settings-part.js';
import { versionsPart } from './versions-part.js';

/** What the steps of an alignment have to say, in their order. */
export function partsOf(alignment: Omit<Alignment, 'steps'>): readonly ReportPart[] {
  const { internal, phantoms, versions, settings, carryOver, packed, lock, lockedAlone, root } = alignment;
  const manifests = [internalPart(internal), phantomsPart(phantoms), versionsPart(versions)];
  const locked = lock === undefined ? unlockedPart(lockedAlone) : lockPart(lock);
  return [...manifests, settingsPart(settings), carryOverPart(carryOver, packed, root), locked];
}
