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
      ...(pinned === 0
        ? []
        : [keptSentence({ kept, pinned, conflicts: conflicts.length, unneeded: unneeded.length, dropped: dropped.length })]),
      ...someOf(installation.toWorkspaces.map((descriptor) => `${code(descriptor)} came from the registry, and is the workspace now.`)),
      ...someOf(
        conflicts.map(({ descriptor, root, newcomer }) => `${code(descriptor)} is ${root} as in the monorepo; it was ${newcomer}.`),
      ),
      ...someOf(moved.map(({ descriptor, from, to }) => `${code(descriptor)} is ${to} now; it was ${from}.`)),
      ...someOf(dropped.map(({ descriptor, version, why }) => `${code(descriptor)} was ${version}, and is not kept: ${why}.`)),
      'Installed with `--immutable --check-resolutions`.',
    ],
  };
}

/** Nothing was installed, and what was locked is locked no more: nobody may find that out by accident. */
export function unlockedPart(names: readonly string[]): ReportPart {
  const decisions =
    names.length === 0
      ? []
      : [
          `Nothing was installed, so what ${names.join(', ')} had locked is not in the root yarn.lock. Run "yarn install", and look at what it resolves anew.`,
        ];
  return { step: 'lockfile', decisions, changes: [] };
}

function keptSentence(counts: {
  readonly kept: number;
  readonly pinned: number;
  readonly conflicts: number;
  readonly unneeded: number;
  readonly dropped: number;
}): string {
  const { kept, pinned, conflicts, unneeded, dropped } = counts;
  return [
    `${kept} of ${pinned} locked versions are kept`,
    ...(conflicts === 0 ? [] : [`for ${conflicts} the monorepo has another`]),
    ...(unneeded === 0 ? [] : [`${unneeded} are no longer asked for`]),
    ...(dropped === 0 ? [] : [`${dropped} more cannot be kept, as said below`]),
  ].join('; ');
}

/** The same may be so for several newcomers. */
function someOf(all: readonly string[]): readonly string[] {
  const lines = [...new Set(all)];
  return lines.length <= SHOWN ? lines : [...lines.slice(0, SHOWN), `And ${lines.length - SHOWN} more like the one before.`];
}
