import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage, request as openRequest, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AbsolutePath } from '@tributary/model/paths';
import type { CleanUp } from '@tributary/test-repo/clean-up';

/**
 * Serves the repositories of a folder over HTTP with git's own program. Returns the address, without a slash at the
 * end. `api` returns the address of a server that answers below `/api/`, as on a forge that has both.
 */
export async function serveRepositories(
  cleanUp: CleanUp,
  folder: AbsolutePath,
  api: () => string | undefined = () => undefined,
): Promise<string> {
  const server = createServer((request, response) => {
    const beside = request.url?.startsWith('/api/') === true ? api() : undefined;
    if (beside !== undefined) return handOn(beside, request, response);
    const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
    const env = {
      PATH: process.env['PATH'] ?? '',
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'safe.directory',
      GIT_CONFIG_VALUE_0: '*',
      PATH_INFO: decodeURIComponent(pathname),
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      HTTP_GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    };
    const backend = spawn('git', ['http-backend'], { env, stdio: ['pipe', 'pipe', 'ignore'] });
    request.pipe(backend.stdin);
    const chunks: Buffer[] = [];
    backend.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    backend.on('close', () => {
      const answer = Buffer.concat(chunks);
      const end = answer.indexOf('\r\n\r\n');
      const lines = answer.toString('latin1', 0, end).split('\r\n');
      const headers = lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)] as const);
      const status = headers.find(([name]) => name === 'Status')?.[1] ?? '200';
      response.writeHead(Number.parseInt(status, 10), Object.fromEntries(headers.filter(([name]) => name !== 'Status')));
      response.end(answer.subarray(end + 4));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUp.defer(() => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function handOn(address: string, request: IncomingMessage, response: ServerResponse): void {
  const { hostname, port } = new URL(address);
  const { method, headers, url } = request;
  const asked = openRequest({ hostname, port, method, headers, path: url }, (answer) => {
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(response);
  });
  asked.on('error', () => request.socket.destroy());
  request.pipe(asked);
}
