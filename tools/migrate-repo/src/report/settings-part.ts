import type { SettingFinding } from '../align/settings/scene.js';
import { tellOnce } from '../said.js';
import type { ReportPart } from './part.js';

export function settingsPart(findings: readonly SettingFinding[]): ReportPart {
  const said = findings.map((one) => ({ ...one, where: { package: one.newcomer, place: one.setting } }));
  return {
    step: 'settings',
    decisions: tellOnce(said.flatMap(({ where, decision }) => (decision === undefined ? [] : [{ ...where, ...decision }]))),
    changes: tellOnce(said.flatMap(({ where, outcome, done }) => (isChange(outcome) ? [{ ...where, ...done }] : []))),
  };
}

function isChange(outcome: SettingFinding['outcome']): boolean {
  return outcome === 'carried' || outcome === 'equal';
}
