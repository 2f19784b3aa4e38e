import { accessIn } from '@tributary/github/token-check';
import { ToolError } from '@tributary/model/errors';
import type { Forge } from '@tributary/model/forge';
import type { Progress } from '@tributary/terminal/progress';
import { VERSION } from '../version.js';
import type { Clone } from './open-clone.js';

/** The address, token and repository for requests to a forge. */
export interface ForgeRequest {
  readonly apiUrl: string;
  readonly token: string;
  /** `undefined`: for each clone, the repository of its remote. */
  readonly repository: RepositoryName | undefined;
  /** The branch that pull requests are merged into; `undefined`: the main branch of the clone. */
  readonly branch: string | undefined;
}

interface RepositoryName {
  readonly owner: string;
  readonly repo: string;
}

/** GitHub answers within 10 s, but a proxy in front of it may take longer. */
const REQUEST_LIMIT_MS = 60_000;

/**
 * Opens the forge for the repository of a clone. Only this file knows which forge that is, and it loads the forge's package only when
 * needed. No CI job waits for a collection, so there is no time limit for all requests together. Throws `USAGE`.
 */
export async function openForge(
  request: ForgeRequest,
  clone: Pick<Clone, 'name' | 'webUrl' | 'folder'>,
  { signal, progress }: { readonly signal: AbortSignal; readonly progress: Progress },
): Promise<Forge> {
  const { owner, repo } = request.repository ?? repositoryOf(clone, request.apiUrl);
  const { openGitHub } = await import('@tributary/github/open-github');
  return openGitHub({
    owner,
    repo,
    apiUrl: request.apiUrl,
    token: request.token,
    signal,
    userAgent: `commit-to-publish/${VERSION}`,
    timeLimitMs: Number.POSITIVE_INFINITY,
    requestLimitMs: REQUEST_LIMIT_MS,
    onPause: (seconds) => progress.phase(`Waiting ${Math.ceil(seconds / 60)} min for GitHub, whose request limit is reached`),
  });
}

/**
 * Parses the value of `--github`: `acme/app`, or `true` for the repositories of the remotes. The address and the token come from the
 * environment, as in a workflow. Throws `USAGE`.
 */
export function readForgeRequest(
  value: string | true,
  branch: string | undefined,
  env: Readonly<Record<string, string | undefined>> = process.env,
): ForgeRequest {
  const repository = value === true ? undefined : parseRepositoryName(value);
  if (value !== true && repository === undefined)
    throw new ToolError({ code: 'USAGE', message: '--github is not a repository name.', hint: 'Give owner/name, such as acme/app.' });
  const { apiUrl, token } = accessIn(env);
  if (token === undefined)
    throw new ToolError({
      code: 'USAGE',
      message: 'Reading pull requests from GitHub requires a token.',
      hint: 'Set GITHUB_TOKEN or GH_TOKEN. It needs to read contents, pull requests, checks, commit statuses and actions, and deployments where they count.',
    });
  return { repository, branch, apiUrl, token };
}

/** Rejects a clone of another host, where the same name may be another repository. */
function repositoryOf({ name, webUrl, folder }: Pick<Clone, 'name' | 'webUrl' | 'folder'>, apiUrl: string): RepositoryName {
  const repository = parseRepositoryName(name);
  const host = webUrl === undefined ? undefined : new URL(webUrl).hostname;
  const apiHost = URL.canParse(apiUrl) ? new URL(apiUrl).hostname : '';
  if (repository === undefined || (host !== apiHost && `api.${host}` !== apiHost))
    throw new ToolError({
      code: 'USAGE',
      message: `The remote of ${folder} does not identify a repository on ${apiHost}.`,
      hint: 'Collect it with a separate command, and give the repository: --github owner/name.',
    });
  return repository;
}

function parseRepositoryName(text: string): RepositoryName | undefined {
  const { owner, repo } = /^(?<owner>[\w.-]+)\/(?<repo>[\w.-]+)$/.exec(text)?.groups ?? {};
  return owner === undefined || repo === undefined ? undefined : { owner, repo };
}

/** What the environment names, and what the forge says about its token. */
export { accessIn, checkToken } from '@tributary/github/token-check';
