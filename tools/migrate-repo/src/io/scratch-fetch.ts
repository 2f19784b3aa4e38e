import { type Git, network } from '@tributary/git/git';
import { foreignRepository, hintToTrust } from '@tributary/git/ownership';
import { parseRemoteRefs, type RemoteRef } from '@tributary/git/parse';
import { isToolError, ToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import { type RepoUrl, reveal } from '@tributary/model/repo-url';
import type { ObjectFault } from '../plan/object-faults.js';
import { CHECK_OBJECTS, FaultReader } from './fault-reader.js';
import { refuseForeignSource } from './local-source.js';

/** A repository that is fetched into a scratch repository. Nothing is checked out, and nothing that it configures runs. */
export interface Remote {
  readonly url: RepoUrl;
  readonly scratch: AbsolutePath;
  readonly signal: AbortSignal | undefined;
}

/** Returns the refs of a source. Throws `SOURCE_UNREACHABLE`, `SOURCE_FORMAT_MISMATCH`. */
export async function announceRefs(remote: Remote): Promise<RemoteRef[]> {
  await refuseForeignSource(remote.url);
  const settings = await patienceSettings(remote);
  const output = await ask(remote, (git) => git.text([...settings, 'ls-remote', '--symref', '--', reveal(remote.url)]));
  return parseRemoteRefs(output);
}

/** Receives git's own progress: `Receiving objects`, 42. */
export type OnFetch = (stage: string, percent: number) => void;

interface FetchOptions {
  readonly onFetch?: OnFetch | undefined;
  readonly filter?: 'tree:0';
  /** Settings that make git check what it fetches, and the receiver of its messages. Without them, nothing is checked. */
  readonly check?: { readonly settings: readonly string[]; readonly onStderr: (text: string) => void };
}

/**
 * Fetches refs as `fetchRefs`, while git checks each object. Malformed objects are fetched too, and returned. Returns
 * `undefined` if git has a check that cannot be a warning; then everything was fetched unchecked. Throws as
 * `fetchRefs`.
 */
export async function fetchChecked(
  remote: Remote,
  refspecs: readonly string[],
  onFetch: OnFetch | undefined,
): Promise<readonly ObjectFault[] | undefined> {
  const reader = new FaultReader();
  try {
    await fetchRefs(remote, refspecs, { onFetch, check: { settings: CHECK_OBJECTS, onStderr: reader.take } });
    return reader.result();
  } catch (error) {
    // index-pack says "fsck error in packed object", and "Cannot demote" for a new check that is fatal.
    if (!isToolError(error) || !/fsck error|annot demote|: error: object [0-9a-f]+: \w+:/.test(String(error.data['git']))) throw error;
    await fetchRefs(remote, refspecs, { onFetch });
    return undefined;
  }
}

/**
 * Fetches refs (`<remote>:<local>`) completely. git itself checks that everything reachable has arrived. A shallow
 * source makes the scratch repository shallow, which can be checked afterwards. The monorepo is not touched. Throws
 * `SOURCE_UNREACHABLE`, `SOURCE_PARTIAL`, `DISK_FULL`.
 */
export async function fetchRefs(remote: Remote, refspecs: readonly string[], choices: FetchOptions = {}): Promise<void> {
  const options = [
    '--no-tags',
    '--no-write-fetch-head',
    '--no-recurse-submodules',
    '--no-auto-maintenance',
    '--update-shallow',
    '--force',
    '--progress',
    ...(choices.filter === undefined ? [] : [`--filter=${choices.filter}`]),
  ];
  const settings = [...AS_IT_IS, ...(choices.check?.settings ?? UNCHECKED), ...(await patienceSettings(remote))];
  const onStderr = (text: string): void => {
    choices.check?.onStderr(text);
    const last = [...text.matchAll(/(?:remote: )?([A-Z][a-z]+ [a-z]+): +(\d+)%/g)].at(-1);
    if (last !== undefined) choices.onFetch?.(last[1] ?? '', Number(last[2]));
  };
  await ask(remote, (git) => git.bytes([...settings, 'fetch', ...options, '--', reveal(remote.url), ...refspecs], { onStderr }));
}

const AS_IT_IS = [
  // For fewer objects, git would write loose objects instead of a pack that can be moved as it is.
  'fetch.unpackLimit=1',
  'transfer.unpackLimit=1',
].flatMap((setting) => ['-c', setting]);

// If users had fetched objects checked, they could not import a source with a commit that an old program wrote
// malformed. Malformed objects are copied byte for byte; nothing is executed or checked out.
const UNCHECKED = ['-c', 'fetch.fsckObjects=false', '-c', 'transfer.fsckObjects=false'];

// A server sends something every few seconds, even while it counts objects (uploadpack.keepAlive).
const SILENCE_ENDS_IT = ['-c', 'http.lowSpeedLimit=1', '-c', 'http.lowSpeedTime=120'];
// ssh prompts on /dev/tty regardless of GIT_TERMINAL_PROMPT, and waits for a silent host as long as TCP does.
const SSH_ENDS_IT = ['-c', 'core.sshCommand=ssh -oBatchMode=yes -oConnectTimeout=30 -oServerAliveInterval=30'];

/** Returns settings that keep git from waiting forever for a silent server. The user's own timeout or ssh program takes precedence. */
export async function patienceSettings(remote: Remote): Promise<readonly string[]> {
  const url = reveal(remote.url);
  // The user's `url.<base>.insteadOf` may turn a web address into ssh.
  if (remote.url.kind === 'path' || url.startsWith('file:')) return [];
  const git = network(remote.scratch, { signal: remote.signal });
  const isSet = async (...args: readonly string[]): Promise<boolean> => (await git.attempt(['config', ...args])).exit === 0;
  const ownSsh = process.env['GIT_SSH_COMMAND'] ?? process.env['GIT_SSH'];
  const ssh = ownSsh !== undefined || (await isSet('--get', 'core.sshCommand')) ? [] : SSH_ENDS_IT;
  const http = !/^https?:/.test(url) || (await isSet('--get-urlmatch', 'http.lowSpeedTime', url)) ? [] : SILENCE_ENDS_IT;
  return [...ssh, ...http];
}

async function ask<T>(remote: Remote, question: (git: Git) => Promise<T>): Promise<T> {
  try {
    return await question(network(remote.scratch, { signal: remote.signal }));
  } catch (error) {
    throw isToolError(error) && error.code === 'GIT_FAILED' ? explain(remote, error) : error;
  }
}

function explain(remote: Remote, cause: ToolError): ToolError {
  const stderr = cause.data['stderr'];
  const message = typeof stderr === 'string' ? stderr : cause.message;
  const data = { source: remote.url.toString(), git: message };
  if (/mismatched algorithms|object format|unsupported hash|hash algorithm/i.test(message)) return formatMismatch(remote.url, cause);
  if (
    /unable to read|missing (blob|tree|commit)|bad object|repository corruption|did not send all necessary objects|did not receive expected object|promisor/i.test(
      message,
    )
  ) {
    return new ToolError({
      code: 'SOURCE_PARTIAL',
      message: `${remote.url} lacks objects of its history: ${lastWords(message)}`,
      hint: 'It may be a partial clone, or damaged ("git fsck" shows that). Migrate from a complete clone.',
      data,
      cause,
    });
  }
  // Of a source with a working tree, git may also ask for `.git` to be trusted before it fetches from it.
  const foreign = foreignRepository(message);
  return new ToolError({
    code: 'SOURCE_UNREACHABLE',
    message: `${remote.url} could not be read: ${lastWords(message)}`,
    hint: foreign === undefined ? 'Check the address and your access to it with "git ls-remote <address>".' : hintToTrust(foreign),
    data,
    cause,
  });
}

/** Returns the error for different object formats: SHA-1 and SHA-256 repositories cannot share history. */
export function formatMismatch(url: RepoUrl, cause?: unknown): ToolError {
  return new ToolError({
    code: 'SOURCE_FORMAT_MISMATCH',
    message: `${url} and the monorepo use different object formats (SHA-1 and SHA-256), so they cannot share a history.`,
    hint: 'Convert one of the two first, with "git fast-export" into a repository of the other format.',
    cause,
  });
}

/** Returns the most informative line of git's output: missing objects first, then a fatal error, else the last line. */
function lastWords(message: string): string {
  const lines = message
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/\d+% \(/.test(line));
  const telling =
    lines.find((line) => /unable to read|missing /.test(line)) ??
    lines.find((line) => /^(fatal|error|ERROR)/.test(line)) ??
    lines.at(-1) ??
    'git gave no reason';
  return telling.replace(/^(remote: )?(fatal|error): /, '');
}
