import { createHash } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { AbsolutePath } from '@tributary/model/paths';
import type { Manifest } from './temp-monorepo.js';

export interface PublishedPackage {
  /** Must have `name` and `version`. */
  readonly manifest: Manifest;
  /** Files in addition to package.json; names are relative to the package. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Publication time (default: the beginning of 2020). */
  readonly publishedAt?: string;
  /** The dist-tag that points to it (default: `latest`). */
  readonly distTag?: string;
}

/** An npm registry on this machine, read-only for its clients. */
export interface LocalRegistry {
  /** `http://127.0.0.1:<port>`, without a trailing slash. */
  readonly url: string;
  /** Such as `GET /left-pad`, in the order received. */
  readonly requests: readonly string[];
  /** Publishes another package; the version added last is `latest`. */
  add(published: PublishedPackage): void;
  close(): Promise<void>;
}

interface Version {
  readonly manifest: Manifest;
  readonly tarball: Buffer;
  readonly publishedAt: string;
  readonly distTag: string;
}

// Yarn 4 rejects packages published within the last day (YN0016), also if the date is missing.
const PUBLISHED = '2020-01-01T00:00:00.000Z';

/** Starts a server for packuments and tarballs, which are built in memory on request; everything else is a 404, as in npm. */
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
 * Returns the environment with which Yarn 4, Yarn 1 and npm use the registry, with caches below `home` and no settings of the user. Without
 * these folders, Yarn 1 run by root would share a cache in /usr/local/share between tests.
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
  // Scoped names arrive as `@scope%2fname`.
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
      created: all.map(([, { publishedAt }]) => publishedAt).sort()[0],
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
  // Clients keep connections alive, and a server with an open connection never closes.
  server.closeAllConnections();
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}

/** Returns a gzipped tar archive (POSIX ustar) of plain files, in the given order. The same files give the same bytes. */
export function buildTarball(files: Readonly<Record<string, string | Uint8Array>>): Buffer {
  const entries = Object.entries(files).flatMap(([name, text]) => {
    const content = Buffer.from(text);
    return [header(name, content.length), content, Buffer.alloc(-content.length & 511)];
  });
  return gzipSync(Buffer.concat([...entries, Buffer.alloc(1024)]));
}

function header(name: string, size: number): Buffer {
  if (Buffer.byteLength(name) > 100) throw new Error(`${name} is too long for the short form of ustar.`);
  const block = Buffer.alloc(512);
  const put = (offset: number, text: string): void => void block.write(text, offset);
  put(0, name);
  put(100, '0000644\0');
  put(108, '0000000\0');
  put(116, '0000000\0');
  put(124, `${size.toString(8).padStart(11, '0')}\0`);
  put(136, `${(1_600_000_000).toString(8).padStart(11, '0')}\0`);
  // The checksum counts its own field as blanks.
  put(148, '        ');
  put(156, '0');
  put(257, 'ustar\0' + '00');
  const sum = block.reduce((total, byte) => total + byte, 0);
  put(148, `${sum.toString(8).padStart(6, '0')}\0 `);
  return block;
}
