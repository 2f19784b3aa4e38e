import { existsSync, readFileSync } from 'node:fs';
import { ToolError } from '@tributary/model/errors';
import { redactUrls } from '@tributary/model/repo-url';
import { diskFull } from '@tributary/process/spawn';
import type { YarnMessage } from './yarn.js';

/** What Yarn's codes mean, as the end of a sentence that begins with the package. Source: `MessageName` of @yarnpkg/core. */
const MEANINGS: ReadonlyMap<string, string> = new Map([
  ['YN0009', 'its build script failed'],
  ['YN0016', 'the registry does not have the version that is locked or asked for'],
  ['YN0018', 'what was downloaded does not match its checksum'],
  ['YN0027', 'nothing can resolve it'],
  ['YN0028', 'the lockfile would have to change'],
  ['YN0035', 'the registry answered with an error'],
  ['YN0046', 'the lockfile has conflict markers that Yarn cannot resolve'],
  ['YN0048', 'a file of its work tree is wrong'],
  ['YN0057', 'a field of a workspace is for the root alone'],
  ['YN0066', 'its patch does not apply'],
  ['YN0078', 'the locked version does not satisfy its range'],
  ['YN0080', 'the settings of the monorepo forbid the network'],
  ['YN0081', 'the settings of the monorepo forbid a registry without https'],
  ['YN0082', 'no version in the registry satisfies its range'],
]);

const UNREACHABLE =
  /\b(?:ENOTFOUND|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EAI_AGAIN|EPROTO|socket hang up|tunneling socket|Timeout awaiting|certificate)\b/i;
const REFUSED = /Response Code: 40[13]\b|\b40[13] \((?:Unauthorized|Forbidden)\)/;

/** The failure of an installation as one sentence: which package, which step. */
export function installFailure(messages: readonly YarnMessage[]): ToolError {
  const errors = messages.filter(({ type, text }) => type === 'error' && !text.startsWith('Failed with errors'));
  const told = errors.map(({ text }) => text).join('\n');
  if (/\bENOSPC\b|No space left on device|\bEDQUOT\b/.test(told)) return diskFull(told);
  const first = errors.find(({ code }) => MEANINGS.has(code)) ?? errors[0] ?? messages.at(-1);
  const data = {
    code: first?.code,
    package: packageOf(first?.text ?? ''),
    step: first?.step,
    messages: errors.slice(0, 20).map(({ text }) => text),
  };
  if (errors.some(({ code }) => code === 'YN0033' || code === 'YN0041') || REFUSED.test(told)) return refused(data);
  const unanswered = errors.find(({ text }) => UNREACHABLE.test(text));
  return unanswered === undefined ? failed(first, data) : unreachable(unanswered, data);
}

interface FailureData {
  readonly code: string | undefined;
  readonly package: string | undefined;
  readonly step: string | undefined;
  readonly messages: readonly string[];
}

function refused(data: FailureData): ToolError {
  return new ToolError({
    code: 'REGISTRY_REFUSED',
    message: `The registry refuses ${data.package ?? 'to answer'} without a valid credential.`,
    hint: 'Log in with "yarn npm login", or set YARN_NPM_AUTH_TOKEN; tokens of GitHub are kept from installs.',
    data: { ...data },
  });
}

function unreachable({ text }: YarnMessage, data: FailureData): ToolError {
  return new ToolError({
    code: 'REGISTRY_UNREACHABLE',
    message: `The registry cannot be reached for ${data.package ?? 'the packages of the monorepo'}: ${firstLine(text)}.`,
    hint: 'Check the network, the proxy, and npmRegistryServer in .yarnrc.yml (or YARN_NPM_REGISTRY_SERVER), then run the same command again.',
    data: { ...data },
  });
}

function failed(message: YarnMessage | undefined, data: FailureData): ToolError {
  const why = MEANINGS.get(data.code ?? '') ?? (firstLine(message?.text ?? '') || 'Yarn gave no reason');
  const log = readLog(message?.text ?? '');
  const words = log === undefined ? '' : `, its last words: ${lastLine(log)}`;
  return new ToolError({
    code: 'INSTALL_FAILED',
    message: `${data.package ?? 'The monorepo'} cannot be installed (${describeStep(message)}): ${why}${words}.`,
    hint: 'Nothing was changed. Mend it in the source or in the monorepo, commit, and run the same command again.',
    data: { ...data, ...(log === undefined ? {} : { log }) },
  });
}

function describeStep(message: YarnMessage | undefined): string {
  const step = message === undefined || message.step === '' ? 'before the first step' : message.step.toLowerCase();
  return message === undefined || message.code === 'YN0000' ? step : `${step}, ${message.code}`;
}

/** `@acme/ui@npm:^1.0.0: No candidates found` -> `@acme/ui@^1.0.0`. */
function packageOf(text: string): string | undefined {
  const [, name, range] =
    /(?:^|\s)((?:@[\w.-]+\/)?[\w.-]+)@((?:npm|patch|workspace|https?|git\S*?|file|link|portal):\S*?)(?:[:,)]?\s|:?$)/.exec(text) ?? [];
  return name === undefined ? undefined : `${name}@${range?.replace(/^npm:/, '').replace(/:$/, '') ?? ''}`;
}

/** What a build script said; Yarn keeps it in a file. */
function readLog(text: string): string | undefined {
  const [, file] = /logs can be found here: (.+?)\)/.exec(text) ?? [];
  if (file === undefined || !existsSync(file)) return undefined;
  const said = redactUrls(readFileSync(file, 'utf8'))
    .replace(/^# .*$/gm, '')
    .trim();
  return said === '' ? undefined : said.slice(-4000);
}

function firstLine(text: string): string {
  return (text.split('\n')[0] ?? '').replace(/\.$/, '');
}

function lastLine(text: string): string {
  return (text.split('\n').at(-1) ?? '').trim().replace(/\.$/, '');
}
