import { network } from '@tributary/git/git';
import type { RemoteRef } from '@tributary/git/parse';
import { isToolError, ToolError } from '@tributary/model/errors';
import type { ObjectId } from '@tributary/model/ids';
import { type RepoUrl, redactUrls, reveal } from '@tributary/model/repo-url';
import { announceRefs, patienceSettings, type Remote } from './scratch-fetch.js';

/** A ref of a mirror to change. */
export interface MirrorUpdate {
  readonly ref: string;
  /** Its current value; `undefined` if it does not exist. */
  readonly from: ObjectId | undefined;
  readonly to: ObjectId;
}

/** Returns the refs of a mirror. Throws `MIRROR_UNREACHABLE`, `INTERRUPTED`. */
export async function announceMirror(remote: Remote): Promise<readonly RemoteRef[]> {
  try {
    return await announceRefs(remote);
  } catch (error) {
    if (!isToolError(error) || error.code === 'INTERRUPTED' || error.code === 'GIT_MISSING') throw error;
    throw new ToolError({
      code: 'MIRROR_UNREACHABLE',
      message: error.message,
      hint: 'Check the address of --to and your access to it with "git ls-remote <address>". Create an empty repository there first if none exists.',
      data: error.data,
      cause: error,
    });
  }
}

/**
 * Pushes all updates or none; none if the mirror has changed since it was read. Throws `MIRROR_REFUSED`. Nothing was
 * changed then, unless the message says that this is unknown.
 */
export async function pushMirror(remote: Remote, updates: readonly MirrorUpdate[]): Promise<void> {
  const settings = await patienceSettings(remote);
  const leases = updates.map(({ ref, from = '' }) => `--force-with-lease=${ref}:${from}`);
  const options = ['--porcelain', '--atomic', '--no-verify', '--no-recurse-submodules', '--no-follow-tags', ...leases];
  const refspecs = updates.map(({ ref, to }) => `${to}:${ref}`);
  const git = network(remote.scratch, { signal: remote.signal });
  const answer = await git.attempt([...settings, 'push', ...options, '--', reveal(remote.url), ...refspecs]);
  if (answer.exit === 0) return;
  // The connection may break after the server has finished.
  const now = await announceRefs(remote).catch(() => undefined);
  const isThere = ({ ref, to }: MirrorUpdate): boolean => now?.some((one) => one.ref === ref && one.id === to) === true;
  if (updates.every(isThere)) return;
  const words = redactUrls(`${answer.stderr}\n${answer.stdout.toString('utf8')}`);
  throw refused(remote.url, words, now === undefined ? 'Whether it changed anything is not known.' : 'Nothing was changed there.');
}

function refused(url: RepoUrl, words: string, outcome: string): ToolError {
  const isStale = /stale info|fetch first|non-fast-forward/.test(words);
  return new ToolError({
    code: 'MIRROR_REFUSED',
    message: `${url} rejected the push: ${telling(words)}. ${outcome}`,
    hint: isStale
      ? 'Somebody pushed to it at the same time. Run the same command again.'
      : 'Check your push access, and whether a rule protects its branch or tags. An archived repository rejects pushes.',
    data: { mirror: url.toString(), git: words },
  });
}

/** Returns the reason that a server or git gives. */
function telling(words: string): string {
  const lines = words
    .split(/[\r\n]+/)
    .map((line) => line.replace(/^remote: */, '').trim())
    .filter((line) => line !== '');
  const line =
    lines.find((one) => /^(error|fatal): (?!failed to push)/i.test(one)) ??
    lines.find((one) => one.startsWith('!')) ??
    lines[0] ??
    'git gave no reason';
  return line
    .replace(/^(error|fatal): /i, '')
    .replace(/^!\s*/, '')
    .replaceAll('\t', ' ')
    .replace(/\.$/, '');
}
