import { isToolError } from '@tributary/model/errors';
import { AnswerFields } from './answer-fields.js';
import { askPatiently } from './ask-patiently.js';
import type { GitHub } from './client.js';
import { type ApiQuestion, misunderstood } from './failure.js';
import { MOST_PAGES } from './rest-list.js';

export interface PagesAsked<Entry> {
  /** Uses the variables `$size` and `$after`, in addition to `variables`. */
  readonly query: string;
  readonly variables: Readonly<Record<string, string | number>>;
  /** Returns the list in the response. */
  readonly listIn: (answer: AnswerFields) => AnswerFields;
  /** Parses an entry. An unexpected entry makes the whole page fail. */
  readonly entryIn: (node: AnswerFields) => Entry;
  /** The cursor of a page; the listing continues after it. */
  readonly after?: string | undefined;
}

export interface GraphqlPage<Entry> {
  readonly entries: readonly Entry[];
  /** `undefined`: this is the last page. */
  readonly cursor: string | undefined;
}

/** The number of failures in a row before giving up, with pauses of 1, 2, 4, … seconds between them. */
const FAILURES = 6;

/**
 * Returns a list of the GraphQL API, page by page. The next page is requested only after the caller has finished the one before. Pages
 * shrink if the server responds too late, and grow again. Throws like `GitHub.call`.
 */
export async function* readGraphqlPages<Entry>(
  github: GitHub,
  question: ApiQuestion,
  asked: PagesAsked<Entry>,
): AsyncGenerator<GraphqlPage<Entry>> {
  let [after, page, failures] = [asked.after, FIRST_PAGE, 0];
  const seen = new Set([after]);
  for (;;) {
    const variables = { ...asked.variables, size: page.size, after: after ?? null };
    const ask = async (): Promise<GraphqlPage<Entry>> =>
      pageIn(await askGraphql(github, question, { query: asked.query, variables }), { ...asked, question, seen });
    let result: GraphqlPage<Entry>;
    try {
      result = await askPatiently(github, question, ask);
    } catch (error) {
      if (!isToolError(error) || error.code !== 'GITHUB_UNREACHABLE' || ++failures === FAILURES) throw error;
      page = nextPageSize(page, 'failed');
      await github.pause(question, 2 ** (failures - 1));
      continue;
    }
    [page, failures] = [nextPageSize(page, 'came'), 0];
    yield result;
    if (result.cursor === undefined) return;
    after = result.cursor;
    seen.add(after);
  }
}

/** Runs a query once, without retries: a failed page is requested again with a smaller size. */
async function askGraphql(
  github: GitHub,
  question: ApiQuestion,
  { query, variables }: { readonly query: string; readonly variables: Readonly<Record<string, unknown>> },
): Promise<AnswerFields> {
  const answer = await github.call(question, (octokit) => octokit.graphql(query, { ...variables, request: { retries: 0 } }));
  return new AnswerFields(answer, question);
}

function pageIn<Entry>(
  answer: AnswerFields,
  {
    question,
    seen,
    listIn,
    entryIn,
  }: PagesAsked<Entry> & { readonly question: ApiQuestion; readonly seen: ReadonlySet<string | undefined> },
): GraphqlPage<Entry> {
  const list = listIn(answer);
  const nodes = list.list('nodes');
  const info = list.of('pageInfo');
  const cursor = info.isTrue('hasNextPage') ? info.text('endCursor') : undefined;
  if (cursor !== undefined && (seen.has(cursor) || seen.size === MOST_PAGES || nodes.length === 0))
    throw misunderstood(question, 'its pages do not end');
  return { entries: nodes.map(entryIn), cursor };
}

/** The size of the next page, and how many pages of this size arrived. */
interface PageSize {
  readonly size: number;
  readonly successes: number;
}

const FIRST_PAGE: PageSize = { size: 25, successes: 0 };
const MOST = 50;
const SUCCESSES = 3;

/**
 * Returns the next page size: doubled after three successful pages; halved, but at least one, after a page that was too much for the
 * server.
 */
function nextPageSize({ size, successes }: PageSize, outcome: 'came' | 'failed'): PageSize {
  if (outcome === 'failed') return { size: Math.max(1, Math.floor(size / 2)), successes: 0 };
  return successes + 1 < SUCCESSES ? { size, successes: successes + 1 } : { size: Math.min(MOST, size * 2), successes: 0 };
}
