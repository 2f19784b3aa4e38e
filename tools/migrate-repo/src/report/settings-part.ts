import type { SettingFinding } from '../align/settings/scene.js';
import { grouped } from './grouped.js';
import { code, type ReportPart } from './part.js';

export function settingsPart(findings: readonly SettingFinding[]): ReportPart {
  return {
    step: 'settings',
    decisions: grouped(findings.map((one) => ({ newcomer: one.newcomer, text: one.decision && `${code(one.setting)}: ${one.decision}` }))),
    changes: grouped(findings.map((one) => ({ newcomer: one.newcomer, text: changeOf(one) }))),
  };
}

function changeOf({ outcome, setting, done }: SettingFinding): string | undefined {
  return outcome === 'carried' || outcome === 'equal' ? `${code(setting)}: ${done}` : undefined;
}
