import { ToolError } from '@tributary/model/errors';

/** Returns the error for a word that resembles a command, and is no package of tributary.json. */
export function unknownCommand(word: string, command: string): ToolError {
  return new ToolError({
    code: 'USAGE',
    message: `Unknown command "${word}".`,
    hint: `Did you mean ${command}? For the package of that name: migrate-repo migrate ${word}`,
  });
}
