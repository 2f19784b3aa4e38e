import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { type CliResult, runProcess } from '@tributary/test-repo/run-cli';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { readTemplates } from './github-run.fixture.js';
import { readTakenOver } from './present-workflow.fixture.js';
import { findTool } from './tools.fixture.js';

const actionlint = findTool('ACTIONLINT');
const schemas = findTool('CHECK_JSONSCHEMA');
const cleanUp = cleanUpIn(afterEach);
const root = findProjectRoot();
const ACTION = '.github/actions/affected/action.yml';
const WORKFLOW = '.github/workflows/affected.yml';
const folder = '.github/workflows';
const own = Object.fromEntries(readdirSync(join(root, folder)).map((name) => [`${folder}/${name}`, read(`${folder}/${name}`)]));

/** A team's repository with our files, and this project with its own: each has the actions that its files use. */
const repositories: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'ci/github, in three jobs': readTemplates(),
  'ci/github, in one job': readTemplates('one-job'),
  'affected init, with settings of another workflow': { ...readTemplates(), [WORKFLOW]: readTakenOver('workflow') },
  'affected init, in one job': { ...readTemplates('one-job'), [WORKFLOW]: readTakenOver('one-job') },
  'this project': { 'ci/github/action.yml': read('ci/github/action.yml'), ...own },
};

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

/** Common mistakes, each in one line of a template. */
const FAULTS: readonly (readonly [title: string, file: string, from: string, to: string])[] = [
  ['an output that the plan does not have', WORKFLOW, 'needs.plan.outputs.has_work', 'needs.plan.outputs.has_wrok'],
  ['a gate that does not wait for the plan', WORKFLOW, 'needs: [plan, shards]', 'needs: [shards]'],
  ['an input that the action does not have', WORKFLOW, 'part: plan', 'prat: plan'],
  ['an output that the action does not have', WORKFLOW, 'steps.plan.outputs.matrix', 'steps.plan.outputs.matrixes'],
  ['a wrong event', WORKFLOW, 'merge_group:', 'merge_groups:'],
];

function lint(files: Readonly<Record<string, string>>): Promise<CliResult> {
  const repo = cleanUp.add(TempRepo.create());
  repo.write(files);
  return runProcess(actionlint ?? '', ['-no-color'], { cwd: repo.path });
}

(actionlint === undefined ? describe.skip : describe)('actionlint', () => {
  test.each(Object.entries(repositories))('finds nothing in the workflows of %s', async (_, files) => {
    expect(await lint(files)).toMatchObject({ stdout: '', stderr: '', code: 0 });
  });

  test.each(FAULTS)('finds %s', async (_, file, from, to) => {
    const files = readTemplates();
    expect(files[file]).toContain(from);
    expect((await lint({ ...files, [file]: files[file]?.replaceAll(from, to) ?? '' })).code).toBe(1);
  });
});

(schemas === undefined ? describe.skip : describe)('check-jsonschema', () => {
  const check = (schema: string, file: string, content: string): Promise<CliResult> => {
    const repo = cleanUp.add(TempRepo.create());
    repo.write({ [file]: content });
    return runProcess(schemas ?? '', ['--builtin-schema', `vendor.${schema}`, file], { cwd: repo.path });
  };
  const ofSchema = (file: string): string => (file.endsWith('action.yml') ? 'github-actions' : 'github-workflows');
  const files = Object.values(repositories).flatMap((one) => Object.entries(one));

  test.each(files)('takes %s', async (file, content) => {
    expect(await check(ofSchema(file), file, content)).toMatchObject({ code: 0 });
  });

  test.each([
    ['a misspelt key', WORKFLOW, 'runs-on:', 'run-on:'],
    ['a misspelt key of the action', ACTION, 'using: composite', 'uses: composite'],
  ])('finds %s', async (_, file, from, to) => {
    expect((await check(ofSchema(file), file, readTemplates()[file]?.replaceAll(from, to) ?? '')).code).toBe(1);
  });
});
