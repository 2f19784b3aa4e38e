import { nameOf } from '@tributary/lockfile/descriptors';
import { plainRange } from '@tributary/lockfile/lockfile';
import { descriptorsOf } from '@tributary/lockfile/record';
import type { Workspace } from '@tributary/workspaces/discover';
import { parseSemverRange } from '@tributary/workspaces/ranges';
import { keyLine, metadataBlock } from './blocks.js';
import { readIndex } from './root-lock.js';

export interface SeedInput {
  /** The monorepo's current yarn.lock. */
  readonly rootLock: string;
  /** The imported packages' lockfiles, converted by the monorepo's Yarn. */
  readonly converted: string;
  /** Workspaces that plain ranges may resolve to, including the imported packages, with their final manifests. */
  readonly workspaces: readonly Workspace[];
}

export interface Seed {
  /** The root's yarn.lock with the new entries at the end. Yarn sorts them. */
  readonly text: string;
  /** The added descriptors, in the order of the file. */
  readonly added: readonly string[];
}

/**
 * Adds the locked versions of imported packages to a yarn.lock: whole entries, and only for descriptors that it lacks.
 * Yarn does not reject a duplicate descriptor: the later entry would win, and change a version of the root. Requests
 * that a workspace answers are left out, because Yarn prefers the lockfile. Throws `LOCKFILE_INVALID`.
 */
export function seedLock(input: SeedInput): Seed {
  const root = readIndex(input.rootLock);
  const converted = readIndex(input.converted);
  const known = new Set(root?.descriptors);
  const added: string[] = [];
  const blocks: string[] = [];
  for (const record of converted?.records ?? []) {
    if (record.workspace !== undefined) continue;
    const fresh = descriptorsOf(record).filter(
      (each) => !known.has(each) && !isPatchOfKnown(each, known) && !leadsToWorkspace(each, input.workspaces),
    );
    if (fresh.length === 0) continue;
    for (const descriptor of fresh) known.add(descriptor);
    added.push(...fresh);
    blocks.push(`${keyLine(fresh)}${record.block.slice(record.bodyAt).trimEnd()}\n`);
  }
  const base = root === undefined ? (metadataBlock(input.converted) ?? '') : input.rootLock;
  return { text: [`${base.trimEnd()}\n`, ...blocks].join('\n'), added };
}

/**
 * Whether a descriptor is a built-in patch of Yarn for a package that the root has. It refers to the imported package's
 * version, and the root's may differ.
 */
function isPatchOfKnown(descriptor: string, known: ReadonlySet<string>): boolean {
  const [, source] = /@patch:([^#]+)#/.exec(descriptor) ?? [];
  return source !== undefined && known.has(decodeURIComponent(source));
}

/**
 * Whether a workspace answers a request. With Yarn's `enableTransparentWorkspaces`, a range that a workspace satisfies
 * resolves to it, for any dependent.
 */
export function leadsToWorkspace(descriptor: string, workspaces: readonly Workspace[]): boolean {
  const name = nameOf(descriptor);
  const workspace = workspaces.find((each) => each.name === name);
  if (workspace === undefined) return false;
  const range = plainRange(descriptor.slice(name.length + 1));
  return (
    range.startsWith('workspace:') ||
    (workspace.manifest.version !== undefined && parseSemverRange(range)?.test(workspace.manifest.version) === true)
  );
}
