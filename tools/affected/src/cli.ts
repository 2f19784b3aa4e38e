// First of all, so that git works while the rest is loaded.
import './io/early.js';

import { answerQuickly } from './cli/quick.js';
import { early } from './io/early.js';

void main(process.argv.slice(2));

/** The command lines of nearly all CI jobs need neither a parser nor a terminal, which take as long to load as everything else here. */
async function main(argv: readonly string[]): Promise<void> {
  if ((await answerQuickly(argv, early)) === 'answered') return;
  const { runWholeProgram } = await import('./cli/whole-program.js');
  await runWholeProgram(early);
}
