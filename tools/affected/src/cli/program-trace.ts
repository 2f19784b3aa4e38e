import { addExamples, readCwd } from '@tributary/terminal/global-options';
import { addLater } from '@tributary/terminal/late-details';
import type { Services } from '@tributary/terminal/main';
import type { Command } from 'commander';

/** Adds the command that observes what tests read. */
export function addTrace(program: Command, services: Services): void {
  const command = program
    .command('trace')
    .summary('run a command and record what it reads')
    .argument('<command...>', 'the command, after "--"');
  addLater(command, () => {
    command
      .description(
        'Runs a command under strace, or with hooks in Node where strace cannot watch, and writes an observation: the files, folders, packages and programs that it read, and whether the record is complete. `affected check --observed` compares it with what is declared. Ends with the exit code of the command.',
      )
      .option('--out <file>', 'output file (default: .tributary/observations/<workspace>-<hash>.json)')
      .option('--workspace <name>', 'workspace that the command tests (default: the owner of the current folder)');
    addExamples(command, [
      { line: 'affected trace -- yarn run test', purpose: 'in the folder of a workspace: what its tests read' },
      { line: 'affected trace --workspace @acme/ui -- yarn jest packages/ui', purpose: 'the same from the root' },
    ]);
    command.action(async (words: string[], options: { out?: string; workspace?: string }) => {
      const { runTrace } = await import('./commands.js');
      await runTrace({ cwd: readCwd(command), command: words, out: options.out, workspace: options.workspace }, services);
    });
  });
}
