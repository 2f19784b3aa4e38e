import { isToolError } from '@tributary/model/errors';
import { between } from '@tributary/model/time';
import { checkOutput } from '@tributary/process/output-file';
import type { Services } from '@tributary/terminal/main';
import { renderMigration, renderPlan, type TerminalStyle } from '../render.js';
import type { MigrateResult } from '../result/result.js';
import type { TestLevel, TestsResult } from '../result/tests-result.js';
import { migrate } from '../run/migrate.js';
import type { MigrateRequest } from '../run/migrate-request.js';
import { isLevel } from '../tests/test-run.js';

/** Migrates packages, and compares their tests before and after. */
export async function migrateAndTest(request: MigrateRequest, services: Services): Promise<MigrateResult> {
  if (request.report !== undefined) checkOutput(request.report);
  const agreement = await agreeToTests(request, services);
  const started = services.clock();
  const migrated = await migrate(request, services);
  const tests = await compareTests(migrated, request, { agreement, services });
  const result = { ...migrated, tests, milliseconds: between(started, services.clock()) };
  for (const warning of result.warnings) services.ui.warning(warning);
  return result;
}

/** Renders the plan or the outcome of a migration. */
export function pageOfMigration(result: MigrateResult, page: TerminalStyle): string {
  return result.state === 'planned' ? renderPlan(result, page) : renderMigration(result, page);
}

/**
 * Compares the tests after the hand-over: they may take an hour, and the branch is proven without them. If they cannot
 * be run, the result of the migration is still printed.
 */
async function compareTests(
  migrated: MigrateResult,
  { into, tests }: MigrateRequest,
  { agreement, services }: { readonly agreement: TestAgreement; readonly services: Services },
): Promise<MigrateResult['tests']> {
  if (agreement === 'plan') return null;
  if (!isLevel(agreement)) return { level: 'off', reason: agreement, variables: [], packages: [] };
  const { testMigration } = await import('../run/tests/test-migration.js');
  try {
    return await testMigration(migrated, { ...tests, level: agreement, into }, services);
  } catch (error) {
    if (!isToolError(error) || error.code === 'INTERRUPTED') throw error;
    services.ui.error(error.message, { code: error.code, hint: error.hint });
    return { level: 'off', reason: 'not run', variables: [], packages: [] };
  }
}

/** The level to which tests are compared, or why they are not. `plan`: nothing is migrated. */
type TestAgreement = TestLevel | NonNullable<TestsResult['reason']> | 'plan';

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
