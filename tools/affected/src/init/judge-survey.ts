import { passesVariable } from '../plan/hashed-variables.js';
import { TURBO_JSON } from '../plan/turbo-tasks.js';
import type { Shortcoming, Survey } from './init-result.js';

/** The task that the workflows always run. */
const TASK = 'test';

/** Returns the tasks of the proposed workflow: the test, and what the workflow of today was seen to run in all workspaces. */
export function plannedTasks({ workflow }: Pick<Survey, 'workflow'>): readonly string[] {
  const others = (workflow?.tasks ?? []).filter(({ task, stays }) => task !== TASK && stays === null);
  return [TASK, ...others.map(({ task }) => task)];
}

/** `tests`, or `test, lint`. */
export function tasksInWords(survey: Pick<Survey, 'workflow'>): string {
  const tasks = plannedTasks(survey);
  return tasks.length === 1 ? 'tests' : tasks.join(', ');
}

/** Returns what prevents the template workflows from running in a monorepo; empty if nothing does. */
export function problemsOf(survey: Survey): readonly Shortcoming[] {
  return [...yarnProblems(survey), ...turboProblems(survey)];
}

function yarnProblems({ packageManager, version, root }: Survey): readonly Shortcoming[] {
  const problems: Shortcoming[] = [];
  const major = Number(version?.split('.')[0] ?? Number.NaN);
  if (packageManager !== 'yarn')
    problems.push({
      message: `The workflows install with Yarn 4, but this monorepo uses ${packageManager === 'npm' ? 'npm' : 'no Yarn'}.`,
      hint: 'Use "affected --format turbo-filter" in your own workflow.',
    });
  else if (Number.isNaN(major))
    problems.push({ message: 'No file names the version of Yarn.', hint: 'Set "packageManager" in package.json: yarn set version stable' });
  else if (major < 4)
    problems.push({ message: `The workflows need Yarn 4, but this monorepo uses Yarn ${version}.`, hint: 'yarn set version stable' });
  if (root !== '')
    problems.push({
      message: `The workflows expect the monorepo at the top of the repository, but it is in ${root}.`,
      hint: `Copy the templates by hand, and set the working directory of each job to ${root}.`,
    });
  return problems;
}

function turboProblems({ turbo, turboJson, turboTasks }: Survey): readonly Shortcoming[] {
  const problems: Shortcoming[] = [];
  if (turbo === null && turboJson === 'missing')
    return [
      {
        message: 'The workflows run tests through turborepo, which this monorepo does not have.',
        hint: `Run "yarn add --dev turbo", write turbo.json: ${TURBO_JSON}, and repeat the command. Without turborepo, use "affected --format names" in a workflow of your own.`,
      },
    ];
  if (turbo === null)
    problems.push({ message: 'The workflows run tests through turborepo, but package.json has no turbo.', hint: 'yarn add --dev turbo' });
  else if (isTooOld(turbo))
    problems.push({ message: `The workflows need turborepo 2.4 or newer, not ${turbo}.`, hint: 'yarn add --dev turbo@latest' });
  if (turboTasks === null)
    problems.push({
      message: turboJson === 'missing' ? 'There is no turbo.json.' : 'turbo.json is invalid.',
      hint: turboJson === 'missing' ? `Write it: ${TURBO_JSON}` : `Correct it. A short one: ${TURBO_JSON}`,
    });
  else if (!turboTasks.some((key) => key === TASK || key.endsWith(`#${TASK}`)))
    problems.push({
      message: `turbo.json has no task "${TASK}".`,
      hint: `Add it to "tasks" in turbo.json: "${TASK}": { "dependsOn": ["^build"] }`,
    });
  return problems;
}

/** Tells whether a range excludes the supported versions. A range without a number, such as `latest`, is accepted. */
function isTooOld(range: string): boolean {
  const [, major, minor] = /^[\^~]?(\d+)(?:\.(\d+))?/.exec(range) ?? [];
  // `^2` and `2` include the newest 2.
  return (
    major !== undefined &&
    (Number(major) < 2 || (Number(major) === 2 && !range.startsWith('^') && minor !== undefined && Number(minor) < 4))
  );
}

const RUNNERS = ['jest', 'vitest', 'mocha', 'playwright', 'ava', 'jasmine', 'karma', 'cypress', 'tap', 'wtr'] as const;

/** Returns the test runners that a script `test` names; `other` for a script that names none. */
export function runnersIn(script: string): readonly string[] {
  const words = script.split(/[\s;&|()"'=]+/).map((word) => word.replace(/^.*[\\/]/, '').replace(/\.[cm]?js$/, ''));
  const found: string[] = RUNNERS.filter((name) => words.includes(name));
  if (/\bnode\b[^;&|]*\s--test(?:\s|$)/.test(script)) found.push('node --test');
  return found.length === 0 ? ['other'] : found;
}

/** The oldest that affected runs on: 20.19. */
const OLDEST = [20, 19] as const;

/** Returns the version of Node that the workflows can take; `undefined` if none is known, or affected does not run on it. */
export function usableVersion(node: Survey['node']): string | undefined {
  const version = node?.version ?? undefined;
  const [major = 0, minor] = version?.split('.').map(Number) ?? [];
  const isOlder = major < OLDEST[0] || (major === OLDEST[0] && minor !== undefined && minor < OLDEST[1]);
  return isOlder ? undefined : version;
}

/** Tells what the workflows take where the project's version of Node is not known or not usable. */
export function nodeProblems({ node }: Survey): readonly Shortcoming[] {
  if (usableVersion(node) !== undefined) return [];
  const takes = 'the workflow takes Node 24';
  const hint = 'Set the version in the workflow by hand.';
  if (node === null) return [{ message: `No file names the version of Node; ${takes}.`, hint }];
  if (node.version === null) return [{ message: `It is not certain which version of Node tests run on (${node.from}); ${takes}.`, hint }];
  return [{ message: `Tests run on Node ${node.version} (${node.from}), and affected needs 20.19 or newer; ${takes}.`, hint }];
}

/** Tells what the workflow of today does that the proposed one does not, and what can go. `left`: settings that it does not take. */
export function workflowProblems({ workflow }: Pick<Survey, 'workflow'>, left: readonly string[]): readonly Shortcoming[] {
  if (workflow === null) return [];
  const { path, tests, others } = workflow;
  const extras = [...left, ...workflow.extras];
  const lacks = {
    message: `${path} also has: ${extras.join(', ')}.`,
    hint: 'Copy what tests need into the shards of the proposed workflow.',
  };
  const stay = others.length === 0 ? '' : ` Its other jobs stay: ${others.join(', ')}.`;
  const hint = `Take that out once the new check is required, unless another step needs it.${stay}`;
  const can = { message: `${path} still runs ${tasksInWords({ workflow })}: ${tests.join('; ')}.`, hint };
  return [...(extras.length === 0 ? [] : [lacks]), ...(tests.length === 0 ? [] : [can])];
}

/** Tells which variables of the workflow turborepo hides from the tests. `turboJson`: that of the root. */
export function hiddenVariables(names: readonly string[], turboJson: string): readonly Shortcoming[] {
  const hidden = names.filter((name) => !passesVariable(turboJson, name));
  if (hidden.length === 0) return [];
  const message = `turborepo gives tests few variables that turbo.json does not name, and it does not name ${hidden.join(', ')}.`;
  return [{ message, hint: `Add to the task "${TASK}" in turbo.json: "env": ${JSON.stringify(hidden)}` }];
}
