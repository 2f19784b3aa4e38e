import type { Services } from '@tributary/terminal/main';
import type { TestLevel, TestsResult } from '../result/tests-result.js';
import type { MigrateRequest } from './migrate-request.js';

/** The level to which tests are compared, or why they are not. `plan`: nothing is migrated. */
export type TestAgreement = TestLevel | NonNullable<TestsResult['reason']> | 'plan';

/**
 * Returns the choice on the command line, else the person's answer. Without either, no code of the sources runs:
 * `--yes` answers another question. Throws `INTERRUPTED`.
 */
export async function agreeToTests(request: MigrateRequest, { ui }: Pick<Services, 'ui'>): Promise<TestAgreement> {
  if (request.extent === 'plan only') return 'plan';
  if (request.tests.level !== 'ask') return request.tests.level;
  if (request.align === 'no' || request.install === 'no') return 'not agreed';
  const { packages } = request;
  const names = packages === 'all' ? 'all packages' : packages.length === 1 ? packages[0] : `${packages.length} packages`;
  const answer = await ui.confirm(
    `Run the tests of ${names} before and after? This runs their code and their dependencies on this machine, with your rights but without your tokens.`,
  );
  return answer === 'yes' ? 'test' : answer === 'no' ? 'declined' : 'not agreed';
}
