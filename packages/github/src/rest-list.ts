import type { Octokit } from 'octokit';
import { AnswerFields } from './answer-fields.js';
import { askPatiently, type Waiting } from './ask-patiently.js';
import type { GitHub } from './client.js';
import { misunderstood, type Question } from './failure.js';

export interface ListAsked extends Waiting {
  /** Below the address of the API, with its query: `/repos/acme/app/releases?per_page=100`. */
  readonly path: string;
  /** Where the list is in the answer; without it, the answer is the list. */
  readonly key?: string;
}

export interface ListPage {
  readonly entries: readonly AnswerFields[];
  /** Where the answer says it. */
  readonly total: number | undefined;
}

/**
 * A list of the REST API, page by page. Not with `octokit.paginate`, which takes an answer of 409 for the end of a list, and one that came cut off for an empty one. The next page
 * is where the server says (`Link`, RFC 8288), but always asked from the same server: the token goes nowhere else. Throws as `GitHub.call`.
 */
export async function* readListPages(github: GitHub, question: Question, asked: ListAsked): AsyncGenerator<ListPage> {
  const seen = new Set<string>();
  for (let path: string | undefined = asked.path; path !== undefined; ) {
    if (seen.has(path)) throw misunderstood(question, 'its pages do not end');
    seen.add(path);
    const url = path;
    const ask = (): Promise<Page> => github.call(question, (octokit) => readPage(octokit, { question, url, key: asked.key }));
    const page: Page = await askPatiently(github, question, { ask, onPause: asked.onPause });
    yield page;
    path = page.next;
  }
}

interface Page extends ListPage {
  readonly next: string | undefined;
}

async function readPage(
  octokit: Octokit,
  { question, url, key }: { question: Question; url: string; key: string | undefined },
): Promise<Page> {
  const { data, headers } = await octokit.request({ method: 'GET', url });
  const answer = new AnswerFields(key === undefined ? { list: data as unknown } : data, question);
  const entries = answer.list(key ?? 'list');
  const total = answer.has('total_count') ? answer.number('total_count') : undefined;
  const next = /<([^>]*)>;\s*rel="next"/.exec(headers.link ?? '')?.[1];
  return { entries, total, next: next === undefined ? undefined : belowApi(next, octokit, question) };
}

function belowApi(link: string, octokit: Octokit, question: Question): string {
  const base = new URL(octokit.request.endpoint.DEFAULTS.baseUrl);
  const prefix = base.pathname.replace(/\/$/, '');
  const url = URL.canParse(link, base.href) ? new URL(link, base) : undefined;
  if (url === undefined || !url.pathname.startsWith(`${prefix}/`)) throw misunderstood(question, 'its next page is no page of this API');
  return `${url.pathname.slice(prefix.length)}${url.search}`;
}

/** Where everything of a repository lies, with nothing in its names that could lead elsewhere. */
export function repoPath(owner: string, repo: string): string {
  return `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}`;
}
