import { ToolError } from '@tributary/model/errors';
import { type RepoUrl, reveal } from '@tributary/model/repo-url';

/** A repository on a forge, parsed from its address. */
export interface HostedRepositoryName {
  /** The host without a port, in lower case: `github.com`. */
  readonly host: string;
  readonly owner: string;
  readonly repo: string;
  /** The address of its REST API: `https://api.github.com`, `https://github.example/api/v3`. */
  readonly apiUrl: string;
}

const WITH_SCHEME = /^(https?|ssh):\/\/(?:[^@/]*@)?([^@/:]+)(:\d+)?\/([^?#]+)$/i;
const SCP_LIKE = /^(?:[^@/:]+@)?([^/:@]{2,}):(?!\/\/)\/?([^?#]+)$/;

/**
 * Returns the repository that an address of GitHub or GitHub Enterprise names; `undefined` if it has no owner and
 * repository, like a path.
 */
export function hostedAt(address: string): HostedRepositoryName | undefined {
  const [, scheme = 'ssh', host, port = '', path = ''] = WITH_SCHEME.exec(address) ?? scpLike(address);
  const [, owner = '', repo = ''] = /^\/*([\w.-]+)\/([\w.-]+?)(?:\.git)?\/*$/.exec(path) ?? [];
  if (host === undefined || owner === '' || repo === '') return undefined;
  const name = host.toLowerCase().replace(/^(?:www|ssh)\.github\.com$/, 'github.com');
  // The port of ssh is not the API's port.
  const authority = /^ssh$/i.test(scheme) ? `https://${name}` : `${scheme.toLowerCase()}://${name}${port}`;
  return { host: name, owner, repo, apiUrl: apiAt(name, authority) };
}

function scpLike(address: string): readonly (string | undefined)[] {
  const [, host, path] = SCP_LIKE.exec(address) ?? [];
  return [address, undefined, host, undefined, path];
}

/**
 * Returns the API's address. Source: docs.github.com, "Getting started with the REST API"; for `*.ghe.com`, "Network
 * details for GHE.com".
 */
function apiAt(host: string, authority: string): string {
  const isPublic = host === 'github.com' || host.endsWith('.ghe.com');
  return isPublic ? `https://api.${host}` : `${authority}/api/v3`;
}

/** Returns the repository that an address names. `option` is the option that sets another address. Throws `USAGE` if it names none. */
export function requireHosted(url: RepoUrl, option: '--from' | '--remote'): HostedRepositoryName {
  const found = url.kind === 'remote' ? hostedAt(reveal(url)) : undefined;
  if (found !== undefined) return found;
  throw new ToolError({
    code: 'USAGE',
    message: `${url} is not a GitHub repository, so its pull requests cannot be read.`,
    hint:
      option === '--from'
        ? 'Name the source on GitHub: --from https://github.com/<owner>/<repository>'
        : 'Name the remote of the monorepo on GitHub with --remote.',
  });
}
