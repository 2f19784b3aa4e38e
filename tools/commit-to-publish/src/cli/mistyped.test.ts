import { expect, test } from '@jest/globals';
import { systemClock } from '@tributary/terminal/clock';
import { recordStreams } from '@tributary/terminal/recording-streams';
import { Ui } from '@tributary/terminal/ui';
import { typosOf } from '@tributary/test-repo/typos';
import { buildProgram } from './program.js';

test('a mistyped command is told which one was meant, whatever the typo', async () => {
  const ui = new Ui(recordStreams(), {}, { quiet: false, verbose: false, color: 'never', input: 'never', json: false });
  const create = () => buildProgram({ ui, clock: systemClock, signal: new AbortController().signal });
  const names = create().commands.map((command) => command.name());
  const mistyped = names.flatMap((name) => typosOf(name).map((typo) => [typo, name] as const));
  expect(mistyped.length).toBeGreaterThan(150);
  for (const [typo, name] of mistyped) {
    const parsed = create()
      .exitOverride()
      .configureOutput({ outputError: () => {} })
      .parseAsync([typo, '--out', 'x'], { from: 'user' });
    await expect(parsed).rejects.toMatchObject({ message: `error: unknown command '${typo}'\n(Did you mean ${name}?)` });
  }
});
