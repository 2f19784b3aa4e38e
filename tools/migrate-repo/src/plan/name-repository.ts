import { isRepositoryName, type NamedRepository } from '@tributary/model/message-mapping';
import { isPlainObject } from '@tributary/model/plain-object';
import type { RepoUrl } from '@tributary/model/repo-url';
import type { Manifest } from '@tributary/workspaces/manifest';
import hostedGitInfo from 'hosted-git-info';

/**
 * The repository that `#12` in a message of a source means: that of its address, else the one that its manifest names. `undefined`: neither tells, as for
 * a folder of this machine whose package.json has no `repository`.
 */
export function nameRepository(url: RepoUrl, manifest: Manifest): NamedRepository | undefined {
  return (url.kind === 'remote' ? nameOf(url.toString()) : undefined) ?? nameInManifest(manifest);
}

/** The repository that a manifest names. */
export function nameInManifest({ raw }: Manifest): NamedRepository | undefined {
  const field = raw['repository'];
  const text = isPlainObject(field) ? field['url'] : field;
  return typeof text === 'string' ? nameOf(text) : undefined;
}

/** The repository that an address leads to; `undefined`: it does not tell. */
export function nameOf(address: string): NamedRepository | undefined {
  const hosted = hostedGitInfo.fromUrl(address);
  if (hosted === undefined) return nameOnOtherHost(address);
  const { type, user, project } = hosted;
  return type === 'gist' ? undefined : named(`${user}/${project}`, type === 'gitlab' ? 'gitlab' : 'other');
}

const ADDRESS = /^(?:git\+)?(?:https?|ssh):\/\/(?:[^@/]*@)?([^/:?#]+)(?::\d+)?\/([^?#]+)/;
const SCP_LIKE = /^(?:[^@/:]+@)?([^/:@]{2,}):(?!\/\/)\/?([^?#]+)$/;

/** Of a host that is none of the large ones: two names are owner and repository; more can be anything, but groups where the host is called after GitLab. */
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
