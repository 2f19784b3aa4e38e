import type { WorkspaceName } from '@tributary/model/ids';

/**
 * The branch of a sync: `sync/left-pad`; with another branch of the source `release/left-pad-1` for its `release-1`, which lives as long as that one, and `sync/left-pad-next`
 * for `next`.
 */
export function syncBranch(name: WorkspaceName, sourceBranch: string | undefined): string {
  if (sourceBranch === undefined) return `sync/${name}`;
  const [, folder, version] = /^(releases?)[-/](.+)$/.exec(sourceBranch) ?? [];
  if (folder !== undefined && version !== undefined) return `${folder}/${name}-${version}`;
  return `sync/${name}-${sourceBranch.replaceAll('/', '-')}`;
}
