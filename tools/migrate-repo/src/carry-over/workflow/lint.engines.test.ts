import { afterEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { runProcess } from '@tributary/test-repo/run-cli';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { moveWorkflow, ODD_WORKFLOW } from './workflow.fixture.js';

// Tools that check workflows must accept what is moved to the root. `scripts/engine-tools.sh` installs them.

const cleanUp = cleanUpIn(afterEach);
const [actionlint, schemas] = [process.env['ACTIONLINT'], process.env['CHECK_JSONSCHEMA']];

/** Creates a repository with the moved workflow and what it calls. */
function moved(): TempRepo {
  const action = 'name: a\ndescription: a\nruns:\n  using: composite\n  steps:\n    - run: ls\n      shell: bash\n';
  const called =
    'on:\n  workflow_call:\n    inputs:\n      tag:\n        type: string\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: ls\n';
  const repo = cleanUp.add(TempRepo.create());
  repo.write({
    '.github/workflows/x-ci.yml': moveWorkflow(ODD_WORKFLOW).text,
    '.github/workflows/x-called.yml': moveWorkflow(called).text,
    'packages/x/action.yml': action,
    'packages/x/.github/actions/setup/action.yml': action,
  });
  return repo;
}

(actionlint === undefined ? describe.skip : describe)('actionlint', () => {
  test('finds nothing in a workflow that was moved', async () => {
    const { stdout, code } = await runProcess(actionlint ?? '', ['-no-color', '-shellcheck='], { cwd: moved().path });
    expect({ stdout, code }).toEqual({ stdout: '', code: 0 });
  });
});

(schemas === undefined ? describe.skip : describe)('check-jsonschema', () => {
  test.each(['x-ci.yml', 'x-called.yml'])('takes %s', async (file) => {
    const args = ['--builtin-schema', 'vendor.github-workflows', `.github/workflows/${file}`];
    expect(await runProcess(schemas ?? '', args, { cwd: moved().path })).toMatchObject({ code: 0 });
  });
});
