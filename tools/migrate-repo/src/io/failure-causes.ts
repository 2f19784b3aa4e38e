import type { ErrorCode } from '@tributary/model/errors';
import { RUNS_CODE_HINT } from '../align/runs-code.js';
import type { YarnError } from './yarn-error.js';

/** Why an installation failed. */
export interface FailureCause {
  readonly code: Extract<
    ErrorCode,
    'INSTALL_FAILED' | 'REGISTRY_UNREACHABLE' | 'REGISTRY_REFUSED' | 'INSTALL_GIT_UNREADABLE' | 'INSTALL_RUNS_CODE'
  >;
  /** The end of the sentence, after a colon. */
  readonly why: string;
  /** `undefined` if there is no better hint than to fix it. */
  readonly hint?: string | undefined;
}

/** An error, with everything that Yarn printed about it. */
export interface FailureContext extends YarnError {
  /** The log of a failed script; `undefined` if there is none. */
  readonly log: ScriptLog | undefined;
  /** Whether Yarn was allowed to ask the registry (YN0090). */
  readonly network: 'on' | 'off';
}

export interface ScriptLog {
  /** `postinstall`; empty if unknown. */
  readonly script: string;
  /** Its output, or the end of it; empty if there was none. */
  readonly text: string;
}

interface Rule {
  readonly codes?: readonly string[];
  readonly words?: RegExp;
  readonly when?: (context: FailureContext) => boolean;
  readonly cause: (context: FailureContext, match: readonly string[]) => Omit<FailureCause, 'code'> & Partial<Pick<FailureCause, 'code'>>;
}

const NO_CREDENTIALS =
  'Installations get no ssh agent, ssh key or GitHub token, because Yarn runs scripts of git repositories. Publish it to the registry, or use a public address.';
const CHECK_NETWORK =
  'Check the network, the proxy, and npmRegistryServer in .yarnrc.yml (or YARN_NPM_REGISTRY_SERVER), then run the same command again.';
const LOG_IN = 'Log in with "yarn npm login", or set YARN_NPM_AUTH_TOKEN; installations do not get GitHub tokens.';

