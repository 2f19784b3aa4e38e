import { ToolError } from '@tributary/model/errors';
import type { Command, CommanderError } from 'commander';

/** What earlier versions of a tool had. Each name has the sentences that say what to use instead. */
export interface Removed {
  /** By the name of the command. */
  readonly commands: Readonly<Record<string, string>>;
  /** By the option with its hyphens, for all commands: an option that one command still has is not removed. */
  readonly options: Readonly<Record<string, string>>;
}

export const NOTHING_REMOVED: Removed = { commands: {}, options: {} };

/** Adds a hidden command for each removed one: whatever follows its name, it says that it is gone. */
export function addRemovedCommands(program: Command, { commands }: Removed): void {
  for (const [name, instead] of Object.entries(commands)) {
    program
      .command(name, { hidden: true })
      .helpOption(false)
      .allowUnknownOption()
      .allowExcessArguments()
      .action(() => {
        throw new ToolError({ code: 'USAGE', message: `The command "${name}" was removed.`, hint: instead });
      });
  }
}

/** Returns the error for a removed option. `undefined` if commander complains of something else. */
export function removedOption(error: CommanderError, { options }: Removed): ToolError | undefined {
  const [, option = ''] = error.code === 'commander.unknownOption' ? (/'([^'=]+)/.exec(error.message) ?? []) : [];
  const instead = Object.hasOwn(options, option) ? options[option] : undefined;
  return instead === undefined ? undefined : new ToolError({ code: 'USAGE', message: `The option ${option} was removed.`, hint: instead });
}
