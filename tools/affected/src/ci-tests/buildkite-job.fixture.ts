import { dirname, join } from 'node:path';

/** A step as `buildkite-agent pipeline upload` hands it over: parsed, with its variables replaced. */
export interface UploadedStep {
  readonly key?: string;
  readonly command?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly artifact_paths?: string;
  readonly continue_on_failure?: boolean;
}

/** `retries`: how often it was run again. */
export type Step = UploadedStep & { readonly queue: string; readonly retries: number };

export interface BuildOptions {
  /** The agent. */
  readonly program: string;
  /** Address, commit and branch, as Buildkite tells them to a job. */
  readonly variables: Readonly<Record<string, string>>;
  /** What the machines have. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where the machines work; nothing else is in it. */
  readonly folder: string;
  /** `shard-01` → a file: the job is cancelled as soon as it is there. */
  readonly cancel?: ReadonlyMap<string, string>;
  /** Of the steps that it is true for, no job ever gets a machine. */
  readonly neverRun?: (step: UploadedStep) => boolean;
}

/** Where a job runs. */
export interface JobFolder {
  readonly job: string;
  readonly machine: number;
  readonly endpoint: string;
}

/** The environment of a job. Source: buildkite.com/docs, "Environment variables"; `buildkite-agent bootstrap --help`. */
export function jobVariables(
  { key = '', command = '', env, artifact_paths = '', queue, retries }: Step,
  { job, machine, endpoint }: JobFolder,
  { folder, variables, environment, program }: BuildOptions,
): Record<string, string> {
  return {
    ...environment,
    BUILDKITE: 'true',
    CI: 'true',
    BUILDKITE_SOURCE: 'webhook',
    BUILDKITE_BUILD_ID: 'build',
    BUILDKITE_JOB_ID: job,
    BUILDKITE_STEP_KEY: key,
    BUILDKITE_LABEL: key,
    BUILDKITE_RETRY_COUNT: String(retries),
    BUILDKITE_ORGANIZATION_SLUG: 'acme',
    BUILDKITE_PIPELINE_SLUG: 'shop',
    BUILDKITE_PIPELINE_PROVIDER: 'git',
    BUILDKITE_AGENT_NAME: `machine-${machine}`,
    BUILDKITE_AGENT_META_DATA_QUEUE: queue,
    BUILDKITE_BIN_PATH: dirname(program),
    BUILDKITE_AGENT_ENDPOINT: endpoint,
    BUILDKITE_AGENT_ACCESS_TOKEN: 'token-of-the-job',
    BUILDKITE_BUILD_PATH: join(folder, 'builds'),
    BUILDKITE_HOOKS_PATH: join(folder, 'hooks'),
    BUILDKITE_COMMAND: command,
    BUILDKITE_COMMAND_EVAL: 'true',
    BUILDKITE_SHELL: '/bin/sh -e -c',
    BUILDKITE_ARTIFACT_PATHS: artifact_paths,
    BUILDKITE_GIT_CLONE_FLAGS: '-v',
    BUILDKITE_GIT_CLEAN_FLAGS: '-ffxdq',
    BUILDKITE_SSH_KEYSCAN: 'false',
    ...variables,
    ...env,
  };
}
