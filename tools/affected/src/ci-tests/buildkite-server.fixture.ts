import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A file that a job uploaded to the server. */
interface Artifact {
  readonly id: string;
  readonly path: string;
  readonly job: string;
  content: Uint8Array | undefined;
}

/** The server's data of a job. It ignores a job that ran again. */
export interface KnownJob {
  readonly step: string;
  readonly state: 'latest' | 'retried';
}

interface Answer {
  readonly status?: number;
  readonly body: unknown;
}

/**
 * The parts of Buildkite's agent API that `buildkite-agent` uses in a job: pipelines, artifacts and annotations. Source: the client of
 * buildkite-agent 3.62 (`api/`), and for a search buildkite.com/docs/agent/v3/cli-artifact. A search finds the file of the last job that
 * uploaded it, and nothing of jobs that ran again.
 */
export class BuildkiteServer {
  /** Each with the job that uploaded it, and the files that existed by then: its steps start at once. */
  readonly pipelines: { readonly job: string; readonly pipeline: unknown; readonly files: readonly string[] }[] = [];
  /** The annotations on the page of the build, by context. */
  readonly annotations = new Map<string, { readonly style: string; readonly body: string }>();
  readonly jobs = new Map<string, KnownJob>();
  private readonly artifacts: Artifact[] = [];
  private readonly server = createServer((request, response) => {
    void this.answer(request).then(({ status = 200, body }) => {
      const bytes = body instanceof Uint8Array ? body : JSON.stringify(body);
      response.writeHead(status, { 'content-type': 'application/json' }).end(bytes);
    });
  });

  static async start(): Promise<BuildkiteServer> {
    const one = new BuildkiteServer();
    await new Promise<void>((resolve) => one.server.listen(0, '127.0.0.1', resolve));
    return one;
  }

  get endpoint(): string {
    return `${this.origin}/v3`;
  }

  /** Loses the files of a step's jobs, as if their machine had gone away before. */
  lose(step: string): void {
    for (const artifact of this.artifacts) if (this.jobs.get(artifact.job)?.step === step) artifact.content = undefined;
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private get files(): readonly string[] {
    return this.artifacts.flatMap(({ path, content }) => (content === undefined ? [] : [path]));
  }

  private get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  private async answer(request: IncomingMessage): Promise<Answer> {
    const url = new URL(request.url ?? '/', this.origin);
    const [, kind = '', id = '', what = ''] = /^\/(?:v3\/)?(jobs|builds|files|uploads)\/([^/]+)(?:\/(.*))?$/.exec(url.pathname) ?? [];
    const body = await readBody(request);
    switch (`${request.method} ${kind}/${what}`) {
      case 'POST jobs/pipelines':
        this.pipelines.push({ job: id, pipeline: parse<{ pipeline: unknown }>(body).pipeline, files: this.files });
        return { body: {} };
      case 'POST jobs/annotations':
        return this.annotate(parse(body));
      // The author of the commit: the agent sends it once per build.
      case 'POST jobs/data/exists':
        return { body: { exists: true } };
      case 'POST jobs/artifacts':
        return { status: 201, body: this.announce(id, parse(body)) };
      case 'PUT jobs/artifacts':
        return { body: {} };
      case 'POST uploads/':
        return this.take(id, await readFile(body, request.headers['content-type'] ?? ''));
      case 'GET builds/artifacts/search':
        return { body: this.search(url.searchParams) };
      case 'GET files/':
        return { body: this.artifacts.find((artifact) => artifact.id === id)?.content ?? '' };
      default:
        return { status: 404, body: { message: `${request.method} ${url.pathname} is not there` } };
    }
  }

  private annotate({ context, style = '', body }: { readonly context: string; readonly style?: string; readonly body: string }): Answer {
    this.annotations.set(context, { style, body });
    return { status: 201, body: {} };
  }

  private announce(job: string, batch: { readonly id: string; readonly artifacts: readonly { readonly path: string }[] }): unknown {
    const more = batch.artifacts.map(({ path }): Artifact => ({ id: randomUUID(), path, job, content: undefined }));
    this.artifacts.push(...more);
    const action = { url: this.origin, method: 'POST', path: `/uploads/${job}`, file_input: 'file' };
    return { id: batch.id, artifact_ids: more.map(({ id }) => id), upload_instructions: { data: { path: `\${artifact:path}` }, action } };
  }

  private take(job: string, { path, content }: { readonly path: string; readonly content: Uint8Array }): Answer {
    const announced = this.artifacts.find((artifact) => artifact.job === job && artifact.path === path && artifact.content === undefined);
    if (announced === undefined) return { status: 422, body: { message: `${path} was not announced` } };
    announced.content = content;
    return { status: 204, body: '' };
  }

  private search(parameters: URLSearchParams): readonly unknown[] {
    const matches = globOf(parameters.get('query') ?? '');
    const scope = parameters.get('scope') ?? '';
    const found = this.artifacts.filter(({ path, job, content }) => {
      const known = this.jobs.get(job);
      return content !== undefined && matches.test(path) && known?.state === 'latest' && (scope === '' || scope === known.step);
    });
    const last = new Map(found.map((artifact) => [artifact.path, artifact]));
    return [...last.values()].map(({ id, path, job, content }) => ({
      id,
      path,
      job_id: job,
      file_size: content?.length ?? 0,
      url: `${this.origin}/files/${id}`,
    }));
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function parse<T>(body: Buffer): T {
  return JSON.parse(body.toString()) as T;
}

async function readFile(body: Buffer, type: string): Promise<{ readonly path: string; readonly content: Uint8Array }> {
  const form = await new Response(body, { headers: { 'content-type': type } }).formData();
  const [path, file] = [form.get('path'), form.get('file')];
  if (typeof path !== 'string' || !(file instanceof Blob)) throw new Error('the form has no file');
  return { path, content: new Uint8Array(await file.arrayBuffer()) };
}

/** Returns the pattern of a query. `**` and a slash match any folders, or none; `*` matches within one. */
function globOf(query: string): RegExp {
  const parts = query
    .split(/(\*\*\/|\*)/)
    .map((part) => ({ '**/': '(?:.*/)?', '*': '[^/]*' })[part] ?? part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('')}$`);
}
