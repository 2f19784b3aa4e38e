import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A handler's response. Without it, the connection stays open without data. */
export interface HttpAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string is sent as HTML, everything else as JSON. */
  readonly body: unknown;
  /** `half`: the connection breaks in the middle of the body. `stall`: it stays open there. `text`: the body is sent unchanged, as if it were JSON. */
  readonly sent?: 'half' | 'stall' | 'text';
}

/** `url`: path and query as received, after the address of this server. `body`: of the request. */
export type Handler = (url: URL, body: string, headers: IncomingHttpHeaders) => HttpAnswer | 'hang' | 'hang up';

/** A GitHub Enterprise Server on this machine, limited to the API's protocol. */
export interface LocalGitHub {
  /** `http://127.0.0.1:<port>/api/v3` */
  readonly apiUrl: string;
  /** `GET /repos/…?page=1`, without `/api/v3`, in the order they came; GraphQL, which is elsewhere, with its whole path: `POST beside /api/graphql`. */
  readonly requests: readonly string[];
  readonly authorizations: readonly (string | undefined)[];
  close(): Promise<void>;
}

export async function startGitHub(handler: Handler): Promise<LocalGitHub> {
  const requests: string[] = [];
  const authorizations: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    const url = new URL(`http://${request.headers.host}${request.url}`);
    // Requests outside the API are listed with their full path.
    requests.push(
      `${request.method} ${url.pathname.startsWith('/api/v3/') ? url.pathname.slice('/api/v3'.length) : `beside ${url.pathname}`}${url.search}`,
    );
    authorizations.push(request.headers.authorization);
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      const answer = handler(url, body, request.headers);
      if (answer === 'hang') return;
      if (answer === 'hang up') return void request.socket.destroy();
      send(response, answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): Promise<void> => {
    server.closeAllConnections();
    return new Promise((resolve) => {
      server.close(() => resolve());
    });
  };
  return { apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v3`, requests, authorizations, close };
}

/** Returns one page of a list, with the `Link` header that GitHub sends. As on GitHub, at most 3,000 entries are available. */
export function pageOf(entries: readonly unknown[], url: URL): HttpAnswer {
  const size = Number(url.searchParams.get('per_page') ?? '30');
  const page = Number(url.searchParams.get('page') ?? '1');
  const reachable = entries.slice(0, 3000);
  const last = Math.ceil(reachable.length / size);
  const link = (number: number, rel: string): string => {
    const other = new URL(url);
    other.searchParams.set('page', String(number));
    return `<${other.href}>; rel="${rel}"`;
  };
  const links = [
    ...(page > 1 ? [link(page - 1, 'prev')] : []),
    ...(page < last ? [link(page + 1, 'next'), link(last, 'last')] : []),
    ...(page > 1 ? [link(1, 'first')] : []),
  ];
  return { headers: links.length === 0 ? {} : { link: links.join(', ') }, body: reachable.slice((page - 1) * size, page * size) };
}

/** Returns GitHub's response when it refuses a request. */
export function refusal(status: number, message: string, headers: Readonly<Record<string, string>> = {}): HttpAnswer {
  return { status, headers, body: { message, documentation_url: 'https://docs.github.com/rest', status: String(status) } };
}

function send(response: ServerResponse, { status = 200, headers = {}, body, sent }: HttpAnswer): void {
  const isText = typeof body === 'string';
  const text = isText ? body : JSON.stringify(body);
  const type = isText && sent !== 'text' ? 'text/html' : 'application/json';
  response.writeHead(status, { 'content-type': `${type}; charset=utf-8`, 'content-length': Buffer.byteLength(text), ...headers });
  if (sent !== 'half' && sent !== 'stall') return void response.end(text);
  response.write(text.slice(0, text.length / 2), () => (sent === 'half' ? response.destroy() : undefined));
}
