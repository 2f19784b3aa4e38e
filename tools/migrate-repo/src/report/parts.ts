import type { Alignment } from '../run/align.js';
import { carryOverPart } from './carry-over-part.js';
import { installPart } from './install-part.js';
import { internalPart } from './internal-part.js';
import { lockPart, olderQuestions, unlockedPart } from './lock-part.js';
import type { ReportPart } from './part.js';
import { phantomsPart } from './phantoms-part.js';
import { settingsPart } from './settings-part.js';
import { versionsPart } from './versions-part.js';

/** What the steps of an alignment have to say, in their order. */
export function partsOf(alignment: Omit<Alignment, 'steps' | 'planned'> & Partial<Pick<Alignment, 'planned'>>): readonly ReportPart[] {
  const { internal, phantoms, versions, settings, carryOver, packed, lock, oldLocks } = alignment;
  const { replaced, tables, downgrades } = alignment.consequences;
  // What gets older is told once for all, with the lockfile.
  const newer = replaced.filter(({ change }) => change.direction === 'up');
  const manifests = [internalPart(internal, newer, lock?.answered ?? []), phantomsPart(phantoms), versionsPart(tables, versions)];
  const locked = lock === undefined ? unlockedPart(unlockedIn(alignment)) : lockPart(lock, oldLocks);
  const shown = installPart(alignment);
  const decisions = [...olderQuestions(downgrades, alignment.planned?.consequences.downgrades), ...shown.decisions, ...locked.decisions];
  const install = { ...locked, decisions, changes: [...locked.changes, ...shown.changes] };
  return [...manifests, settingsPart(settings), carryOverPart(carryOver, packed, alignment.installation), install];
}

/** Who had something locked that is not in the lockfile of the branch, and will not be. */
function unlockedIn({ installation, oldLocks }: Pick<Alignment, 'installation' | 'oldLocks'>): readonly string[] {
  return installation === 'planned' ? [] : [...oldLocks.keys()];
}
