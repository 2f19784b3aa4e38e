import { ToolError } from '@tributary/model/errors';
import type { GitHubSource } from './known-pulls.js';

/** `acme/app` with the address and the token that the environment has, as in a workflow. Throws `USAGE`. */
export function readGitHubSource(
  text: string,
  branch: string | undefined,
  env: Readonly<Record<string, string | undefined>> = process.env,
): GitHubSource {
  const { owner, repo } = /^(?<owner>[\w.-]+)\/(?<repo>[\w.-]+)$/.exec(text)?.groups ?? {};
  if (owner === undefined || repo === undefined)
    throw new ToolError({ code: 'USAGE', message: '--github names no repository.', hint: 'It is owner/name, such as acme/app.' });
  const token = filled(env['GITHUB_TOKEN']) ?? filled(env['GH_TOKEN']);
  if (token === undefined)
    throw new ToolError({
      code: 'USAGE',
      message: 'GitHub says nothing of pull requests without a token.',
      hint: 'Set GITHUB_TOKEN or GH_TOKEN. It needs to read contents, pull requests, checks, commit statuses and actions.',
    });
  return { owner, repo, branch, apiUrl: filled(env['GITHUB_API_URL']) ?? 'https://api.github.com', token };
}

/** A workflow sets what it does not have to nothing. */
function filled(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
