import { nameOf } from '@tributary/lockfile/descriptors';
import { descriptorsOf } from '@tributary/lockfile/record';
import type { Workspace } from '@tributary/workspaces/discover';
import { keyLine } from './blocks.js';
import { readIndex } from './root-lock.js';
import { leadsToWorkspace } from './seed.js';

/**
 * Returns a yarn.lock without requests that imported packages now answer: those for a package of that name whose
 * version satisfies the range, which the registry answered before. Otherwise Yarn would find an entry that must not
 * exist. Throws `LOCKFILE_INVALID`.
 */
export function withoutAnswered(rootLock: string, importedPackages: readonly Workspace[]): string {
  let text = rootLock;
  for (const record of readIndex(rootLock)?.records ?? []) {
    if (record.workspace !== undefined) continue;
    const descriptors = descriptorsOf(record);
    const staying = descriptors.filter((descriptor) => !leadsToWorkspace(meant(descriptor), importedPackages));
    if (staying.length === descriptors.length) continue;
    const block = staying.length === 0 ? '' : `${keyLine(staying)}${record.block.slice(record.bodyAt)}`;
    text = text.replace(record.block, () => block);
  }
  return text.replace(/\n{3,}/g, '\n\n');
}

/** Returns the request behind an alias: `io@npm:is-odd@^3.0.0` requests `is-odd@npm:^3.0.0`. */
export function meant(descriptor: string): string {
  const [, name, range] = /^npm:(@?[^@]+)@(.+)$/.exec(descriptor.slice(nameOf(descriptor).length + 1)) ?? [];
  return name === undefined ? descriptor : `${name}@npm:${range}`;
}
