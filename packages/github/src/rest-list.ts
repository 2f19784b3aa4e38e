import type { Octokit } from 'octokit';
import { AnswerFields } from './answer-fields.js';
import { askPatiently } from './ask-patiently.js';
import type { GitHub, RepositoryName } from './client.js';
import { type ApiQuestion, misunderstood } from './failure.js';

/** No list is nearly as long; a server may name new pages without end. */
export const MOST_PAGES = 20_000;

export interface ListAsked {
  /** Relative to the address of the API, with its query: `/repos/acme/app/releases?per_page=100`. */
  readonly path: string;
  /** The key of the list in the response; without it, the response is the list. */
  readonly key?: string;
  /** The `etag` of the first page at the last call; if it still matches, the list is unchanged. */
  readonly etag?: string | undefined;
  /** The most pages, for tests. */
  readonly most?: number;
}

export interface ListPage {
  readonly entries: readonly AnswerFields[];
  /** The `etag` of this state of the page, if the server sends one. */
  readonly etag: string | undefined;
  /** The number of all entries, if the response has it. */
  readonly total: number | undefined;
}

/**
 * Returns a list of the REST API, page by page. Not with `octokit.paginate`, which takes a response of 409 for the end of a list and a
 * truncated one for an empty list. The server's `Link` header (RFC 8288) names the next page, but it is always requested from the same
 * server, so the token goes nowhere else. There is at least one page; there is none only if the list still matches `etag`. Throws like
 * `GitHub.call`.
 */
export async function* readListPages(github: GitHub, question: ApiQuestion, asked: ListAsked): AsyncGenerator<ListPage> {
  const seen = new Set<string>();
  for (let path: string | undefined = asked.path; path !== undefined; ) {
    if (seen.has(path) || seen.size === (asked.most ?? MOST_PAGES)) throw misunderstood(question, 'its pages do not end');
    seen.add(path);
    const url = path;
    const etag = url === asked.path ? asked.etag : undefined;
    const ask = (): Promise<AnsweredPage | undefined> =>
      github.call(question, (octokit) => readPage(octokit, { question, url, key: asked.key, etag }));
    const page: AnsweredPage | undefined = await askPatiently(github, question, ask);
    if (page === undefined) return;
    yield page;
    path = page.next;
  }
}

interface AnsweredPage extends ListPage {
  readonly next: string | undefined;
}

interface PageAsked {
  readonly question: ApiQuestion;
  readonly url: string;
  readonly key: string | undefined;
  readonly etag: string | undefined;
}

/** Reads one page; `undefined` if it still matches `etag`. */
async function readPage(octokit: Octokit, { question, url, key, etag }: PageAsked): Promise<AnsweredPage | undefined> {
  const answered = await ask(octokit, url, etag);
  if (answered === undefined) return undefined;
  const { data, headers } = answered;
  const answer = new AnswerFields(key === undefined ? { list: data as unknown } : data, question);
  const entries = answer.list(key ?? 'list');
  const total = answer.has('total_count') ? answer.number('total_count') : undefined;
  const next = /<([^>]*)>;\s*rel="next"/.exec(headers.link ?? '')?.[1];
  return { entries, total, etag: headers.etag, next: next === undefined ? undefined : belowApi(next, octokit, question) };
}

/** Sends the request; `undefined` for a 304, which octokit throws and which only a request with `etag` receives. */
async function ask(octokit: Octokit, url: string, etag: string | undefined): Promise<Awaited<ReturnType<Octokit['request']>> | undefined> {
  try {
    return await octokit.request({ method: 'GET', url, headers: etag === undefined ? {} : { 'if-none-match': etag } });
  } catch (error) {
    if (etag !== undefined && error instanceof Error && 'status' in error && error.status === 304) return undefined;
    throw error;
  }
}

function belowApi(link: string, octokit: Octokit, question: ApiQuestion): string {
  const base = new URL(octokit.request.endpoint.DEFAULTS.baseUrl);
  const prefix = base.pathname.replace(/\/$/, '');
  const url = URL.canParse(link, base.href) ? new URL(link, base) : undefined;
  if (url === undefined || !url.pathname.startsWith(`${prefix}/`)) throw misunderstood(question, 'its next page is not a page of this API');
  return `${url.pathname.slice(prefix.length)}${url.search}`;
}

/** Returns the API path of a repository. Its names are encoded, so they cannot lead elsewhere. */
export function repoPath({ owner, repo }: RepositoryName): string {
  return `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}`;
}
