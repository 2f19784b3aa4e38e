import { readFileSync } from 'node:fs';
import { Ajv, type AnySchema } from 'ajv';
import { type HttpAnswer, type LocalGitHub, pageOf, refusal, startGitHub } from './local-github.js';

interface Description {
  readonly status: number;
  readonly query: Readonly<Record<string, AnySchema>>;
  readonly body?: AnySchema;
  readonly answer: AnySchema;
}

/** GitHub's own description of the calls; the file names its source. */
const CALLS = (
  JSON.parse(readFileSync(new URL('./github-pull-requests-openapi.json', import.meta.url), 'utf8')) as {
    calls: Readonly<Record<string, Description>>;
  }
).calls;

const ajv = new Ajv({
  coerceTypes: true,
  formats: {
    'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
    uri: /^https:\/\//,
    'repo.nwo': true,
    int64: { type: 'number', validate: Number.isSafeInteger },
  },
});

/** A pull request in the API's format. */
export interface HostedPull {
  readonly number: number;
  title: string;
  body: string | null;
  state: 'open' | 'closed';
  merged_at: string | null;
  readonly draft: boolean;
  readonly user: { readonly login: string } | null;
  readonly created_at: string;
  readonly html_url: string;
  readonly labels: { readonly name: string }[];
  readonly base: { readonly ref: string };
  readonly head: { readonly ref: string; readonly sha: string; readonly repo: { readonly full_name: string } | null };
}

/** A repository of the server. Writes change it. */
export interface HostedState {
  readonly pulls: HostedPull[];
  /** `undefined`: not shown. */
  readonly allowMergeCommit?: boolean | undefined;
  /** The repository that it is a fork of, such as `acme/app`. */
  readonly parent?: string | undefined;
  /** The rules of every branch, in the API's format. */
  readonly rules?: readonly unknown[] | undefined;
  /** The protection of every branch; `undefined`: none, `hidden`: the token may not read it. */
  readonly protection?: { readonly required_linear_history: { readonly enabled: boolean } } | 'hidden' | undefined;
}

export interface PullRequestGitHub extends LocalGitHub {
  /** Write calls, in the order received: `POST /repos/acme/app/pulls`, GraphQL as `POST graphql`. */
  readonly writes: readonly string[];
  /** Deviations from the description, in the calls or in the responses. */
  readonly flaws: readonly string[];
}

export interface PullRequestOptions {
  /** The response to a call; `undefined`: the normal one. */
  readonly fate?: (call: string, body: string) => HttpAnswer | 'hang up' | 'hang' | undefined;
  /** Returns the last commit of a branch of a repository; `undefined` if there is no such branch. */
  readonly tipOf?: (repository: string, branch: string) => string | undefined;
}

/**
 * Starts a GitHub Enterprise Server with repositories by name, `acme/app`. Every call and response is checked against GitHub's own
 * description.
 */
export async function startPullRequestGitHub(
  repositories: Readonly<Record<string, HostedState>>,
  { fate = () => undefined, tipOf = () => 'a'.repeat(40) }: PullRequestOptions = {},
): Promise<PullRequestGitHub> {
  const flaws: string[] = [];
  const server: LocalGitHub = await startGitHub((url, body) => {
    const call = server.requests.at(-1)?.replace(/\?.*/, '') ?? '';
    const decided = fate(call, body);
    if (decided !== undefined) return decided;
    const [method = '', path = ''] = call.split(' ');
    const template = Object.keys(CALLS).find((one) => new RegExp(`^${one.replace(/\{\w+\}/g, '[^/]+')}$`).test(call));
    const [, , owner, repo, ...rest] = path.split('/');
    const name = `${owner}/${repo}`;
    const state = repositories[name];
    const description = CALLS[template ?? ''];
    if (state === undefined || description === undefined) return refusal(404, 'Not Found');
    const sent: unknown = body === '' ? undefined : JSON.parse(body);
    flaws.push(...queryFlaws(url, description), ...flawsOf(description.body, sent, call));
    const answer = answerCall({ state, name, tipOf }, { method, rest, url, sent });
    if (answer.status === undefined) flaws.push(...flawsOf(description.answer, answer.body, call));
    return { ...answer, status: answer.status ?? description.status };
  });
  return {
    ...server,
    flaws,
    get writes() {
      return server.requests.filter((one) => !one.startsWith('GET ') && !one.includes('graphql'));
    },
  };
}

interface Asked {
  readonly method: string;
  readonly rest: readonly string[];
  readonly url: URL;
  readonly sent: unknown;
}

