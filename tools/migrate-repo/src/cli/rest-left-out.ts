import type { ToolError } from '@tributary/model/errors';
import { describeLeftOut } from '../describe/describe.js';
import type { LeftOutPackage } from '../plan/facts.js';
import type { MigrateResult } from '../result/result.js';

/** What a run could not migrate that proposes the branch of an earlier run. */
export interface RestLeftOut {
  readonly message: string;
  readonly hint: string | undefined;
  /** Packages that no run has migrated. */
  readonly leftOut: MigrateResult['leftOut'];
}

/**
 * Returns what a failed migration leaves out. `branch`: the branch of the earlier run, which is proposed. If that branch
 * is in the way, the hint does not suggest to undo it.
 */
export function restLeftOut({ code, message, hint, data }: ToolError, branch: string): RestLeftOut {
  if (code === 'PACKAGES_LEFT_OUT') {
    const all = data['leftOut'] as readonly LeftOutPackage[];
    return { message, hint, leftOut: all.filter(({ error }) => error.code !== 'ALREADY_MIGRATED').map(describeLeftOut) };
  }
  const names = data['packages'] as readonly string[];
  const rest = {
    message: `${names.join(', ')} ${names.length === 1 ? 'was' : 'were'} not migrated. ${message}`,
    hint:
      data['existing'] === `refs/heads/${branch}`
        ? `Name another branch with --branch. Or merge ${branch}, delete it, and run the command again.`
        : hint,
  };
  return { ...rest, leftOut: names.map((name) => ({ name, code, message, hint: rest.hint ?? null })) };
}
