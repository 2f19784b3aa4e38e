import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { readTemplate } from './hosted.fixture.js';

type Variables = Readonly<Record<string, string>>;

export interface Script {
  readonly text: string;
  /** Variables in addition to those of the template. */
  readonly variables?: Variables;
}

/** The scripts of a template that start affected, in the order of its jobs, and their needs of the engine. */
export interface TemplateScripts {
  readonly shell: readonly [program: string, ...options: string[]];
  /** `folder` is the one that the engine keeps from job to job. Names have a space wherever an engine may have one. */
  readonly variables: (folder: string) => Variables;
  readonly plan: readonly Script[];
  /** The scripts of a shard and of the gate, once the plan exists. */
  readonly shardAndGate: (folder: string, repo: string) => readonly Script[];
}

const BASH = ['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c'] as const;
const PLAN_OPTIONS = '--max-shards 1';

interface Step {
  readonly name?: string;
  readonly displayName?: string;
  readonly bash?: string;
  readonly run?: string | { readonly name: string; readonly command: string };
}

/** Returns the script of the step whose name starts with these words, in any way of writing it. */
function scriptOf(steps: readonly Step[], name: string): string {
  for (const { bash, run, ...step } of steps) {
    const isObject = typeof run === 'object';
    const title = step.displayName ?? step.name ?? (isObject ? run.name : '');
    if (title.startsWith(name)) return bash ?? (isObject ? run.command : run) ?? '';
  }
  throw new Error(`there is no step ${name}`);
}

function readGithub(): TemplateScripts {
  const stepsOf = (action: string): readonly Step[] => parse(readTemplate(`github/${action}/action.yml`)).runs.steps;
  const inputs = {
    AFFECTED: '',
    TASK: 'test',
    BASE: '',
    BUILD_STAGE: 'false',
    MAX_SHARDS: '',
    SETUP_TIME: '',
    TARGET_TIME: '',
    TIMINGS: 'true',
  };
  return {
    shell: BASH,
    variables: (folder) => ({
      ...inputs,
      RUNNER_TEMP: `${folder}/runner temp`,
      GITHUB_OUTPUT: `${folder}/output`,
      GITHUB_STEP_SUMMARY: `${folder}/summary`,
      GITHUB_RUN_ATTEMPT: '1',
      ATTEMPT: '1',
    }),
    plan: [
      { text: scriptOf(stepsOf('plan'), 'Make the plan'), variables: { SHARDS: '1' } },
      { text: scriptOf(stepsOf('plan'), 'Hand the matrix on') },
    ],
    shardAndGate: () => [
      { text: scriptOf(stepsOf('shard'), 'Run the shards'), variables: { SHARDS: '01' } },
      { text: scriptOf(stepsOf('gate'), 'Did everything that was planned') },
    ],
  };
}

function readGitlab(): TemplateScripts {
  // The inputs are a separate document.
  const [, pipeline] = parseAllDocuments(readTemplate('gitlab/.gitlab/affected-pipeline.yml')).map((one) => one.toJS());
  return {
    shell: ['sh', '-ec'],
    variables: () => ({ AFFECTED: '', PLAN_OPTIONS, LEG: '01' }),
    plan: [{ text: pipeline.plan.script.join('\n') }],
    shardAndGate: (_, repo) => {
      const { shard, gate } = parse(readFileSync(join(repo, '.tributary/child.yml'), 'utf8'));
      return [{ text: shard.script.join('\n') }, { text: gate.script.join('\n') }];
    },
  };
}

function readBuildkite(): TemplateScripts {
  return {
    shell: ['sh', '-ec'],
    variables: (folder) => ({
      PLAN_OPTIONS,
      ARTIFACTS: folder,
      LEG: '01',
      SHARDS: '01',
      BUILDKITE_BRANCH: 'topic',
      BUILDKITE_PIPELINE_DEFAULT_BRANCH: 'main',
    }),
    plan: [{ text: 'sh .buildkite/affected.sh plan' }],
    // The agent uploads the receipts when the job has ended.
    shardAndGate: () => [
      { text: 'sh .buildkite/affected.sh shard && cp -R .tributary "$ARTIFACTS"' },
      { text: 'sh .buildkite/affected.sh gate' },
    ],
  };
}

function readCircleci(): TemplateScripts {
  const { plan } = parse(readTemplate('circleci/config.yml')).jobs;
  return {
    shell: BASH,
    variables: (folder) => ({ AFFECTED: '', PLAN_OPTIONS, HOME: folder }),
    plan: [{ text: scriptOf(plan.steps, 'Make the plan'), variables: { CIRCLE_BUILD_NUM: '5' } }],
    shardAndGate: (folder) => {
      const { shard, gate } = parse(readFileSync(join(folder, 'affected/continue.yml'), 'utf8')).jobs;
      const text = scriptOf(shard.steps, 'Run the shards').replaceAll('<< parameters.shards >>', '01');
      return [{ text, variables: { CIRCLE_BUILD_NUM: '6' } }, { text: scriptOf(gate.steps, 'Demand proof') }];
    },
  };
}

function readAzure(): TemplateScripts {
  const { jobs } = parse(readTemplate('azure/azure-pipelines.yml')) as { readonly jobs: readonly { readonly steps: readonly Step[] }[] };
  const steps = jobs.flatMap((job) => job.steps);
  return {
    shell: BASH,
    variables: (folder) => ({
      PIPELINE_WORKSPACE: `${folder}/a workspace`,
      PLAN_OPTIONS,
      SYSTEM_JOBATTEMPT: '1',
      PLAN_ATTEMPT: '1',
      SHARDS: '01',
    }),
    plan: [{ text: `mkdir "$PIPELINE_WORKSPACE"\n${scriptOf(steps, 'Make the plan')}` }, { text: scriptOf(steps, 'Hand the shards on') }],
    // The second job gets the published files of the first one.
    shardAndGate: () => [
      { text: `cp -R "$PIPELINE_WORKSPACE/plan" "$PIPELINE_WORKSPACE/plan-1"\n${scriptOf(steps, 'Run the tests')}` },
      { text: scriptOf(steps, 'Demand proof') },
    ],
  };
}

function readJenkins(): TemplateScripts {
  // In these quotes of Groovy, a backslash is written twice.
  const found = [...readTemplate('jenkins/Jenkinsfile').matchAll(/sh '''\n([\s\S]*?)'''/g)];
  const [plan = '', ...others] = found.map(([, text = '']) => text.replaceAll('\\\\', '\\'));
  return {
    shell: ['sh', '-xec'],
    variables: (folder) => ({
      AFFECTED: '',
      FOLDER: `${folder}/a job@tmp/affected`,
      PLAN_OPTIONS,
      SHARDS: '01',
      AFFECTED_ATTEMPT: '1',
    }),
    plan: [{ text: plan }],
    shardAndGate: () => others.map((text) => ({ text })),
  };
}

/** The readers of the templates, by engine. */
export const TEMPLATE_SCRIPTS: Readonly<Record<string, () => TemplateScripts>> = {
  github: readGithub,
  gitlab: readGitlab,
  buildkite: readBuildkite,
  circleci: readCircleci,
  azure: readAzure,
  jenkins: readJenkins,
};
