import { nameOf } from '@tributary/lockfile/descriptors';
import { plainRange } from '@tributary/lockfile/lockfile';
import { descriptorsOf } from '@tributary/lockfile/record';
import type { Workspace } from '@tributary/workspaces/discover';
import { parseSemverRange } from '@tributary/workspaces/ranges';
import { keyLine, metadataBlock } from './blocks.js';
import { readIndex } from './root-lock.js';

export interface SeedInput {
  /** The monorepo's yarn.lock as it is. */
  readonly rootLock: string;
  /** What the monorepo's Yarn made of the imported packages' lockfiles. */
  readonly converted: string;
  /** Those that plain ranges may lead to, the imported packages among them, with their final manifests. */
  readonly workspaces: readonly Workspace[];
}

export interface Seed {
  /** The yarn.lock of the root with the new entries behind; Yarn sorts them in. */
  readonly text: string;
  /** The descriptors that came to it, in the order of the file. */
  readonly added: readonly string[];
}

/**
 * Adds to a yarn.lock what imported packages have locked: whole entries, and only for descriptors that it does not have. A descriptor that
 * stood there twice would not be an error for Yarn: the later entry would win, and move what the root has locked. What leads to a workspace
 * is left out, for Yarn prefers the lockfile. Throws `LOCKFILE_INVALID`.
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

/** A patch that Yarn brings itself stands for the version of what it patches, and for the root that is another. */
function isPatchOfKnown(descriptor: string, known: ReadonlySet<string>): boolean {
  const [, source] = /@patch:([^#]+)#/.exec(descriptor) ?? [];
  return source !== undefined && known.has(decodeURIComponent(source));
}

/** Yarn's `enableTransparentWorkspaces`: a range that a workspace satisfies means it, whoever asks. */
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
