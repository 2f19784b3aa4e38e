import type { WorkspaceName } from '@tributary/model/ids';

/**
 * Returns the branch of a sync: `sync/left-pad`. For another branch of the source: `sync/left-pad-next` for `next`, and
 * `release/left-pad-1` for `release-1`, which lives as long as that one.
 */
export function syncBranch(name: WorkspaceName, sourceBranch: string | undefined): string {
  if (sourceBranch === undefined) return `sync/${name}`;
  const [, folder, version] = /^(releases?)[-/](.+)$/.exec(sourceBranch) ?? [];
  if (folder !== undefined && version !== undefined) return `${folder}/${name}-${version}`;
  return `sync/${name}-${sourceBranch.replaceAll('/', '-')}`;
}
