import { join } from 'node:path';
import type { Environment } from '@tributary/process/environment';
import { code } from '../../report/part.js';
import type { TestRun } from '../../tests/test-run.js';
import { looksSecret } from '../../tests/variables.js';
import type { TestCauseResult } from '../../tests-result.js';
import { bisect, type Found } from './bisect.js';
import type { CauseSearch } from './cause-search.js';
import { isProven } from './with-remedy.js';

/** The maximum number of runs for the variables of one package. */
const MOST_RUNS = 16;

/** Finds variables that the source's package manager sets, Yarn does not, and the tests need. Empty if they make no difference. */
export async function findManagerVariables(
  name: string,
  { alone, laboratory, branch, onAttempt }: CauseSearch,
  { fare }: { readonly fare: (run: TestRun) => TestCauseResult['withRemedy'] },
): Promise<readonly TestCauseResult[]> {
  const [before, after] = [await alone.variables(name), await laboratory.variables(name)];
  if (before === undefined || after === undefined) return [];
  const [from, to] = [(await alone.locate(name)).folder, join(await laboratory.install(), branch.closures.of(name).at(-1) ?? '')];
  const missing = Object.entries(before).filter(([variable]) => after[variable] === undefined && !variable.startsWith('TRIBUTARY_'));
  // The last run that fares well is that of the variables that are found.
  let withRemedy: TestCauseResult['withRemedy'] = 'not tried';
  const found = await bisect(
    missing.map(([variable, value]): Variable => [variable, value.replaceAll(from, to)]),
    async (some) => {
      onAttempt(`${some.length} of ${missing.length} variables as before`);
      const now = fare(await laboratory.attempt(name, { variables: Object.fromEntries(some) }));
      if (isProven(now)) withRemedy = now;
      return isProven(now);
    },
    MOST_RUNS,
  );
  return found.state === 'found' ? [{ ...causeOf(found, before), withRemedy }] : [];
}

type Variable = readonly [name: string, value: string];

/** The maximum number of variables to name. */
const SHOWN = 5;
const LONGEST_VALUE = 80;

function causeOf({ culprits, rest }: Found<Variable>, before: Environment): Omit<TestCauseResult, 'withRemedy'> {
  // `npm/10.8.2 node/v20.20.2 linux x64`, `yarn/1.22.22 npm/? node/…`
  const manager = (before['npm_config_user_agent'] ?? '').split(' ')[0]?.replace('/', ' ') || 'its package manager';
  const open = rest.length === 0 ? [] : [`some of ${listShort(rest, ([name]) => name)} (not narrowed down within ${MOST_RUNS} runs)`];
  const needed = culprits.length === 0 ? [] : [listShort(culprits, ([name]) => name)];
  const setting = ([name, value]: Variable): string =>
    value.length <= LONGEST_VALUE && !looksSecret(name, value) ? `${name}=${value}` : name;
  return {
    kind: 'environment variable',
    text: `Its tests need ${[...needed, ...open].join(', perhaps also ')}, which ${manager} sets but the monorepo's Yarn does not.`,
    remedy: `With ${listShort([...culprits, ...rest], setting)}`,
  };
}

function listShort(variables: readonly Variable[], textOf: (one: Variable) => string): string {
  const shown = variables.slice(0, SHOWN).map((one) => code(textOf(one)));
  return `${shown.join(', ')}${variables.length > SHOWN ? ` and ${variables.length - SHOWN} more` : ''}`;
}
