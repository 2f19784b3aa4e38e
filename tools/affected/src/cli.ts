// The program reports its own failures, so this is one of its files: missing or damaged. Node would end with 1, a named failure.
main().catch((error: unknown) => {
  process.stderr.write(
    `error: This is a bug in Tributary. ${String(error)}\nhint: Install affected again: one of its files cannot be loaded.\n`,
  );
  process.exitCode = 70;
});

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