interface Answering {
  readonly state: HostedState;
  readonly name: string;
  readonly tipOf: (repository: string, branch: string) => string | undefined;
}

function answerCall({ state, name, tipOf }: Answering, { method, rest, url, sent }: Asked): HttpAnswer {
  const [what, number, below] = rest;
  if (what === undefined) {
    const parent = state.parent === undefined ? undefined : { full_name: state.parent };
    return { body: { default_branch: 'main', allow_merge_commit: state.allowMergeCommit, parent } };
  }
  if (what === 'rules') return pageOf(state.rules ?? [], url);
  if (what === 'branches') return answerBranch(state, below);
  const found = state.pulls.find((one) => one.number === Number(number));
  if (method === 'GET') return pageOf(filtered(state, url), url);
  if (method === 'PATCH') return found === undefined ? refusal(404, 'Not Found') : { body: Object.assign(found, sent) };
  return openOne({ state, name, tipOf }, sent as NewPull);
}

/** Answers for a branch. A ruleset protects it as well. */
function answerBranch({ protection, rules = [] }: HostedState, below: string | undefined): HttpAnswer {
  if (below === undefined) return { body: { protected: protection !== undefined || rules.length > 0 } };
  if (protection === 'hidden') return refusal(403, 'Resource not accessible by integration');
  return protection === undefined ? refusal(404, 'Branch not protected') : { body: protection };
}

interface NewPull {
  readonly title: string;
  readonly body: string;
  readonly head: string;
  readonly base: string;
  readonly draft: boolean;
}

/** Opens a pull request under GitHub's conditions: only one open pull request for a branch and a base, and both must exist. */
function openOne({ state, name, tipOf }: Answering, { title, body, head, base, draft }: NewPull): HttpAnswer {
  const invalid = (message: string): HttpAnswer => ({
    ...refusal(422, 'Validation Failed'),
    body: { message: 'Validation Failed', errors: [{ resource: 'PullRequest', code: 'custom', message }] },
  });
  const sha = tipOf(name, head);
  if (sha === undefined || tipOf(name, base) === undefined) return invalid('invalid head or base');
  const isTwice = state.pulls.some(
    (one) => one.state === 'open' && one.head.repo?.full_name === name && one.head.ref === head && one.base.ref === base,
  );
  if (isTwice) return invalid(`A pull request already exists for acme:${head}.`);
  if (title.length > 256 || body.length > 65_536) return invalid('is too long');
  const pull = hostedPull(Math.max(0, ...state.pulls.map((one) => one.number)) + 1, name, { title, body, base, head, sha, draft });
  state.pulls.push(pull);
  return { body: pull };
}

/** Returns an open pull request by `ada`; any field can be replaced. */
export function hostedPull(
  number: number,
  name: string,
  given: Partial<Omit<HostedPull, 'head' | 'base'>> & { readonly base?: string; readonly head: string; readonly sha: string },
): HostedPull {
  const { base = 'main', head, sha, ...rest } = given;
  return {
    number,
    title: `Pull request ${number}`,
    body: null,
    state: 'open',
    merged_at: null,
    draft: false,
    user: { login: 'ada' },
    created_at: '2026-01-02T03:04:05Z',
    html_url: `https://github.example/${name}/pull/${number}`,
    labels: [],
    base: { ref: base },
    head: { ref: head, sha, repo: { full_name: name } },
    ...rest,
  };
}

function filtered({ pulls }: HostedState, url: URL): readonly HostedPull[] {
  const state = url.searchParams.get('state') ?? 'open';
  const head = url.searchParams.get('head');
  const found = pulls.filter(
    (one) =>
      (state === 'all' || one.state === state) && (head === null || `${one.head.repo?.full_name.split('/')[0]}:${one.head.ref}` === head),
  );
  return url.searchParams.get('direction') === 'desc' ? found.toReversed() : found;
}

function queryFlaws(url: URL, { query }: Description): readonly string[] {
  return [...url.searchParams].flatMap(([name, text]) => {
    const schema = query[name];
    if (schema === undefined) return [`${url.pathname} knows no "${name}"`];
    return flawsOf({ type: 'object', properties: { [name]: schema } }, { [name]: text }, url.pathname);
  });
}

function flawsOf(schema: AnySchema | undefined, value: unknown, where: string): readonly string[] {
  if (schema === undefined) return value === undefined ? [] : [`${where} takes no body`];
  const validate = ajv.compile(schema);
  return validate(structuredClone(value)) ? [] : [`${where}: ${ajv.errorsText(validate.errors)}`];
}
