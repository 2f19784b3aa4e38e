import { isToolError, type ToolError } from '@tributary/model/errors';
import { createGitHub, type GitHub, type GitHubOptions } from './client.js';
import { type Handler, type HttpAnswer, type LocalGitHub, startGitHub } from './testing/local-github.js';

// A client and a server whose answers a test gives.

export const TOKEN = 'ghs_s3cretS3cretS3cret';
const question = { what: 'the repository acme/app', permission: 'contents: read' };
export const fine: HttpAnswer = { body: { full_name: 'acme/app' } };

/** Starts a server that sends these answers in order, and repeats the last one for ever. */
export async function serve(
  cleanUp: { add(server: LocalGitHub): LocalGitHub },
  ...answers: (HttpAnswer | 'hang' | 'hang up')[]
): Promise<LocalGitHub> {
  const handler: Handler = () => (answers.length > 1 ? answers.shift() : answers[0]) ?? 'hang';
  return cleanUp.add(await startGitHub(handler));
}

export function connect(server: LocalGitHub, more: Partial<GitHubOptions> = {}): GitHub {
  return createGitHub({ apiUrl: server.apiUrl, token: TOKEN, secondMs: 5, ...more });
}

export async function ask(github: GitHub): Promise<string> {
  const { data } = await github.call(question, (octokit) => octokit.rest.repos.get({ owner: 'acme', repo: 'app' }));
  return data.full_name;
}

export async function failureOf(github: GitHub): Promise<ToolError> {
  const error = await ask(github).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isToolError(error)) throw new Error('it did not fail with a ToolError', { cause: error });
  return error;
}
