import type { Command } from 'commander';

// On the command itself: a bundle file has its own copy of this module.
const detailsKey = Symbol.for('tributary.terminal.details');

/**
 * Leaves for later what only the help and the run of this command need: options, examples, the action. `add` is called once, before commander
 * reads the words behind the command, or by `completeCommands`. Name, summary and arguments stand in the help of the program: give them first.
 */
export function addLater(command: Command, add: () => void): void {
  let isOpen = true;
  const complete = (): void => {
    if (isOpen) add();
    isOpen = false;
  };
  Object.defineProperty(command, detailsKey, { value: complete });
  command.on('beforeAllHelp', complete);
  command.parent?.hook('preSubcommand', (_, chosen) => {
    if (chosen === command) complete();
  });
}

/** Adds what was left for later to all commands of a program, for whoever looks at every option. */
export function completeCommands(program: Command): void {
  (program as { [detailsKey]?: () => void })[detailsKey]?.();
  for (const command of program.commands) completeCommands(command);
}
