import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import type { CiEngine } from '../engines/engine.js';
import { readTemplate } from './hosted.fixture.js';

type Variables = Readonly<Record<string, string>>;

export interface TemplateScript {
  readonly text: string;
  /** Variables in addition to those of the template. */
  readonly variables?: Variables;
}

/** The scripts of a template that start affected, in the order of its jobs, and their needs of the engine. */
export interface TemplateScripts {
  readonly shell: readonly [program: string, ...options: string[]];
  /** `folder` is the one that the engine keeps from job to job. Names have a space wherever an engine may have one. */
  readonly variables: (folder: string) => Variables;
  readonly plan: readonly TemplateScript[];
  /** The scripts of a shard and of the gate, once the plan exists. */
  readonly shardAndGate: (folder: string, repo: string) => readonly TemplateScript[];
}

const BASH = ['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c'] as const;
const PLAN_OPTIONS = '--max-shards 1';

/** Returns the scripts in a YAML document: its texts, and its lists of lines as one text. */
function scriptsIn(node: unknown): readonly string[] {
  if (typeof node === 'string') return [node];
  if (typeof node !== 'object' || node === null) return [];
  const values: readonly unknown[] = Object.values(node);
  return Array.isArray(node) && values.every((line) => typeof line === 'string') ? [values.join('\n')] : values.flatMap(scriptsIn);
}

/** Returns the first script that calls a command of affected. */
function scriptWith(command: string, document: unknown): string {
  const call = new RegExp(`(?:AFFECTED|cli\\.cjs|affected)"?\\}?[\\s\\\\]+${command} `);
  const found = scriptsIn(document).find((text) => call.test(text));
  if (found === undefined) throw new Error(`no script calls affected ${command}`);
  return found;
}

/** Returns the scripts of a template whose jobs share one checkout. The script with the gate may do all. */
export function readShared(text: string): TemplateScripts {
  const document: unknown = parse(text);
  const shardAndGate = [...new Set(['run-shard', 'gate'].map((command) => scriptWith(command, document)))];
  const before = ['plan', 'emit'].map((command) => scriptWith(command, document)).filter((one) => !shardAndGate.includes(one));
  return {
    shell: ['sh', '-ec'],
    variables: () => ({ AFFECTED: '', PLAN_OPTIONS }),
    plan: [...new Set(before)].map((one) => ({ text: one })),
    shardAndGate: () => shardAndGate.map((one) => ({ text: one })),
  };
}

function readGithub(): TemplateScripts {
  const action: unknown = parse(readTemplate('github/action.yml'));
  const scriptOf = (command: string): string => scriptWith(command, action);
  // Each job unpacks the package in an earlier step.
  const [unpack = ''] = scriptsIn(action).filter((one) => one.includes('tar -xzf'));
  const find = { text: `GITHUB_ACTION_PATH=/nowhere; ${unpack}` };
  const inputs = {
    AFFECTED: '',
    TASK: 'test',
    BASE: '',
    MAX_SHARDS: '',
    REPORT_ONLY: 'false',
    SETUP_TIME: '',
    TARGET_TIME: '',
    TIMES: '',
    COMMENT: 'false',
    GITHUB_TOKEN: '',
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
    plan: [find, { text: scriptOf('plan'), variables: { SHARDS: '1' } }, { text: scriptOf('emit') }],
    shardAndGate: () => [find, { text: scriptOf('run-shard'), variables: { SHARD: '01' } }, find, { text: scriptOf('gate') }],
  };
}

