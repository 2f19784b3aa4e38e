import type { SettingFinding } from '../align/settings/setting-input.js';
import type { Alignment } from '../alignment.js';
import { groupMessages } from '../message.js';
import { carryOverPart } from './carry-over-part.js';
import { installPart } from './install-part.js';
import { internalPart } from './internal-part.js';
import { lockPart, olderQuestions, unlockedPart } from './lock-part.js';
import type { ReportPart } from './part.js';
import { phantomsPart } from './phantoms-part.js';
import { versionsPart } from './versions-part.js';

/** Returns the reports of the alignment steps, in order. */
export function partsOf(alignment: Omit<Alignment, 'steps' | 'planned'> & Partial<Pick<Alignment, 'planned'>>): readonly ReportPart[] {
  const { internal, phantoms, versions, settings, carryOver, packed, lock, oldLocks } = alignment;
  const { replaced, tables, downgrades } = alignment.consequences;
  // Downgrades are reported once for all, with the lockfile.
  const newer = replaced.filter(({ change }) => change.direction === 'up');
  const manifests = [internalPart(internal, newer, lock?.answered ?? []), phantomsPart(phantoms), versionsPart(tables, versions)];
  const locked = lock === undefined ? unlockedPart(unlockedIn(alignment)) : lockPart(lock, oldLocks);
  const shown = installPart(alignment);
  const decisions = [...olderQuestions(downgrades, alignment.planned?.consequences.downgrades), ...shown.decisions, ...locked.decisions];
  const install = { ...locked, decisions, changes: [...locked.changes, ...shown.changes] };
  return [...manifests, settingsPart(settings), carryOverPart(carryOver, packed, alignment.installation), install];
}

/** Returns the packages whose locked versions are not, and will not be, in the branch's lockfile. */
function unlockedIn({ installation, oldLocks }: Pick<Alignment, 'installation' | 'oldLocks'>): readonly string[] {
  return installation === 'planned' ? [] : [...oldLocks.keys()];
}

function settingsPart(findings: readonly SettingFinding[]): ReportPart {
  const located = findings.map((one) => ({ ...one, where: { package: one.importedPackage, place: one.setting } }));
  return {
    step: 'settings',
    decisions: located.flatMap(({ where, decision }) =>
      decision === undefined ? [] : [{ ...where, ...decision, topic: decision.topic ?? 'install-settings' }],
    ),
    changes: groupMessages(located.flatMap(({ where, outcome, done }) => (isChange(outcome) ? [{ ...where, ...done }] : []))),
  };
}

function isChange(outcome: SettingFinding['outcome']): boolean {
  return outcome === 'carried' || outcome === 'equal';
}
