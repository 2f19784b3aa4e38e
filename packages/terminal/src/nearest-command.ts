import type { Command } from 'commander';
import { closestMatch } from 'leven';

/** The command that a mistyped word was meant for, as two letters more, less or other make it; for programs whose first word may be anything. */
export function nearestCommand(program: Command, word: string): string | undefined {
  const names = program.commands.map((command) => command.name());
  // Of a short word two letters are too much: `vue` is no `why`.
  return closestMatch(word, names, { maxDistance: word.length > 3 ? 2 : 1 });
}