function readGitlab(): TemplateScripts {
  // The inputs are a separate document.
  const [, pipeline] = parseAllDocuments(readTemplate('gitlab/.gitlab/affected-pipeline.yml')).map((one): unknown => one.toJS());
  return {
    shell: ['sh', '-ec'],
    variables: () => ({ AFFECTED: '', PLAN_OPTIONS, LEG: '01' }),
    plan: [{ text: scriptWith('plan', pipeline) }],
    shardAndGate: (_, repo) => {
      const child: unknown = parse(readFileSync(join(repo, '.tributary/child.yml'), 'utf8'));
      return [{ text: scriptWith('run-shard', child) }, { text: scriptWith('gate', child) }];
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
  const plan = scriptWith('plan', parse(readTemplate('circleci/config.yml')));
  return {
    shell: BASH,
    variables: (folder) => ({ AFFECTED: '', PLAN_OPTIONS, HOME: folder }),
    plan: [{ text: plan, variables: { CIRCLE_BUILD_NUM: '5' } }],
    shardAndGate: (folder) => {
      const continued: unknown = parse(readFileSync(join(folder, 'affected/continue.yml'), 'utf8'));
      const text = scriptWith('run-shard', continued).replaceAll('<< parameters.shards >>', '01');
      return [
        { text, variables: { CIRCLE_BUILD_NUM: '6' } },
        { text: scriptWith('gate', continued), variables: { CIRCLE_BUILD_NUM: '7' } },
      ];
    },
  };
}

function readAzure(): TemplateScripts {
  const pipeline: unknown = parse(readTemplate('azure/azure-pipelines.yml'));
  return {
    shell: BASH,
    variables: (folder) => ({
      PIPELINE_WORKSPACE: `${folder}/a workspace`,
      PLAN_OPTIONS,
      SYSTEM_JOBATTEMPT: '1',
      PLAN_ATTEMPT: '1',
      SHARDS: '01',
    }),
    plan: [{ text: `mkdir "$PIPELINE_WORKSPACE"\n${scriptWith('plan', pipeline)}` }, { text: scriptWith('emit', pipeline) }],
    // The second job gets the published files of the first one.
    shardAndGate: () => [
      { text: `cp -R "$PIPELINE_WORKSPACE/plan" "$PIPELINE_WORKSPACE/plan-1"\n${scriptWith('run-shard', pipeline)}` },
      { text: scriptWith('gate', pipeline) },
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

/** The readers of templates whose jobs share no checkout, or that are not in YAML, by engine. */
const READERS: Readonly<Record<string, () => TemplateScripts>> = {
  github: readGithub,
  gitlab: readGitlab,
  buildkite: readBuildkite,
  circleci: readCircleci,
  azure: readAzure,
  jenkins: readJenkins,
};

/** Returns the scripts of an engine's template. */
export function scriptsOf({ name, setup }: CiEngine): TemplateScripts {
  return READERS[name]?.() ?? readShared(Object.keys(setup.files).map(readTemplate).join('\n'));
}

/** Returns the scripts of an engine's form with one job, with the shell and the variables of its other form. */
export function oneJobOf(engine: CiEngine): TemplateScripts {
  const { shell, variables, plan, shardAndGate } = scriptsOf(engine);
  const [file = ''] = Object.keys(engine.setup.oneJob ?? {}).toReversed();
  const text = (): string => ONE_JOB[engine.name]?.(readTemplate(file)) ?? scriptWith('gate', parse(readTemplate(file)));
  const more = { PLAN_OPTIONS: '--shards 1', FOLDER: '', NIGHT: '', GITHUB_TOKEN: '', PART: 'all', BUILDKITE_SOURCE: 'webhook' };
  return {
    shell,
    variables: (folder) => ({ ...more, ...variables(folder), PLAN_OPTIONS: more.PLAN_OPTIONS }),
    plan: [],
    // On GitHub, both forms have the same steps.
    shardAndGate: (folder, repo) => (engine.name === 'github' ? [...plan.slice(0, 2), ...shardAndGate(folder, repo)] : [{ text: text() }]),
  };
}

const ONE_JOB: Readonly<Record<string, (text: string) => string>> = {
  buildkite: () => 'sh .buildkite/affected.sh all',
  jenkins: (text) => /sh '''\n([\s\S]*?)'''/.exec(text)?.[1] ?? '',
  azure: (text) => `mkdir -p "$PIPELINE_WORKSPACE"\n${scriptWith('gate', parse(text))}`,
};
