void main();

/**
 * Runs the program. Most CI jobs need neither the argument parser nor the terminal code, which take as long to load as the answer takes to
 * compute.
 */
async function main(): Promise<void> {
  const argv = process.argv.slice(2);
  if (mayBeQuick(argv)) {
    const { answerQuickly } = await import('./cli/quick.js');
    if ((await answerQuickly(argv)) === 'answered') return;
  }
  const { runWholeProgram } = await import('./cli/whole-program.js');
  await runWholeProgram();
}

/** Tells whether the command line has no command, a base, and an output format for programs. */
function mayBeQuick(argv: readonly string[]): boolean {
  return argv[0]?.startsWith('-') === true && argv.includes('--base') && (argv.includes('--json') || argv.includes('--format'));
}
