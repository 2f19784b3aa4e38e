import { isToolError, ToolError } from '@tributary/model/errors';
import type { WorkspaceName } from '@tributary/model/ids';
import type { AbsolutePath } from '@tributary/model/paths';
import { isPlainObject } from '@tributary/model/plain-object';
import { installEnvironment } from '@tributary/process/environment';
import { callProgram } from '@tributary/process/spawn';
import hostedGitInfo from 'hosted-git-info';
import type { PublishedVersions } from '../align/published-versions.js';
import { findYarnRelease } from './find-yarn.js';
import { parseJson } from './yarn.js';
import { registrySettings, yarnEnvironment } from './yarn-environment.js';

export interface PublishedRepository {
  /** An address that git understands. */
  readonly repository: string;
  /** `repository.directory`: the package's folder in a monorepo. */
  readonly directory: string | undefined;
}

/**
 * Returns the `repository` field of a published package. Asks the monorepo's own Yarn, because it has the monorepo's
 * registries and tokens; npm if the monorepo has no Yarn. Throws `SOURCE_UNKNOWN`.
 */
export async function askRegistry(name: WorkspaceName, monorepo: AbsolutePath, signal: AbortSignal): Promise<PublishedRepository> {
  const answer = await askFor(name, 'repository', { monorepo, signal });
  if ('why' in answer) throw unknownSource(name, `the registry gave no answer: ${answer.why}`);
  const field = readField(answer.output);
  if (field === undefined) throw unknownSource(name, 'the registry does not name one');
  return field;
}

/**
 * Returns the versions of a package in the registry, none if it does not exist there; `why` if the registry could not
 * be asked. Asks as `askRegistry` does. Throws `INTERRUPTED`.
 */
export async function askVersions(name: string, monorepo: AbsolutePath, signal: AbortSignal): Promise<PublishedVersions> {
  const answer = await orWhy(askFor(name, 'versions', { monorepo, signal }));
  if ('why' in answer) return answer.isUnknownPackage ? { versions: [] } : { why: answer.why };
  const found = parseJson(answer.output);
  const field = isPlainObject(found) ? found['versions'] : found;
  const versions = (Array.isArray(field) ? field : [field]).filter((version) => typeof version === 'string');
  return versions.length === 0 ? { why: 'the registry does not name a version' } : { versions };
}

interface NoAnswer {
  readonly why: string;
  readonly isUnknownPackage: boolean;
}

async function askFor(
  name: string,
  field: string,
  { monorepo, signal }: { readonly monorepo: AbsolutePath; readonly signal: AbortSignal },
): Promise<{ readonly output: string } | NoAnswer> {
  const yarn = findYarnRelease(monorepo);
  const call =
    yarn === undefined
      ? { program: 'npm', args: ['view', name, field, '--json'] }
      : { program: process.execPath, args: [yarn, 'npm', 'info', name, '--fields', field, '--json'] };
  // A plugin of the monorepo may run in it. npm uses its own credentials.
  const env = yarn === undefined ? installEnvironment(process.env, registrySettings()) : yarnEnvironment(monorepo);
  const { exit, stdout, stderr } = await callProgram({ ...call, cwd: monorepo, env, timeoutMs: 60_000, signal });
  const output = stdout.toString('utf8');
  if (exit === 0) return { output };
  return { why: readReason(output, stderr), isUnknownPackage: /\bE404\b|Response Code: 404\b/.test(`${output}\n${stderr}`) };
}

/** Treats a missing program or a timeout as no answer. */
async function orWhy<Answer>(asked: Promise<Answer | NoAnswer>): Promise<Answer | NoAnswer> {
  try {
    return await asked;
  } catch (error) {
    if (!isToolError(error) || error.code === 'INTERRUPTED') throw error;
    return { why: error.message, isUnknownPackage: false };
  }
}

/**
 * Reads the field from the answer. Yarn returns `{name, repository}`, npm the field itself. It is a text or an object,
 * and may be missing.
 */
function readField(output: string): PublishedRepository | undefined {
  const answer = parseJson(output);
  const field = isPlainObject(answer) && 'repository' in answer ? answer['repository'] : answer;
  const text = isPlainObject(field) ? field['url'] : field;
  const directory = isPlainObject(field) ? field['directory'] : undefined;
  if (typeof text !== 'string' || text === '') return undefined;
  const repository = hostedGitInfo.fromUrl(text)?.https({ noGitPlus: true }) ?? text;
  return { repository, directory: typeof directory === 'string' && directory !== '' ? directory : undefined };
}

/** Returns the reason of a failure. npm prints `{error: {summary}}`, Yarn a line `{type: "error", data}` for each. */
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

/** Returns the error for a package without a repository to fetch. `why` is about the registry, which is asked last. */
export function unknownSource(name: WorkspaceName, why: string): ToolError {
  return new ToolError({
    code: 'SOURCE_UNKNOWN',
    message: `Unknown repository of ${name}: --from is missing, tributary.json has no entry, and ${why}.`,
    hint: `Name it: migrate-repo ${name} --from <address or path>`,
  });
}
