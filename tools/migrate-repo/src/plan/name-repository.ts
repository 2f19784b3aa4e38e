import { isRepositoryName, type NamedRepository } from '@tributary/model/message-mapping';
import { isPlainObject } from '@tributary/model/plain-object';
import type { RepoUrl } from '@tributary/model/repo-url';
import type { Manifest } from '@tributary/workspaces/manifest';
import hostedGitInfo from 'hosted-git-info';

/**
 * Returns the repository that `#12` in a message of a source refers to: the one of its address, else the one in its
 * manifest. `undefined` if both are missing, as for a local folder whose package.json has no `repository`.
 */
export function nameRepository(url: RepoUrl, manifest: Manifest): NamedRepository | undefined {
  return (url.kind === 'remote' ? nameOf(url.toString()) : undefined) ?? nameInManifest(manifest);
}

/** Returns the repository that a manifest names. */
function nameInManifest({ raw }: Manifest): NamedRepository | undefined {
  const field = raw['repository'];
  const text = isPlainObject(field) ? field['url'] : field;
  return typeof text === 'string' ? nameOf(text) : undefined;
}

/** Returns the repository of an address; `undefined` if the address does not contain it. */
export function nameOf(address: string): NamedRepository | undefined {
  const hosted = hostedGitInfo.fromUrl(address);
  if (hosted === undefined) return nameOnOtherHost(address);
  const { type, user, project } = hosted;
  return type === 'gist' ? undefined : named(`${user}/${project}`, type === 'gitlab' ? 'gitlab' : 'other');
}

const ADDRESS = /^(?:git\+)?(?:https?|ssh):\/\/(?:[^@/]*@)?([^/:?#]+)(?::\d+)?\/([^?#]+)/;
const SCP_LIKE = /^(?:[^@/:]+@)?([^/:@]{2,}):(?!\/\/)\/?([^?#]+)$/;

/**
 * Returns the repository on an unknown host. Two names are owner and repository. A longer path can mean anything,
 * except on a host named after GitLab, where it has groups.
 */
function nameOnOtherHost(address: string): NamedRepository | undefined {
  const [, host = '', path = ''] = ADDRESS.exec(address) ?? SCP_LIKE.exec(address) ?? [];
  const names = path
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .split('/');
  if (/(?:^|[.-])gitlab(?:[.-]|$)/i.test(host)) return named(names.join('/'), 'gitlab');
  return names.length === 2 ? named(names.join('/'), 'other') : undefined;
}

function named(name: string, forge: NamedRepository['forge']): NamedRepository | undefined {
  return isRepositoryName(name) ? { name, forge } : undefined;
}
