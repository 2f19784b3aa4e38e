import { shellWord } from '@tributary/model/shell-word';
import type { EngineSetup } from '../engines/engine.js';
import type { Form } from './forms.js';
import type { NextStep, ProposedFile, Survey } from './init-result.js';

/** The facts that determine the steps. */
export interface StepFacts {
  readonly survey: Survey;
  readonly setup: EngineSetup | undefined;
  readonly form?: Form;
  readonly files: readonly ProposedFile[];
  /** Changed files of the root that the workflow needs, such as turbo.json. */
  readonly uncommitted: readonly string[];
  /** The folders that turborepo, affected and the CI jobs write, and that git does not ignore. */
  readonly notIgnored: readonly string[];
  /** Whether `ci/affected.tgz` is missing. */
  readonly lacksPackage: boolean;
  /** The package folder of the running program. */
  readonly packageFolder: string;
}

/** Returns the steps after `affected init`, which take two minutes. */
export function nextSteps(facts: StepFacts): readonly NextStep[] {
  const { survey, setup, form, files, uncommitted, notIgnored, lacksPackage, packageFolder } = facts;
  const workflow = files.some(({ purpose }) => purpose === 'workflow');
  const byHand = files.filter(({ state }) => state === 'differs').map(({ path }) => path);
  const wanted = [...files.filter(({ state }) => state === 'new').map(({ path }) => path), ...byHand];
  const steps: (NextStep | undefined)[] = [
    byHand.length === 0 ? undefined : { text: byHandText(byHand, setup), command: null },
    workflow && lacksPackage
      ? { text: 'Add affected to the monorepo, so that no registry can replace it in CI.', command: packCommand(packageFolder) }
      : undefined,
    workflow && notIgnored.length > 0
      ? {
          text: 'Add the output of turborepo, affected and the CI jobs to .gitignore.',
          // The last line of the file may have no end.
          command: `printf '\\n${notIgnored.map((one) => `${one}\\n`).join('')}' >> .gitignore && git add .gitignore`,
        }
      : undefined,
    { text: 'See what affected could miss, and declare it.', command: 'affected check' },
    { text: 'See what the last commits would have run, and which rules would reduce it.', command: 'affected tune --last 100' },
    wanted.length === 0
      ? undefined
      : {
          text: workflow
            ? `Commit the files and open a ${setup?.pullRequest ?? 'pull request'}. It tests everything once.`
            : 'Commit the files.',
          command: `git add ${[...wanted, ...(workflow ? uncommitted : [])].join(' ')}`,
        },
    // The answer is about commits.
    { text: 'See what your branch affects.', command: `affected --base ${shellWord(`origin/${survey.branch}`)}` },
    workflow && setup !== undefined
      ? { text: `${setup.require} Guide: docs/guides/tests-on-ci.md of Tributary.`, command: null }
      : undefined,
    workflow && !files.some(({ content }) => /^ *schedules?:/m.test(content))
      ? { text: 'Make a schedule for the main branch: at night the workflow tests everything, and runs affected check.', command: null }
      : undefined,
    workflow && form === 'report-only'
      ? {
          text: 'After 30 runs, put their artifacts into a folder, and see what a selection would have missed. Then remove report-only.',
          command: 'affected report --runs runs',
        }
      : undefined,
  ];
  return steps.filter((step) => step !== undefined);
}

function byHandText(paths: readonly string[], setup: EngineSetup | undefined): string {
  const ofEngine = paths.some((path) => path !== 'tributary.json') ? setup?.byHand : undefined;
  return `Add the proposed lines by hand to ${paths.join(', ')}.${ofEngine === undefined ? '' : ` ${ofEngine}`}`;
}

/** Packs outside the monorepo, because npm stops inside it if `devEngines` allows only Yarn. */
function packCommand(folder: string): string {
  return [
    'mkdir -p ci',
    `(cd ${shellWord(folder)} && npm pack --silent --pack-destination "$OLDPWD/ci")`,
    'mv ci/tributary-affected-*.tgz ci/affected.tgz',
    'git add --force ci/affected.tgz',
  ].join(' && ');
}
