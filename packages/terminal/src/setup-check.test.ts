import { expect, test } from '@jest/globals';
import { recordStreams } from './recording-streams.js';
import { showSetup } from './setup-check.js';
import { Ui } from './ui.js';

test('on a narrow terminal, too, the whole reason is shown', () => {
  const found = 'The own Yarn, 4.18.1, cannot be started: yarnPath is not set, and there is no Yarn in PATH.';
  const shown = (COLUMNS: string): string => {
    const streams = recordStreams();
    const ui = new Ui(streams, { COLUMNS }, { quiet: false, verbose: false, color: 'never', input: 'never', json: false });
    showSetup([{ name: 'Yarn', state: 'limited', found, hint: 'Commit it.' }], ui);
    return streams.stdoutText();
  };
  const whole = `needs  state    found\nYarn   limited  ${found}\n\nYarn: Commit it.\n`;
  expect(['50', '120'].map(shown)).toEqual([whole, whole]);
});
