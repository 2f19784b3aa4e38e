import type { CommitId, WorkspaceName } from '@tributary/model/ids';
import { formatImportRecord } from '@tributary/model/import-record';
import type { RepoPath } from '@tributary/model/paths';
import type { TempRepo } from '@tributary/test-repo/temp-repo';

/**
 * Merges a package into `main` as migrate-repo does: an import on its own branch, and a merge of the branch. Returns the id of that merge.
 * `previousTip`: of a sync, the last commit that was there before.
 */
export function moveIn(repo: TempRepo, name: string, seconds: number, previousTip?: string): string {
  const folder = name.replace(/^.*\//, '');
  const environment = { GIT_AUTHOR_DATE: `${seconds} +0000`, GIT_COMMITTER_DATE: `${seconds} +0000` };
  if (previousTip === undefined) repo.branch(`source-${folder}`);
  repo.git('branch', '-q', '-f', `move-${folder}`, 'main');
  repo.checkout(`source-${folder}`);
  const files = { [`packages/${folder}/package.json`]: `${JSON.stringify({ name, version: '1.0.0', at: seconds })}\n` };
  const tip = repo.commit('Theirs', { files, environment }) as CommitId;
  const record = formatImportRecord({
    package: name as WorkspaceName,
    path: `packages/${folder}` as RepoPath,
    source: `https://host.example/acme/${folder}`,
    sourceRef: 'main',
    sourceCommit: tip,
    subdirectory: undefined,
    strategy: 'merge',
    messages: 'exact',
    signatures: 'keep',
    tags: undefined,
    importedTip: tip,
    ...(previousTip === undefined ? {} : { previousTip: previousTip as CommitId }),
  });
  repo.checkout(`move-${folder}`);
  repo.merge(`source-${folder}`, `Import ${name}\n\n${record}\n`);
  repo.checkout('main');
  repo.git('merge', '-q', '--no-ff', '--no-commit', `move-${folder}`);
  return repo.commit(`Merge ${folder}`, { environment });
}
