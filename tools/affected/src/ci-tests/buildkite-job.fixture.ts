import { dirname, join } from 'node:path';

/** A step as `buildkite-agent pipeline upload` sends it: parsed, with its variables replaced. */
export interface UploadedStep {
  readonly key?: string;
  readonly command?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly artifact_paths?: string;
  readonly continue_on_failure?: boolean;
}

/** `retries` is the number of repeated runs. */
export type Step = UploadedStep & { readonly queue: string; readonly retries: number };

export interface BuildkiteOptions {
  /** The path of the agent. */
  readonly program: string;
  /** Address, commit and branch, as Buildkite sets them for a job. */
  readonly variables: Readonly<Record<string, string>>;
  /** The environment of the machines. */
  readonly environment: Readonly<Record<string, string>>;
  /** The machines' working folder, empty at first. */
  readonly folder: string;
  /** `shard-01` → a file: the job is cancelled as soon as the file exists. */
  readonly cancel?: ReadonlyMap<string, string>;
  /** No job of the steps that it returns true for ever gets a machine. */
  readonly neverRun?: (step: UploadedStep) => boolean;
}

/** The place where a job runs. */
export interface JobFolder {
  readonly job: string;
  readonly machine: number;
  readonly endpoint: string;
}

/** Returns the environment of a job. Source: buildkite.com/docs, "Environment variables"; `buildkite-agent bootstrap --help`. */
export function jobVariables(
  { key = '', command = '', env, artifact_paths = '', queue, retries }: Step,
  { job, machine, endpoint }: JobFolder,
  { folder, variables, environment, program }: BuildkiteOptions,
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
