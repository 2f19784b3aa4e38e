import { closedVariables } from '../../io/test-environment.js';
import { code } from '../../report/part.js';
import { isGood, lastOf } from '../../tests/test-run.js';
import { suspectVariables, type VariableSuspect, type VariableSuspects, whyRefused, withVariables } from '../../tests/variables.js';
import type { TestCauseResult } from '../../tests-result.js';
import type { Alone } from './alone.js';
import { bisect } from './bisect.js';
import type { ComparedPackage } from './compare-tests.js';
import type { TestSite } from './test-site.js';

/** As many runs are made for the variables of one package. */
const MOST_RUNS = 12;

/** Returns what may be missing in the closed environment, for tests that fail in it before the migration too. */
export async function suspectsOf(
  name: string,
  { alone, site }: { readonly alone: Alone; readonly site: TestSite },
): Promise<VariableSuspects> {
  const { ci, read } = await alone.sourceVariables(name);
  const closed = withVariables(closedVariables(), site.variables);
  return suspectVariables({ user: process.env, closed, ci, read });
}

/**
 * Finds the variables without which the tests fail before the migration: runs them with all that may be tried, then with half of these. What
 * only the user may pass on is named and not tried. Throws as `runContained`.
 */
export async function findClosedOut(
  one: ComparedPackage,
  { tried, untried }: VariableSuspects,
  { alone, onAttempt }: { readonly alone: Alone; readonly onAttempt: (what: string) => void },
): Promise<readonly TestCauseResult[]> {
  if (lastOf(one.before).result !== 'failed') return [];
  const passes = async (some: readonly VariableSuspect[]): Promise<boolean> => {
    onAttempt(`${some.length} of ${tried.length} variables of the user and of its CI`);
    return isGood(await alone.attempt(one.name, Object.fromEntries(some.map(({ name, value }) => [name, value]))));
  };
  const found = await bisect(tried, passes, MOST_RUNS);
  return found.state === 'found' ? [foundCause(found.culprits)] : untriedCauses(untried);
}

function foundCause(culprits: readonly VariableSuspect[]): TestCauseResult {
  return {
    kind: 'environment variable',
    text: `It fails only in the closed environment: ${culprits.map(describe).join('; ')}.`,
    remedy: `With ${code(culprits.map((one) => `--tests-env ${settingOf(one)}`).join(' '))}`,
    withRemedy: 'passes',
  };
}

function describe({ name, value, from }: VariableSuspect): string {
  if (value === undefined) return `${code(name)} is set there, and not in your environment`;
  return from === 'ci' ? `the workflows of the source set ${code(name)} to ${code(value)}` : `${code(name)} is as you have it only outside`;
}

/** As a person would type it. The value of the user is not shown. */
function settingOf({ name, value, from }: VariableSuspect): string {
  if (from === 'user' || value === undefined) return name;
  return /^[\w@%+=:,./-]*$/.test(value) ? `${name}=${value}` : `'${name}=${value.replaceAll("'", "'\\''")}'`;
}

function untriedCauses(names: readonly string[]): readonly TestCauseResult[] {
  const [secret, open] = [true, false].map((isSecret) => names.filter((name) => (whyRefused(name, undefined) === 'secret') === isSecret));
  const cause = (some: readonly string[] = [], end: string, remedy: string | null): readonly TestCauseResult[] => {
    if (some.length === 0) return [];
    const text = `Its files read ${some.map(code).join(', ')}, which you have set and the closed environment leaves out${end}.`;
    return [{ kind: 'environment variable', text, remedy, withRemedy: 'not tried' }];
  };
  return [
    ...cause(open, '', `With ${code((open ?? []).map((name) => `--tests-env ${name}`).join(' '))}`),
    ...cause(secret, ': tests never get a token', null),
  ];
}
