import { ToolError } from '@tributary/model/errors';
import type { WorkspaceName } from '@tributary/model/ids';
import type { AbsolutePath } from '@tributary/model/paths';
import { isPlainObject } from '@tributary/model/plain-object';
import { installEnvironment } from '@tributary/process/environment';
import { callProgram } from '@tributary/process/spawn';
import hostedGitInfo from 'hosted-git-info';
import { findYarnRelease } from './find-yarn.js';
import { registrySettings, yarnEnvironment } from './yarn-environment.js';

export interface PublishedRepository {
  /** An address that git understands. */
  readonly repository: string;
  /** `repository.directory`: where in a monorepo the package lives. */
  readonly directory: string | undefined;
}

/**
 * The `repository` field of a published package. The monorepo's own Yarn is asked, since it knows the registries and tokens of the
 * monorepo; npm where the monorepo brings no Yarn. Throws `SOURCE_UNKNOWN`.
 */
export async function askRegistry(name: WorkspaceName, monorepo: AbsolutePath, signal: AbortSignal): Promise<PublishedRepository> {
  const yarn = findYarnRelease(monorepo);
  const call =
    yarn === undefined
      ? { program: 'npm', args: ['view', name, 'repository', '--json'] }
      : { program: process.execPath, args: [yarn, 'npm', 'info', name, '--fields', 'repository', '--json'] };
  // A plugin of the monorepo may run in it, and npm asks with its own credentials.
  const env = yarn === undefined ? installEnvironment(process.env, registrySettings()) : yarnEnvironment(monorepo);
  const answer = await callProgram({ ...call, cwd: monorepo, env, timeoutMs: 60_000, signal });
  const output = answer.stdout.toString('utf8');
  if (answer.exit !== 0) throw unknownSource(name, `the registry gave no answer: ${readReason(output, answer.stderr)}`);
  const field = readField(output);
  if (field === undefined) throw unknownSource(name, 'the registry names none');
  return field;
}

/** Yarn answers with `{name, repository}`, npm with the field itself; it is a text or an object, and may be missing. */
function readField(output: string): PublishedRepository | undefined {
  const answer = parseJson(output);
  const field = isPlainObject(answer) && 'repository' in answer ? answer['repository'] : answer;
  const text = isPlainObject(field) ? field['url'] : field;
  const directory = isPlainObject(field) ? field['directory'] : undefined;
  if (typeof text !== 'string' || text === '') return undefined;
  const repository = hostedGitInfo.fromUrl(text)?.https({ noGitPlus: true }) ?? text;
  return { repository, directory: typeof directory === 'string' && directory !== '' ? directory : undefined };
}

/** npm answers a failure with `{error: {summary}}`, Yarn with a line `{type: "error", data}` for each. */
function readReason(output: string, stderr: string): string {
  const whole = parseJson(output);
  const npm = isPlainObject(whole) && isPlainObject(whole['error']) ? whole['error']['summary'] : undefined;
  const yarn = output.split('\n').map(parseJson).filter(isPlainObject);
  const message = [npm, ...yarn.filter(({ type }) => type === 'error').map(({ data }) => data), stderr].find(
    (text) => typeof text === 'string',
  );
  return (
    String(message ?? '')
      .trim()
      .split('\n')[0] ?? ''
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Nothing names a repository that could be fetched; `why` says it of the registry, which is asked last. */
export function unknownSource(name: WorkspaceName, why: string): ToolError {
  return new ToolError({
    code: 'SOURCE_UNKNOWN',
    message: `Nothing tells where the repository of ${name} is: there is no --from, no entry in tributary.json, and ${why}.`,
    hint: `Name it: migrate-repo ${name} --from <address or path>`,
  });
}
