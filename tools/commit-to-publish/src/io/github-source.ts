import { ToolError } from '@tributary/model/errors';
import type { GitHubSource } from './known-pulls.js';
import type { Clone } from './open-clone.js';

/** Where GitHub is asked, and for what. */
export interface GitHubAsked extends Omit<GitHubSource, 'owner' | 'repo'> {
  /** `undefined`: for each clone what its remote says. */
  readonly place: Pick<GitHubSource, 'owner' | 'repo'> | undefined;
}

/** `acme/app`, or `true` for what remotes say, with the address and the token that the environment has, as in a workflow. Throws `USAGE`. */
export function readGitHubAsked(
  place: string | true,
  branch: string | undefined,
  env: Readonly<Record<string, string | undefined>> = process.env,
): GitHubAsked {
  const named = place === true ? undefined : placeIn(place);
  if (place !== true && named === undefined)
    throw new ToolError({ code: 'USAGE', message: '--github names no repository.', hint: 'It is owner/name, such as acme/app.' });
  const token = filled(env['GITHUB_TOKEN']) ?? filled(env['GH_TOKEN']);
  if (token === undefined)
    throw new ToolError({
      code: 'USAGE',
      message: 'GitHub says nothing of pull requests without a token.',
      hint: 'Set GITHUB_TOKEN or GH_TOKEN. It needs to read contents, pull requests, checks, commit statuses and actions, and deployments where they count.',
    });
  return { place: named, branch, apiUrl: filled(env['GITHUB_API_URL']) ?? 'https://api.github.com', token };
}

/** What is asked for a clone. A clone of another host is refused: a repository that is called the same may be another one. Throws `USAGE`. */
export function sourceFor(
  { place, ...asked }: GitHubAsked,
  { name, webUrl, folder }: Pick<Clone, 'name' | 'webUrl' | 'folder'>,
): GitHubSource {
  if (place !== undefined) return { ...place, ...asked };
  const said = placeIn(name);
  const host = webUrl === undefined ? undefined : new URL(webUrl).hostname;
  const apiHost = URL.canParse(asked.apiUrl) ? new URL(asked.apiUrl).hostname : '';
  if (said === undefined || (host !== apiHost && `api.${host}` !== apiHost))
    throw new ToolError({
      code: 'USAGE',
      message: `The remote of ${folder} does not say which repository of ${apiHost} it is a clone of.`,
      hint: 'Collect it with a command of its own, and name the repository: --github owner/name.',
    });
  return { ...said, ...asked };
}

function placeIn(text: string): Pick<GitHubSource, 'owner' | 'repo'> | undefined {
  const { owner, repo } = /^(?<owner>[\w.-]+)\/(?<repo>[\w.-]+)$/.exec(text)?.groups ?? {};
  return owner === undefined || repo === undefined ? undefined : { owner, repo };
}

/** A workflow sets what it does not have to nothing. */
function filled(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
