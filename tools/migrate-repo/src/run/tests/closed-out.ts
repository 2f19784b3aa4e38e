import { closedVariables } from '../../io/test-environment.js';
import { code } from '../../report/part.js';
import { isGood, lastOf, type TestRun } from '../../tests/test-run.js';
import { suspectVariables, type VariableSuspect, type VariableSuspects, withVariables } from '../../tests/variables.js';
import type { TestCauseResult } from '../../tests-result.js';
import type { Alone } from './alone.js';
import { bisect, type Found } from './bisect.js';
import type { FoundCauses } from './cause-search.js';
import type { ComparedPackage } from './compare-tests.js';
import type { TestSite } from './test-site.js';

/** The maximum number of runs for the variables of one package. */
const MOST_RUNS = 12;

/** Returns what may be missing in the closed environment, for tests that already fail before the migration. */
export async function suspectsOf(
  name: string,
  { alone, site }: { readonly alone: Alone; readonly site: TestSite },
): Promise<VariableSuspects> {
  const { ci, read } = await alone.sourceVariables(name);
  const closed = withVariables(closedVariables(), site.variables);
  return suspectVariables({ user: process.env, closed, ci, read });
}

/**
 * Finds the variables whose absence makes the tests fail before the migration. Tries all that may be tried, then
 * halves. Runs without a change before and after must fail. Variables that only the user may pass on are named, but not
 * tried. Throws as `runContained`.
 */
export async function findClosedOut(
  one: ComparedPackage,
  suspects: VariableSuspects,
  { alone, onAttempt }: { readonly alone: Pick<Alone, 'attempt'>; readonly onAttempt: (what: string) => void },
): Promise<FoundCauses> {
  if (lastOf(one.before).result !== 'failed') return { causes: [], passing: undefined };
  const control = (): Promise<TestRun> => {
    onAttempt('nothing changed');
    return alone.attempt(one.name, {});
  };
  const { tried } = suspects;
  const passes = async (some: readonly VariableSuspect[]): Promise<boolean> => {
    onAttempt(`${some.length} of ${tried.length} variables of the user and of its CI`);
    return isGood(await alone.attempt(one.name, Object.fromEntries(some.map(({ name, value }) => [name, value]))));
  };
  const first = await control();
  if (isGood(first)) return { causes: [], passing: first };
  const found = await bisect(tried, passes, MOST_RUNS);
  if (found.state !== 'found') return { causes: namedCauses(suspects), passing: undefined };
  const last = await control();
  return isGood(last) ? { causes: [], passing: last } : { causes: [foundCause(found)], passing: undefined };
}

function foundCause({ culprits, rest }: Found<VariableSuspect>): TestCauseResult {
  const some = `${culprits.length > 0 ? 'perhaps ' : ''}some of ${rest.map(({ name }) => code(name)).join(', ')}`;
  const open = rest.length === 0 ? [] : [`${some} (not narrowed down within ${MOST_RUNS} runs)`];
  return {
    kind: 'environment variable',
    text: `It fails only in the closed environment: ${[...culprits.map(describe), ...open].join('; ')}.`,
    remedy: `With ${code([...culprits, ...rest].map((one) => `--tests-env ${settingOf(one)}`).join(' '))}`,
    withRemedy: 'passes',
  };
}

function describe({ name, value, from }: VariableSuspect): string {
  if (value === undefined) return `${code(name)} is set there, but not in your environment`;
  return from === 'ci' ? `the workflows of the source set ${code(name)} to ${code(value)}` : `${code(name)} has your value only outside`;
}

/** Returns a setting as a user would type it. Values of the user are not shown. */
function settingOf({ name, value, from }: VariableSuspect): string {
  if (from === 'user' || value === undefined) return name;
  return /^[\w@%+=:,./-]*$/.test(value) ? `${name}=${value}` : `'${name}=${value.replaceAll("'", "'\\''")}'`;
}

function namedCauses({ untried, refused }: VariableSuspects): readonly TestCauseResult[] {
  const cause = (some: readonly string[], textOf: (names: string) => string, remedy: string | null): readonly TestCauseResult[] =>
    some.length === 0 ? [] : [{ kind: 'environment variable', text: textOf(some.map(code).join(', ')), remedy, withRemedy: 'not tried' }];
  return [
    ...cause(
      untried,
      (names) => `Its files read ${names}, which you have set but the closed environment omits.`,
      `With ${code(untried.map((name) => `--tests-env ${name}`).join(' '))}`,
    ),
    ...cause(refused, (names) => `Its files or its workflows use ${names}, which looks like a secret: tests never get one.`, null),
  ];
}
