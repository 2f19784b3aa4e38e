import type { Dice } from '@tributary/test-repo/dice';

/** Forms that YAML allows in a lockfile and Yarn does not write. None changes the meaning. */
const NOISE: readonly ((line: string, dice: Dice) => string)[] = [
  (line) => line.replace(/:$/, ': '),
  (line) => line.replace(/:$/, ' :'),
  (line) => line.replace(/^( *)([\w-]+):/, '$1"$2":'),
  (line) => line.replace(/^( *)([\w-]+):/, "$1'$2':"),
  (line, dice) => line.replace(/:$/, `: &anchor${dice.below(1_000_000)}`),
  (line) => line.replace(/"([^"']+)"/g, "'$1'"),
  (line) => (line === '' ? line : `${line} # a comment`),
  (line) => line.replace(/: /, ':   '),
  (line) => line.replace(/^(\S.*):$/, '? $1\n:'),
  (line) => `${line}\r`,
  (line) => line.replace(/^( +)version: (.*)$/, '$1version: !!str $2'),
];

/** Writes some lines of a Yarn 4 lockfile in other forms, and some maps in braces. */
export function disturbLock(text: string, dice: Dice): string {
  const folded = dice.chance(40) ? foldMaps(text, dice) : text;
  const share = dice.pick([1, 3, 8]);
  return folded
    .split('\n')
    .map((line) => (dice.chance(share) ? dice.pick(NOISE)(line, dice) : line))
    .join('\n');
}

/** Turns `dependencies:` with its lines below into `dependencies: {...}`. */
function foldMaps(text: string, dice: Dice): string {
  return text.replace(/^( {2}\w+):\n((?: {4}.*\n)+)/gm, (whole: string, title: string, lines: string) =>
    dice.chance(40)
      ? `${title}: {${lines
          .trim()
          .split('\n')
          .map((line) => line.trim())
          .join(', ')}}\n`
      : whole,
  );
}
