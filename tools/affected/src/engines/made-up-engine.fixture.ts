import { ToolError } from '@tributary/model/errors';
import type { CiEngine } from './engine.js';
import { attemptIn, branchBase, commitIn, numberIn, readText } from './variables.js';

/** A CI engine that does not exist: everything that a new engine needs in this folder. */
export const madeUp: CiEngine = {
  name: 'made-up',
  detect: (variables) => readText(variables, 'MADE_UP_CI') === 'yes',
  readChange: (variables) => ({
    event: 'pull request',
    base: branchBase(readText(variables, 'MADE_UP_TARGET'), 'MADE_UP_TARGET'),
    head: commitIn(readText(variables, 'MADE_UP_COMMIT')),
    pullRequest: numberIn(readText(variables, 'MADE_UP_NUMBER')),
    repository: null,
  }),
  attempt: (variables) => attemptIn(variables, 'MADE_UP_ATTEMPT'),
  pipeline: { owns: (path) => path === 'made-up.yml', runs: 'all', begins: () => undefined },
  emit: ({ shards }) => {
    if (shards.length > 2) throw new ToolError({ code: 'PLAN_INVALID', message: 'It takes 2 shards.', hint: 'Plan with --max-shards 2.' });
    return `${shards.map(({ id }) => `job ${id}`).join('\n')}\n`;
  },
};
