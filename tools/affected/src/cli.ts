import loadQuick from 'late:./cli/quick.js';
import loadWholeProgram from 'late:./cli/whole-program.js';

const argv = process.argv.slice(2);
void main();

/** The command lines of nearly all CI jobs need neither a parser nor a terminal, which take as long to load as the answer takes. */
async function main(): Promise<void> {
  if (mayBeQuick()) {
    const { answerQuickly } = loadQuick() as typeof import('./cli/quick.js');
    if ((await answerQuickly(argv)) === 'answered') return;
  }
  const { runWholeProgram } = loadWholeProgram() as typeof import('./cli/whole-program.js');
  await runWholeProgram();
}

/** No command, a base, and an answer for programs. What more there is to it is found out by code that is compiled ahead, as this file cannot be. */
function mayBeQuick(): boolean {
  return argv[0]?.startsWith('-') === true && argv.includes('--base') && (argv.includes('--json') || argv.includes('--format'));
}
