import { readQuickCommand } from './cli/quick-command.js';

void main(process.argv.slice(2));

/** The command lines of nearly all CI jobs need neither a parser nor a terminal, which take as long to load as the answer takes. */
async function main(argv: readonly string[]): Promise<void> {
  const command = readQuickCommand(argv);
  if (command !== undefined) {
    const { answerQuickly } = await import('./cli/quick.js');
    if ((await answerQuickly(command)) === 'answered') return;
  }
  const { runWholeProgram } = await import('./cli/whole-program.js');
  await runWholeProgram();
}
