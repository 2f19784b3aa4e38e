import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { readPresentWorkflow } from '../init/present-workflow.js';
import { divideSettings, withSettings } from '../init/write-settings.js';

/** A workflow that a team has before affected. What it takes of a repository is there, or is not needed to run. */
const PRESENT = `on: pull_request
env: { LEVEL: workflow, QUOTED: '010' }
jobs:
  test:
    runs-on: ubuntu-latest
    services:
      db:
        image: postgres:17
        env: { POSTGRES_PASSWORD: "$\{{ secrets.DB_PASSWORD }}" }
        ports: ['5432:5432']
        options: >-
          --health-cmd pg_isready
          --health-interval 10s
    env: { DB_PASSWORD: "$\{{ secrets.DB_PASSWORD }}", LEVEL: job }
    steps:
      - run: yarn install --immutable --json
      - run: yarn turbo run test
        env: { SHOWN: "$\{{ format('{0}: {1}', vars.SHOWN, github.event_name) }} # no comment" }
`;

/** Returns the template of a form on GitHub, with what `affected init` takes over from the workflow of a team. */
export function readTakenOver(form: 'workflow' | 'one-job'): string {
  const facts = { rootScripts: new Map<string, string>(), scripts: new Set<string>(), turboTasks: {} };
  const present = readPresentWorkflow('ci.yml', PRESENT, facts);
  if (present === undefined) throw new Error('the workflow cannot be read');
  const read = (name: string): string => readFileSync(join(findProjectRoot(), 'ci', name), 'utf8');
  const template = `github/${form}.yml`;
  return withSettings(template, read(template), divideSettings(present, { names: [template], isReference: false, read }).taken);
}
