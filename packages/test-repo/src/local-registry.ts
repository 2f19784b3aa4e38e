import { createHash } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { AbsolutePath } from '@tributary/model/paths';
import { buildTarball } from './tarball.js';
import type { Manifest } from './temp-monorepo.js';

export interface PublishedPackage {
  /** With `name` and `version`. */
  readonly manifest: Manifest;
  /** Beside package.json; names from the root of the package. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** When; the beginning of 2020 without it. */
  readonly publishedAt?: string;
  /** What it is the last version of; `latest` without it. */
  readonly distTag?: string;
}

/** An npm registry on this machine, read-only for its clients. */
export interface LocalRegistry {
  /** `http://127.0.0.1:<port>`, without a slash at the end. */
  readonly url: string;
  /** `GET /left-pad`, in the order they came. */
  readonly requests: readonly string[];
  /** Publishes one more; the version that came last is `latest`. */
  add(published: PublishedPackage): void;
  close(): Promise<void>;
}

interface Version {
  readonly manifest: Manifest;
  readonly tarball: Buffer;
  readonly publishedAt: string;
  readonly distTag: string;
}

// Yarn 4 refuses what was published within the last day (YN0016), also if the date is missing.
const PUBLISHED = '2020-01-01T00:00:00.000Z';

/** Serves packuments and tarballs, made in memory on the spot; everything else is a 404, as npm answers it. */
export async function startRegistry(options: { readonly packages?: readonly PublishedPackage[] } = {}): Promise<LocalRegistry> {
  const packages = new Map<string, Map<string, Version>>();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    answer(packages, `http://${request.headers.host}`, request.url ?? '/', response);
  });
  const add = (published: PublishedPackage): void => publish(packages, published);
  options.packages?.forEach(add);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, add, close: () => close(server) };
}

/**
 * What Yarn 4, Yarn 1 and npm must find in their environment to use the registry, caches below `home` and nothing of the user.
 * Without the folders Yarn 1 run by root would keep its cache in /usr/local/share, and serve one test's package to another.
 */
export function registryEnvironment(url: string, home: AbsolutePath): Record<string, string> {
  return {
    HOME: home,
    YARN_CACHE_FOLDER: join(home, '.cache/yarn'),
    YARN_GLOBAL_FOLDER: join(home, '.yarn/berry'),
    npm_config_cache: join(home, '.npm'),
    YARN_NPM_REGISTRY_SERVER: url,
    YARN_UNSAFE_HTTP_WHITELIST: new URL(url).hostname,
    YARN_ENABLE_TELEMETRY: '0',
    npm_config_registry: `${url}/`,
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
  };
}

function publish(packages: Map<string, Map<string, Version>>, published: PublishedPackage): void {
  const { publishedAt = PUBLISHED, distTag = 'latest' } = published;
  const { name, version } = published.manifest;
  if (typeof name !== 'string' || typeof version !== 'string') throw new Error('A published package needs a name and a version.');
  const files = { 'package.json': `${JSON.stringify(published.manifest, null, 2)}\n`, ...published.files };
  const tarball = buildTarball(Object.fromEntries(Object.entries(files).map(([path, content]) => [`package/${path}`, content])));
  const versions = packages.get(name) ?? new Map<string, Version>();
  packages.set(name, versions.set(version, { manifest: published.manifest, tarball, publishedAt, distTag }));
}

function answer(packages: ReadonlyMap<string, ReadonlyMap<string, Version>>, host: string, url: string, response: ServerResponse): void {
  // Scoped names come as `@scope%2fname`.
  const [name = '', file] = decodeURIComponent(new URL(url, host).pathname.slice(1)).split('/-/');
  const versions = packages.get(name);
  if (versions === undefined) return send(response, 404, { error: 'Not found' });
  if (file === undefined) return send(response, 200, packument(name, versions, host));
  const wanted = [...versions].find(([version]) => file === tarballName(name, version));
  if (wanted === undefined) return send(response, 404, { error: 'Not found' });
  response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(wanted[1].tarball);
}

function packument(name: string, versions: ReadonlyMap<string, Version>, host: string): unknown {
  const all = [...versions];
  const described = all.map(([version, { manifest, tarball }]) => [
    version,
    {
      ...manifest,
      _id: `${name}@${version}`,
      dist: {
        tarball: `${host}/${name}/-/${tarballName(name, version)}`,
        shasum: createHash('sha1').update(tarball).digest('hex'),
        integrity: `sha512-${createHash('sha512').update(tarball).digest('base64')}`,
      },
    },
  ]);
  return {
    _id: name,
    name,
    'dist-tags': Object.fromEntries(all.map(([version, { distTag }]) => [distTag, version])),
    versions: Object.fromEntries(described),
    time: {
      created: PUBLISHED,
      modified: PUBLISHED,
      ...Object.fromEntries(all.map(([version, { publishedAt }]) => [version, publishedAt])),
    },
  };
}

function tarballName(name: string, version: string): string {
  return `${name.slice(name.indexOf('/') + 1)}-${version}.tgz`;
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function close(server: Server): Promise<void> {
  // Clients keep connections alive; a server with an open one never closes.
  server.closeAllConnections();
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}
