import type { Result } from './affected-group.js';
import { HELP, LOCK, MANIFEST, OURS, PLAN, TABLE, TEMPLATE, WIDE, WRONG } from './affected-rows.js';
import type { Bar, Section } from './affected-table.js';
import { PNPM, TURBO_RAW } from './peers.js';

/** Returns the tool's promises for a monorepo of this size; empty for other sizes. */
export function barsFor(workspaces: number, { results }: Section): Bar[] {
  const find = (name: string): Result | undefined => results.find((result) => result.name === name);
  const over = (name: string): string => `${workspaces}: ${name}, over ours`;
  const ours = find(OURS)?.overNode;
  if (workspaces === 1000) {
    return [
      { subject: `${workspaces}: one file, over node -e 0`, value: ours, atMost: 2.8 },
      { subject: `${workspaces}: one file as a table, over node -e 0`, value: find(TABLE)?.overNode, atMost: 3.5 },
      { subject: `${workspaces}: one manifest, over node -e 0`, value: find(MANIFEST)?.overNode, atMost: 5 },
      { subject: `${workspaces}: plan, over node -e 0`, value: find(PLAN)?.overNode, atMost: 8 },
      { subject: `${workspaces}: --help, over node -e 0`, value: find(HELP)?.overNode, atMost: 1.6 },
      { subject: `${workspaces}: a wrong flag, over node -e 0`, value: find(WRONG)?.overNode, atMost: 1.6 },
      { subject: `${workspaces}: a file in 50 packages, over node -e 0`, value: find(WIDE)?.overNode, atMost: 5.5 },
      { subject: over(TEMPLATE), value: find(TEMPLATE)?.overOurs, atMost: 1.3 },
      { subject: over(TURBO_RAW), value: find(TURBO_RAW)?.overOurs, atLeast: 1.7 },
      { subject: over(PNPM), value: find(PNPM)?.overOurs, atLeast: 1 },
    ];
  }
  if (workspaces < 5000) return [];
  return [
    { subject: `${workspaces}: one manifest, over one file`, value: find(MANIFEST)?.overOurs, atMost: 3 },
    { subject: over(PNPM), value: find(PNPM)?.overOurs, atLeast: 1 },
  ];
}

/** Returns the promise for a change of a lockfile of 1 MB. */
export function barsForLock({ results }: Section): Bar[] {
  return [
    { subject: 'one entry of a 1 MB lockfile, over node -e 0', value: results.find(({ name }) => name === LOCK)?.overNode, atMost: 5.5 },
  ];
}

/** Returns the promise for a real repository. */
export function barsForGiven(name: string, { results }: Section): Bar[] {
  return [{ subject: `${name}: one file, over node -e 0`, value: results.find((result) => result.name === OURS)?.overNode, atMost: 2.8 }];
}
