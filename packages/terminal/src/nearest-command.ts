import type { Command } from 'commander';
import { closestMatch } from 'leven';

/** Returns the command within an edit distance of two letters from a word; for programs whose first argument may be any word. */
export function nearestCommand(program: Command, word: string): string | undefined {
  const names = program.commands.map((command) => command.name());
  // In a short word, two letters are too many: `vue` must not match `why`.
  return closestMatch(word, names, { maxDistance: word.length > 3 ? 2 : 1 });
}
