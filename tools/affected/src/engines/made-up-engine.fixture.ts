import type { CiEngine } from './engine.js';
import { attemptIn, branchBase, commitIn, numberIn, readText } from './variables.js';

/** A CI engine that does not exist: all that a new one needs. Copy it, and replace the names. Its template is beside it. */
export const madeUp: CiEngine = {
  name: 'made-up',
  title: 'Made-up CI',
  setup: { files: { 'made-up/made-up.yml': 'made-up.yml' }, require: 'Require the check "gate".' },
  detect: (variables) => readText(variables, 'MADE_UP_CI') === 'yes',
  readChange: (variables) => ({
    event: 'pull request',
    // For a push that has no target, the reason is that the variable is not set: everything is tested.
    base: branchBase(readText(variables, 'MADE_UP_TARGET'), 'MADE_UP_TARGET'),
    head: commitIn(readText(variables, 'MADE_UP_COMMIT')),
    pullRequest: numberIn(readText(variables, 'MADE_UP_NUMBER')),
    repository: null,
  }),
  attempt: (variables) => attemptIn(variables, 'MADE_UP_ATTEMPT'),
  // What its template reads. An engine that makes jobs from a file gets them here: see groupIntoLegs in legs.ts.
  emit: ({ shards }) => `${shards.map(({ id }) => id).join(' ')}\n`,
};
