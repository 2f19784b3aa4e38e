import { isToolError } from '@tributary/model/errors';
import { branchRef, type CommitId, parseObjectId } from '@tributary/model/ids';
import type { CiBase } from './ci-change.js';

/** The environment of a CI job. */
export type CiVariables = Readonly<Record<string, string | undefined>>;

/** Returns the value of a variable. An empty one counts as unset, because templates pass on missing values as ''. */
export function readText(variables: CiVariables, name: string): string | undefined {
  const text = Object.hasOwn(variables, name) ? variables[name] : undefined;
  return text === '' ? undefined : text;
}

/** Returns `null` for everything that is not a commit id, including the zeros of a first push. */
export function commitIn(text: unknown): CommitId | null {
  if (typeof text !== 'string' || /^0+$/.test(text)) return null;
  return orNull(() => parseObjectId(text));
}

/** Returns the name of a branch without `refs/heads/`; `null` if git does not allow it, or if it looks like an option. */
export function branchIn(text: unknown): string | null {
  if (typeof text !== 'string') return null;
  const name = text.replace(/^refs\/heads\//, '');
  return orNull(() => branchRef(name)) === null ? null : name;
}

/** Returns a number such as `42`; `null` for everything that is not the number of a pull request (Buildkite sets `false`). */
export function numberIn(text: unknown): number | null {
  const number = typeof text === 'number' ? text : /^[1-9]\d{0,14}$/.test(String(text)) ? Number(text) : 0;
  return Number.isSafeInteger(number) && number > 0 ? number : null;
}

/** Returns the number of an attempt, from 1, with at most six digits; `undefined` for everything else. */
export function attemptIn(variables: CiVariables, name: string): number | undefined {
  // There is no attempt 0.
  return countIn(variables, name) || undefined;
}

/** Returns a number of at most six digits; `undefined` for everything else. */
export function countIn(variables: CiVariables, name: string): number | undefined {
  const text = readText(variables, name);
  return text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) : undefined;
}

/** Returns the merge base with the branch in a variable. The reason does not repeat its value, which may be anything. */
export function branchBase(text: unknown, source: string): CiBase {
  if (text === undefined || text === null) return unknownBase(`${source} is not set`);
  const name = branchIn(text);
  return name === null ? unknownBase(`${source} is not a branch name`) : { kind: 'branch', name, source };
}

/** Returns the previous commit of the branch under test, from a variable. */
export function previousBase(variables: CiVariables, branch: string | null, source: string): CiBase {
  if (branch === null) return unknownBase('no variable names a branch');
  return { kind: 'push', branch, before: commitIn(readText(variables, source)), forced: 'unknown', source, workflow: null };
}

export function unknownBase(reason: string): CiBase {
  return { kind: 'unknown', reason };
}

function orNull<T>(parse: () => T): T | null {
  try {
    return parse();
  } catch (error) {
    if (isToolError(error)) return null;
    throw error;
  }
}
