import { formatImportRecord, type ImportRecord } from '@tributary/model/import-record';
import type { RepoPath } from '@tributary/model/paths';
import { countOf } from '../text.js';
import type { Removal } from './clean-up.js';

/** Returns the message of the merge commit. Its trailers are the import record. */
export function mergeMessage(record: ImportRecord, commits: number | undefined): string {
  const count = commits === undefined ? 'all commits' : countOf(commits, 'commit');
  const how =
    record.strategy === 'rewrite'
      ? `History: ${count}, rewritten to have always lived under ${record.path}.\n${howMessagesCame(record)}`
      : `History: ${count}, under their own ids; one more moves all files to ${record.path}.`;
  const from = record.subdirectory === undefined ? record.source : `${record.subdirectory} of ${record.source}`;
  return `Bring ${record.package} into ${record.path}, with its history\n\nFrom ${from}.\n${how}\n\n${formatImportRecord(record)}\n`;
}

/** Returns the message of a sync's merge commit. `commits`: the number of new ones. */
export function syncMessage(record: ImportRecord, commits: number): string {
  const from = record.subdirectory === undefined ? record.source : `${record.subdirectory} of ${record.source}`;
  const since = `${countOf(commits, 'commit')} of ${record.sourceRef.replace(/^refs\/heads\//, '')}, up to ${record.sourceCommit.slice(0, 10)}.`;
  const what = `From ${from}:\n${since} The earlier commits were already here.`;
  return `Bring the new commits of ${record.package} into ${record.path}\n\n${what}\n\n${formatImportRecord(record)}\n`;
}

/** Returns the message for changes outside a package by a sync. */
export function besideMessage(name: string): string {
  return `Carry over changes to files of ${name} that work only at the root\n\nThe difference between what the last import carried over, and what an import would now.\n`;
}

function howMessagesCame({ messages }: ImportRecord): string {
  if (messages === 'exact') return 'Messages and headers are unchanged.';
  const references = messages.repository === undefined ? '' : `references name ${messages.repository.name}, `;
  const changes = `${references}closing words and mentions\nare broken, and commit ids are those of the new commits.`;
  return `In messages, ${changes}\nOriginal messages and signatures: git cat-file -p <commit>`;
}

/** Returns the message of the commit that moves the files, for `--strategy merge`. */
export function moveMessage(path: RepoPath): string {
  return `Move all files to ${path}\n\nThe commits before this one are those of the repository that came, under their own ids.\n`;
}

export function cleanUpMessage(name: string, removals: readonly Removal[]): string {
  const lines = removals.map(({ path, reason }) => `- ${path}: ${reason}`);
  return `Remove files of ${name} that would override the root\n\n${lines.join('\n')}\n`;
}

export function registerMessage(name: string, path: RepoPath): string {
  return `Register ${name} as a workspace\n\nNo pattern of "workspaces" in the root package.json covers ${path}.\n`;
}
