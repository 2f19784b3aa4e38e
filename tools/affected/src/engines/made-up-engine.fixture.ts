import type { CiEngine } from './engine.js';
import { attemptIn, branchBase, branchIn, commitIn, numberIn, previousBase, readText, unknownBase } from './variables.js';

// A CI engine that does not exist: all that a new one needs. Its template is beside it.
export const madeUp: CiEngine = {
  name: 'made-up',
  title: 'Made-up CI',
  // Template below `ci/` -> its path in a repository, and what to do in the engine after the first run.
  setup: { files: { 'made-up/made-up.yml': 'made-up.yml' }, require: 'Require the check "affected".' },
  detect: (variables) => readText(variables, 'MADE_UP_CI') === 'yes',
  // Where a variable is missing or hostile, the base is unknown, and the plan selects every test.
  readChange: (variables) => {
    const kind = readText(variables, 'MADE_UP_EVENT');
    const branch = readText(variables, 'MADE_UP_BRANCH');
    const change = {
      head: commitIn(readText(variables, 'MADE_UP_COMMIT')),
      pullRequest: numberIn(readText(variables, 'MADE_UP_NUMBER')),
      repository: null,
    };
    if (kind === 'pull_request') return { ...change, event: 'pull request', base: branchBase(branch, 'MADE_UP_BRANCH') };
    if (kind === 'push') return { ...change, event: 'push', base: previousBase(variables, branchIn(branch), 'MADE_UP_BEFORE') };
    return { ...change, event: 'other', base: unknownBase('it is neither a push nor a pull request') };
  },
  // How often the job has run for the same plan. Leave it out if no variable tells.
  attempt: (variables) => attemptIn(variables, 'MADE_UP_ATTEMPT'),
  // What its template reads.
  emit: ({ shards }) => `${shards.map(({ id }) => id).join(' ')}\n`,
};
