import { type Command, InvalidArgumentError, Option } from 'commander';

/** Where the way of a change may end. */
export const ENDS = ['published', 'upgraded', 'released'] as const;
export type End = (typeof ENDS)[number];

/** For an option that may be given several times. */
export function addList(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

export function readWeeks(text: string): number {
  const weeks = Number(/^(\d{1,3})w?$/.exec(text)?.[1]);
  if (!(weeks >= 1)) throw new InvalidArgumentError('It is a number of weeks, such as 6w.');
  return weeks;
}

export function addPercentile(command: Command): Command {
  return command.addOption(
    new Option('--percentile <method>', 'how a percentile between two values is found').choices(['linear', 'nearest']).default('linear'),
  );
}
