import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Ajv, type AnySchema } from 'ajv';
import { type HttpAnswer, type LocalGitHub, pageOf, refusal, startGitHub } from './local-github.js';

interface Description {
  readonly query: Readonly<Record<string, AnySchema>>;
  readonly answer: AnySchema;
  readonly example: unknown;
}

/** GitHub's own description of the calls used here; the file names its source. */
export const DESCRIBED = (
  JSON.parse(readFileSync(new URL('./github-openapi.json', import.meta.url), 'utf8')) as { paths: Readonly<Record<string, Description>> }
).paths;

const ajv = new Ajv({
  coerceTypes: true,
  formats: {
    'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
    uri: /^https:\/\//,
    int64: { type: 'number', validate: Number.isSafeInteger },
  },
});

export interface DescribedGitHub extends LocalGitHub {
  /** Deviations from the description, in the requests or in the tests' responses. */
  readonly flaws: readonly string[];
}

/**
 * Starts a server with a list for each path, `/repos/acme/app/releases`, served in pages. `wrap`: the key that contains it. `more` is tried
 * first.
 */
export async function startDescribedGitHub(
  lists: (url: URL) => { readonly entries: readonly unknown[]; readonly wrap?: string } | undefined,
  more: (url: URL, body: string) => HttpAnswer | undefined = () => undefined,
): Promise<DescribedGitHub> {
  const flaws: string[] = [];
  const server = await startGitHub((url, text, headers) => {
    const found = more(url, text);
    if (found !== undefined) return found;
    const list = lists(url);
    const description = describedAt(url);
    if (list === undefined || description === undefined) return refusal(404, 'Not Found');
    const page = pageOf(list.entries, url);
    const body = list.wrap === undefined ? page.body : { total_count: list.entries.length, [list.wrap]: page.body };
    flaws.push(...queryFlaws(url, description), ...flawsOf(description.answer, body, url.pathname));
    const etag = `"${createHash('sha256').update(JSON.stringify(page)).digest('hex')}"`;
    if (headers['if-none-match'] === etag) return { status: 304, headers: { etag }, body: '' };
    return { ...page, headers: { ...page.headers, etag }, body };
  });
  return { ...server, flaws };
}

function describedAt(url: URL): Description | undefined {
  const path = url.pathname.replace('/api/v3', '');
  const found = Object.keys(DESCRIBED).find((template) => new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path));
  return found === undefined ? undefined : DESCRIBED[found];
}

function queryFlaws(url: URL, { query }: Description): readonly string[] {
  return [...url.searchParams].flatMap(([name, text]) => {
    const schema = query[name];
    if (schema === undefined) return [`${url.pathname} knows no "${name}"`];
    // The description requires one date; the documentation also allows a range.
    const moments = name === 'created' ? text.split('..') : [text];
    return moments.flatMap((moment) => flawsOf({ type: 'object', properties: { [name]: schema } }, { [name]: moment }, url.pathname));
  });
}

/** Checks a copy: strings of a query become numbers in it. */
function flawsOf(schema: AnySchema, value: unknown, where: string): readonly string[] {
  const validate = ajv.compile(schema);
  return validate(structuredClone(value)) ? [] : [`${where}: ${ajv.errorsText(validate.errors)}`];
}
