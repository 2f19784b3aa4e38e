import type { Message } from '../message.js';
import { settingsFixture } from './settings/settings.fixture.js';
import { carrySettings } from './settings.js';

export type SettingsFixture = Parameters<typeof settingsFixture>[0];

/** Returns what `carrySettings` does with the settings of a fixture, with messages as text. */
export function carry(fixture: SettingsFixture) {
  const { edits, findings: messages } = carrySettings(settingsFixture(fixture));
  const findings = messages.map((one) => ({ ...one, done: words(one.done), decision: one.decision && words(one.decision) }));
  const json = (path: string): Record<string, unknown> | undefined => {
    const text = (edits as ReadonlyMap<string, string | undefined>).get(path);
    return text === undefined ? undefined : (JSON.parse(text) as Record<string, unknown>);
  };
  return {
    edits: edits as ReadonlyMap<string, string | undefined>,
    findings,
    root: json('package.json')?.['resolutions'],
    own: json('packages/new/package.json'),
  };
}

function words({ text, detail }: Message): string {
  return detail === undefined ? text : `${text} (${detail})`;
}
