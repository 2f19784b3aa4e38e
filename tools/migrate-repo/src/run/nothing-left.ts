import { ToolError } from '@tributary/model/errors';
import type { LeftOutPackage } from '../plan/facts.js';

/** Returns the error for a run of `--all` with nothing left to migrate. */
export function allThere(leftOut: readonly LeftOutPackage[]): ToolError {
  const waiting = new Set(leftOut.map(({ error }) => error.data['branch']).filter((branch) => typeof branch === 'string'));
  const rest = waiting.size === 0 ? '' : `; ${[...waiting].join(', ')} ${waiting.size === 1 ? 'is' : 'are'} not merged yet`;
  return new ToolError({
    code: 'ALREADY_MIGRATED',
    message: `All ${leftOut.length} packages in tributary.json are migrated already${rest}.`,
    hint: '"migrate-repo status" lists them; "migrate-repo verify --all" verifies them.',
    data: { packages: leftOut.map(({ name }) => name), branches: [...waiting] },
  });
}

/** Returns the error for a run in which every package is left out. One that was left out alone is refused with its own error. */
export function nothingLeft(leftOut: readonly LeftOutPackage[]): ToolError {
  const [first] = leftOut;
  if (first !== undefined && leftOut.length === 1) return first.error;
  const failed = leftOut.filter(({ error }) => error.code !== 'ALREADY_MIGRATED');
  const listed = failed.length === 0 ? leftOut : failed;
  const hint = hintFor(failed);
  return new ToolError({
    code: 'PACKAGES_LEFT_OUT',
    message: `${countsOf(leftOut.length, failed.length)}\n${listed.map(({ name, error }) => `  ${name}: ${error.message} [${error.code}]`).join('\n')}`,
    ...(hint === undefined ? {} : { hint }),
    data: { leftOut: leftOut.map(({ name, error }) => ({ name, error })) },
  });
}

function countsOf(all: number, failed: number): string {
  if (failed === 0) return `All ${all} packages are migrated already.`;
  if (failed === all) return `None of the ${all} packages can be migrated.`;
  const done = all - failed === 1 ? `1 of the ${all} packages was` : `${all - failed} of the ${all} packages were`;
  return `${done} migrated before, and ${failed === 1 ? 'the other one' : `the other ${failed}`} cannot be migrated.`;
}

function hintFor(failed: readonly LeftOutPackage[]): string | undefined {
  const [first, ...others] = failed;
  if (first === undefined) return '"migrate-repo status" lists them.';
  return others.length === 0 ? first.error.hint : 'Migrate one of them alone to see its hint.';
}