/** The first matching rule applies. `codes` are from `MessageName` of @yarnpkg/core, `words` from messages of Yarn 4. */
const RULES: readonly Rule[] = [
  {
    words: /^Failed (?:listing refs|cloning|fetching|to clone)/i,
    when: ({ details }) => /^transport '.*' not allowed$/.test(gitWords(details) ?? ''),
    cause: () => ({
      code: 'INSTALL_RUNS_CODE',
      why: 'it comes from a git repository, which Yarn packs by running its scripts',
      hint: RUNS_CODE_HINT,
    }),
  },
  {
    words: /^Failed (?:listing refs|cloning|fetching|checking out|to clone)|^(?:git|Git) /i,
    cause: ({ details, words }) => ({
      code: 'INSTALL_GIT_UNREADABLE',
      why: `its git repository cannot be read: ${gitWords(details) ?? words}`,
      hint: NO_CREDENTIALS,
    }),
  },
  {
    words: /approvedGitRepositories/,
    cause: () => ({
      why: 'the settings of the monorepo do not allow its git repository (approvedGitRepositories)',
      hint: 'Allow its address in "approvedGitRepositories" of .yarnrc.yml, commit, and run the same command again.',
    }),
  },
  {
    codes: ['YN0033', 'YN0041'],
    cause: (context) => ({ code: 'REGISTRY_REFUSED', why: `${hostOf(context)} requires a valid credential`, hint: LOG_IN }),
  },
  { codes: ['YN0035'], cause: registryAnswer },
  {
    words: /(?:Unexpected token|Unexpected end) .*JSON/,
    cause: () => ({
      code: 'REGISTRY_UNREACHABLE',
      why: 'the answer is not JSON, so it is not from a registry: a proxy or a login page may be in between',
      hint: CHECK_NETWORK,
    }),
  },
  {
    words: /^Bad response: (\d+)/,
    cause: (_, [, status]) => ({ code: 'REGISTRY_UNREACHABLE', why: `the proxy answers ${status}`, hint: CHECK_NETWORK }),
  },
  {
    words:
      /\b(?:ENOTFOUND|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EAI_AGAIN|EPROTO|socket hang up|tunneling socket|Timeout awaiting|certificate)\b/i,
    cause: ({ words }) => ({ code: 'REGISTRY_UNREACHABLE', why: `the registry cannot be reached: ${words}`, hint: CHECK_NETWORK }),
  },
  { codes: ['YN0009'], cause: buildFailure },
  { codes: ['YN0012'], cause: () => ({ why: 'no linker of Yarn can install it; see nodeLinker in .yarnrc.yml' }) },
  {
    codes: ['YN0016'],
    words: /quarantined/,
    cause: () => ({ why: 'every version that satisfies it is newer than npmMinimalAgeGate allows' }),
  },
  { codes: ['YN0016'], words: /return tag "(.*)"/, cause: (_, [, tag]) => ({ why: `the registry has no tag "${tag}" of it` }) },
  { codes: ['YN0016'], cause: () => ({ why: 'the registry does not have the locked or required version' }) },
  { codes: ['YN0018'], cause: () => ({ why: 'the download does not match its checksum in the lockfile' }) },
  { codes: ['YN0027'], cause: () => ({ why: 'nothing can resolve it' }) },
  { words: /isn't supported by any available resolver/, cause: () => ({ why: "the monorepo's Yarn cannot resolve such a range" }) },
  { codes: ['YN0028'], cause: () => ({ why: 'the lockfile would have to change' }) },
  { codes: ['YN0046'], cause: () => ({ why: 'the lockfile has conflict markers that Yarn cannot resolve' }) },
  { codes: ['YN0048'], cause: () => ({ why: 'a file of its working tree is wrong' }) },
  { codes: ['YN0057'], cause: ({ words }) => ({ why: words }) },
  { codes: ['YN0066'], cause: ({ words }) => ({ why: `its patch does not apply: ${words.replace(/ \(set .*$/, '')}` }) },
  { codes: ['YN0078'], cause: () => ({ why: 'the locked version does not satisfy its range' }) },
  { codes: ['YN0080'], cause: () => ({ why: 'the settings of the monorepo forbid the network (enableNetwork, networkSettings)' }) },
  {
    codes: ['YN0081'],
    words: /\(([^()]+)\)$/,
    cause: (_, [, host]) => ({ why: `the settings of the monorepo forbid requests to ${host} without https (unsafeHttpWhitelist)` }),
  },
  { codes: ['YN0082'], words: /catalog/, cause: ({ words }) => ({ why: words }) },
  {
    codes: ['YN0082'],
    cause: ({ network }) => ({
      why:
        network === 'on'
          ? 'no version in the registry satisfies its range'
          : 'the settings of the monorepo keep Yarn from the registry (enableOfflineMode), and its cache has no version that satisfies the range',
    }),
  },
  {
    codes: ['YN0084'],
    cause: ({ about, words }) => ({
      why: `a constraint of the monorepo does not hold${about === undefined ? '' : `: ${words}`}`,
      hint: 'Correct it in the source, or change the constraint in yarn.config.cjs; commit, and run the same command again.',
    }),
  },
  { words: /^ENOENT: .*? '(.*)'$/, cause: (_, [, path]) => ({ why: `there is nothing at ${path}` }) },
  { words: /^Workspace not found/, cause: () => ({ why: 'no such workspace exists, or not in that version' }) },
  { words: /^Manifest not found/, cause: () => ({ why: 'there is no package.json' }) },
];

/** Returns the cause in plain words, or in Yarn's own if no rule matches. */
export function causeOf(context: FailureContext): FailureCause {
  for (const { codes, words, when, cause } of RULES) {
    if (codes?.includes(context.code) === false || when?.(context) === false) continue;
    const match = words === undefined ? [] : words.exec(context.words);
    if (match !== null) return { code: 'INSTALL_FAILED', ...cause(context, match) };
  }
  return { code: 'INSTALL_FAILED', why: context.words === '' ? 'Yarn gave no reason' : context.words };
}

/** Returns only the host, because the rest of the URL may be a secret. */
function hostOf({ details }: YarnError): string {
  const address = details.get('Request URL') ?? '';
  return URL.canParse(address) ? new URL(address).host : 'the registry';
}

function registryAnswer(context: FailureContext): Omit<FailureCause, 'code'> & Partial<Pick<FailureCause, 'code'>> {
  const [, status = '', name] = /^(\d+)(?: \((.*)\))?/.exec(context.details.get('Response Code') ?? '') ?? [];
  const host = hostOf(context);
  if (status === '404') return { why: `${host} does not have it` };
  if (status === '') return { why: `${host} answered with an error: ${context.words}` };
  const why = `${host} answers ${status}${name === undefined ? '' : ` (${name})`}`;
  if (status === '401' || status === '403') return { code: 'REGISTRY_REFUSED', why, hint: LOG_IN };
  return /^(?:5|429)/.test(status)
    ? {
        code: 'REGISTRY_UNREACHABLE',
        why,
        hint: 'Wait, then run the same command again: the registry is overloaded, or limits requests.',
      }
    : { why };
}

function buildFailure({ words, log }: FailureContext): Omit<FailureCause, 'code'> {
  const script = log === undefined || log.script === '' ? 'its build script' : `its script "${log.script}"`;
  const exit = /exit code (\d+)/.exec(words)?.[1];
  const ended = `${script} ended with ${exit === undefined ? 'an error' : `exit code ${exit}`}`;
  const last = (log?.text.split('\n').at(-1) ?? '').trim().replace(/\.$/, '');
  return { why: last === '' ? `${ended} without output` : `${ended}, its last output: ${last}` };
}

function gitWords(details: ReadonlyMap<string, string>): string | undefined {
  const [message] = [...details].flatMap(([name, value]) => (name.endsWith('Error') ? [value] : []));
  return message?.replace(/\.$/, '');
}
