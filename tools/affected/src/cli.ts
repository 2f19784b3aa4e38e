void main();

/** The command lines of nearly all CI jobs need neither a parser nor a terminal, which take as long to load as the answer takes. */
async function main(): Promise<void> {
  const argv = process.argv.slice(2);
  if (mayBeQuick(argv)) {
    const { answerQuickly } = await import('./cli/quick.js');
    if ((await answerQuickly(argv)) === 'answered') return;
  }
  const { runWholeProgram } = await import('./cli/whole-program.js');
  await runWholeProgram();
}

/** No command, a base, and an answer for programs. */
function mayBeQuick(argv: readonly string[]): boolean {
  return argv[0]?.startsWith('-') === true && argv.includes('--base') && (argv.includes('--json') || argv.includes('--format'));
}
