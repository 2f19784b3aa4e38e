import type { TempRepo } from '@tributary/test-repo/temp-repo';
import type { PlainFiles } from './random-case.fixture.js';

/** A commit to store. `parents` are branches that are stored earlier. */
export interface StoredCommit {
  readonly branch: string;
  readonly parents: readonly string[];
  readonly files: PlainFiles;
}

/** Stores commits, each on a separate branch, with one `git fast-import` and without a working tree. */
export function storeCommits(repo: TempRepo, commits: readonly StoredCommit[]): void {
  repo.fastImport(Buffer.concat(commits.map((commit, at) => commitStream(commit, at))));
}

function commitStream({ branch, parents, files }: StoredCommit, at: number): Buffer {
  const [from, ...merged] = parents.map((parent) => `refs/heads/${parent}`);
  const head = [
    `reset refs/heads/${branch}`,
    ...(from === undefined ? [] : [`from ${from}`]),
    '',
    `commit refs/heads/${branch}`,
    `committer A <a@example.com> ${1_700_000_000 + at} +0000`,
    `data ${Buffer.byteLength(branch)}`,
    branch,
    ...merged.map((one) => `merge ${one}`),
    'deleteall',
    '',
  ];
  const changes = Object.entries(files).flatMap(([path, text]) => [
    `M 100644 inline "${path}"\ndata ${Buffer.byteLength(text)}\n`,
    text,
    '\n',
  ]);
  return Buffer.from([head.join('\n'), ...changes, '\n'].join(''));
}
