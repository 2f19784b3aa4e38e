import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import type { AbsolutePath } from '@tributary/model/paths';
import { isPlainObject } from '@tributary/model/plain-object';
import { edgeKey, type InstalledEdge, type InstalledTree } from '../tests/tree-changes.js';
import { readInstalledManifest } from './installed-manifest.js';

/**
 * Reads what each installed package below a folder resolves for its dependencies and peers, by Node's algorithm: the
 * nearest `node_modules` above, up to `top`. A missing package is an edge without a version. With Plug'n'Play, all are
 * missing.
 */
export function readInstalledTree(folder: AbsolutePath, top: AbsolutePath): InstalledTree {
  const edges = new Map<string, InstalledEdge>();
  const seen = new Set<string>();
  const queue: Visit[] = [{ folder: realpathSync(folder), parent: undefined }];
  const end = realpathSync(top);
  for (const { folder: at, parent } of queue) {
    if (seen.has(at)) continue;
    seen.add(at);
    for (const name of requestsOf(at, parent === undefined ? OWN_FIELDS : FIELDS)) {
      const found = resolveFrom(at, name, end);
      const key = edgeKey(parent, name);
      const known = edges.get(key);
      const version = found === undefined ? undefined : versionOf(found);
      const versions = new Set([...(known?.versions ?? []), ...(version === undefined ? [] : [version])]);
      const isWorkspace = found !== undefined && !found.includes(`${sep}node_modules${sep}`);
      edges.set(key, { parent, name, versions, isWorkspace });
      if (found !== undefined) queue.push({ folder: found, parent: name });
    }
  }
  return edges;
}

interface Visit {
  readonly folder: string;
  /** `undefined` for the package whose tests fail. */
  readonly parent: string | undefined;
}

const FIELDS = ['dependencies', 'optionalDependencies', 'peerDependencies'] as const;
const OWN_FIELDS = [...FIELDS, 'devDependencies'] as const;

function requestsOf(folder: string, fields: readonly string[]): ReadonlySet<string> {
  const manifest = readInstalledManifest(folder) ?? {};
  return new Set(fields.flatMap((field) => (isPlainObject(manifest[field]) ? Object.keys(manifest[field]) : [])));
}

function resolveFrom(folder: string, name: string, top: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const place = join(at, 'node_modules', name);
    if (existsSync(join(place, 'package.json'))) return realpathSync(place);
    if (at === top || at === dirname(at)) return undefined;
  }
}

function versionOf(folder: string): string | undefined {
  const version = readInstalledManifest(folder)?.['version'];
  return typeof version === 'string' ? version : undefined;
}
