import type { LockOutcome } from '../run/keep-locked.js';
import { code, type ReportPart } from './part.js';

/** More than this nobody reads; a program may take them out of the lockfile. */
const SHOWN = 20;

export function lockPart({ installation, pinned, conflicts, dropped }: LockOutcome): ReportPart {
  const { kept, moved, unneeded } = installation;
  return {
    step: 'lockfile',
    decisions: [],
    changes: [
      ...(pinned === 0 ? [] : [keptSentence({ kept, pinned, conflicts: conflicts.length, unneeded: unneeded.length })]),
      ...someOf(
        conflicts.map(({ descriptor, root, newcomer }) => `${code(descriptor)} is ${root} as in the monorepo; it was ${newcomer}.`),
      ),
      ...someOf(moved.map(({ descriptor, from, to }) => `${code(descriptor)} is ${to} now; it was ${from}.`)),
      ...someOf(dropped.map(({ descriptor, version, why }) => `${code(descriptor)} was ${version}, and is not kept: ${why}.`)),
      'Installed with `--immutable --check-resolutions`.',
    ],
  };
}

function keptSentence(counts: {
  readonly kept: number;
  readonly pinned: number;
  readonly conflicts: number;
  readonly unneeded: number;
}): string {
  const { kept, pinned, conflicts, unneeded } = counts;
  return [
    `${kept} of ${pinned} locked versions are kept`,
    ...(conflicts === 0 ? [] : [`for ${conflicts} the monorepo has another`]),
    ...(unneeded === 0 ? [] : [`${unneeded} are no longer asked for`]),
  ].join('; ');
}

/** The same may be so for several newcomers. */
function someOf(all: readonly string[]): readonly string[] {
  const lines = [...new Set(all)];
  return lines.length <= SHOWN ? lines : [...lines.slice(0, SHOWN), `And ${lines.length - SHOWN} more like the one before.`];
}
