import type { CiEngine } from './engine.js';
import { attemptIn, branchBase, branchIn, commitIn, numberIn, previousBase, readText } from './variables.js';

// A CI engine that does not exist: all that a new one needs. Its template is beside it.
export const madeUp: CiEngine = {
  name: 'made-up',
  title: 'Made-up CI',
  // Template below `ci/` -> its path in a repository, and what to do in the engine after the first run.
  setup: { files: { 'made-up/made-up.yml': 'made-up.yml' }, require: 'Require the check "affected".' },
  detect: (variables) => readText(variables, 'MADE_UP_CI') === 'yes',
  readChange: (variables) => {
    const target = readText(variables, 'MADE_UP_TARGET');
    const branch = branchIn(readText(variables, 'MADE_UP_BRANCH'));
    return {
      event: target === undefined ? 'push' : 'pull request',
      // If a variable is missing or hostile, the base is unknown, and everything is tested. So does `unknownBase('a tag was pushed')`.
      base: target === undefined ? previousBase(variables, branch, 'MADE_UP_BEFORE') : branchBase(target, 'MADE_UP_TARGET'),
      head: commitIn(readText(variables, 'MADE_UP_COMMIT')),
      pullRequest: numberIn(readText(variables, 'MADE_UP_NUMBER')),
      repository: null,
    };
  },
  // How often the job has run for the same plan. Leave it out if no variable tells.
  attempt: (variables) => attemptIn(variables, 'MADE_UP_ATTEMPT'),
  // What its template reads.
  emit: ({ shards }) => `${shards.map(({ id }) => id).join(' ')}\n`,
};
