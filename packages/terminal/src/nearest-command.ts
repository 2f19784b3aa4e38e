import type { Command } from 'commander';
import { closestMatch } from 'leven';

/**
 * Returns the visible command, or `help`, that a word is a mistyped form of: the same letters in another order, else an edit distance of at
 * most two letters. For programs whose first argument may be any word.
 */
export function nearestCommand(program: Command, word: string): string | undefined {
  const names = program
    .createHelp()
    .visibleCommands(program)
    .map((command) => command.name());
  const typed = word.toLowerCase();
  // In a short word, two letters are too many: `vue` must not match `why`.
  return names.find((name) => sorted(name) === sorted(typed)) ?? closestMatch(typed, names, { maxDistance: typed.length > 3 ? 2 : 1 });
}

function sorted(word: string): string {
  return word.split('').sort().join('');
}
