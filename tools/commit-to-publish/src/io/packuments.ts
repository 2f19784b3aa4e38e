import { setTimeout as pause } from 'node:timers/promises';
import { ToolError } from '@tributary/model/errors';
import { isPlainObject } from '@tributary/model/plain-object';
import { textWithin } from '@tributary/model/text-within';
import valid from 'semver/functions/valid.js';
import { parseJson } from '../model/parse-json.js';

/** A registry's data about a package, in the registry's format. */
export interface Packument {
  readonly versions: ReadonlyMap<string, { readonly time: string | undefined; readonly gitHead: string | undefined }>;
  readonly distTags: ReadonlyMap<string, string>;
  /**
   * How it shows that it has not every version, as a mirror of some of them does, or one that deletes old ones. `latest`: it lacks that
   * version. `first`: it was created more than a day before the first one that it has.
   */
  readonly lacks: 'latest' | 'first' | undefined;
}

export interface RegistryQuestion {
  readonly registry: string;
  readonly signal: AbortSignal;
  readonly onAnswer: (name: string) => void;
}

/** The number of concurrent requests. */
const AT_ONCE = 8;
const ATTEMPTS = 3;
const TIMEOUT_MS = 60_000;

/**
 * Returns packuments by package name, without packages that the registry does not have. Throws `REGISTRY_UNREACHABLE`, `REGISTRY_REFUSED`.
 */
export async function readPackuments(names: readonly string[], question: RegistryQuestion): Promise<ReadonlyMap<string, Packument>> {
  const found = new Map<string, Packument>();
  const waiting = [...names];
  const work = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const packument = await readPackument(name, question);
      if (packument !== undefined) found.set(name, packument);
      question.onAnswer(name);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return found;
}

async function readPackument(name: string, { registry, signal }: RegistryQuestion): Promise<Packument | undefined> {
  const url = `${registry.replace(/\/$/, '')}/${name.replace('/', '%2f')}`;
  for (let attempt = 1; ; attempt++) {
    const answer = await ask(url, signal);
    if (answer.status === 404) return undefined;
    if (answer.status === 401 || answer.status === 403) throw refused(name, registry);
    const packument = answer.status === 200 ? parsePackument(answer.body) : undefined;
    if (packument !== undefined) return packument;
    signal.throwIfAborted();
    if (attempt === ATTEMPTS) throw unreachable(name, registry, answer.status === 200 ? 'what it sends is no packument' : answer.problem);
    await pause(attempt * 500, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

interface RegistryResponse {
  /** 0: no response. */
  readonly status: number;
  readonly body: string;
  /** A predicate without its subject, the registry. */
  readonly problem: string;
}

async function ask(url: string, signal: AbortSignal): Promise<RegistryResponse> {
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json' },
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    return { status: response.status, body: await textWithin(response), problem: `it answered with ${response.status}` };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    return { status: 0, body: '', problem: cause };
  }
}

function parsePackument(body: string): Packument | undefined {
  const value = parseJson(body);
  if (!isPlainObject(value)) return undefined;
  const times = isPlainObject(value['time']) ? value['time'] : {};
  // Of a package whose owner unpublished all versions, npm keeps only the name and the times.
  const manifests = isPlainObject(times['unpublished']) ? (value['versions'] ?? {}) : value['versions'];
  if (!isPlainObject(manifests)) return undefined;
  // The times keep the versions that were unpublished: they were out.
  const names = new Set([...Object.keys(manifests), ...Object.keys(times).filter((name) => valid(name) !== null)]);
  const versions = [...names].map((version) => {
    const manifest = Object.hasOwn(manifests, version) ? manifests[version] : undefined;
    const gitHead = isPlainObject(manifest) ? manifest['gitHead'] : undefined;
    return [version, { time: textOf(times[version]), gitHead: textOf(gitHead) }] as const;
  });
  const tags = Object.entries(isPlainObject(value['dist-tags']) ? value['dist-tags'] : {});
  const distTags = new Map(tags.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  const latest = distTags.get('latest');
  const uploads = versions.map(([, { time }]) => Date.parse(time ?? '')).filter((time) => !Number.isNaN(time));
  const isOlder = uploads.length > 0 && Date.parse(textOf(times['created']) ?? '') < Math.min(...uploads) - DAY_MS;
  const lacks = latest !== undefined && !names.has(latest) ? 'latest' : isOlder ? 'first' : undefined;
  return { versions: new Map(versions), distTags, lacks };
}

/** A package is created with its first version. */
const DAY_MS = 24 * 3600e3;

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function refused(name: string, registry: string): ToolError {
  return new ToolError({
    code: 'REGISTRY_REFUSED',
    message: `${registry} requires a credential for ${name}.`,
    hint: 'Collect without it: leave out --registry and "publish.registry"; then tags and versions in git count as publications.',
    data: { registry, package: name },
  });
}

function unreachable(name: string, registry: string, why: string): ToolError {
  return new ToolError({
    code: 'REGISTRY_UNREACHABLE',
    message: `${registry} did not answer for ${name}: ${why}.`,
    hint: 'Check the address and the network and run the same command again, or leave out --registry and "publish.registry".',
    data: { registry, package: name },
  });
}
