import { addExamples, readCwd } from '@tributary/terminal/global-options';
import { takesBack } from '@tributary/terminal/interruption';
import { addLater } from '@tributary/terminal/late-details';
import type { Services } from '@tributary/terminal/main';
import type { Command } from 'commander';

/** Adds the command that observes what tests read. */
export function addTrace(program: Command, services: Services): void {
  const command = takesBack(program.command('trace'))
    .summary('run a command and list what it reads elsewhere')
    .argument('<command...>', 'the command, after "--"');
  addLater(command, () => {
    command
      .description(
        'Runs a command under strace (Linux), and lists the files that it opened outside of its workspace and its dependencies. Writes them to a file, which `affected check --observed <file> --fix` turns into edges of tributary.json. Ends with the exit code of the command.',
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
