import type { SettingFinding } from '../align/settings/scene.js';
import { groupMessages } from '../message.js';
import type { ReportPart } from './part.js';

export function settingsPart(findings: readonly SettingFinding[]): ReportPart {
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
