import type { AffectedAnswer } from '@tributary/workspaces/affected';
import type { SpreadPolicy } from '@tributary/workspaces/spread';
import type { Snapshot } from '../snapshot.js';
import { type BuiltWith, readBuilds } from './built-with.js';
import type { AffectedInputs } from './inputs.js';

/** The policy, with the dev edges that do not end a change and their evidence. */
export type TerminalPolicy = SpreadPolicy & BuiltWith;

/**
 * Returns how a change spreads under `dev: "terminal"`: dev edges end it, except those whose dependent is built with the dependency. Throws
 * `GIT_FAILED`.
 */
export async function terminalPolicy({ git, place, headTree }: AffectedInputs, head: Snapshot): Promise<TerminalPolicy> {
  return { dev: 'terminal', ...(await readBuilds({ git, place, commit: headTree }, head)) };
}

/** Returns a sentence for each dev edge that the answer followed because the dependent is built with the dependency. */
export function namePassed({ members }: AffectedAnswer, { unsafe }: TerminalPolicy): readonly string[] {
  const steps = new Set(
    members.flatMap(({ reasons }) => reasons.flatMap((reason) => (reason.kind === 'dependency' ? stepsOf(reason.path) : []))),
  );
  return unsafe.flatMap(({ workspace, dependency, file, line }) => {
    const place = line === undefined ? file : `${file}:${line}`;
    return steps.has(`${workspace}\0${dependency}`)
      ? [`${workspace} is built with its dev dependency ${dependency} (${place}), so a change to it also reaches the dependents.`]
      : [];
  });
}

function stepsOf(path: readonly string[]): readonly string[] {
  return path.slice(1).map((to, at) => `${path[at] ?? ''}\0${to}`);
}
