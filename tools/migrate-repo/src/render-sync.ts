import { type Duration, formatDuration } from '@tributary/model/time';
import { renderAlignment, type TerminalStyle } from './render.js';
import type { SyncResult } from './result/result.js';
import { countOf, namesOf } from './text.js';

/** Renders what a sync brought, or would bring, and how it was proven. */
export function renderSync(result: SyncResult, page: TerminalStyle): string {
  return [tellState(result, page), ...tellTags(result), ...tellConflicts(result), ...tellProof(result), ...renderAlignment(result)].join(
    '\n',
  );
}

function tellState(result: SyncResult, page: TerminalStyle): string {
  const { name, state, commits, branch } = result;
  const what = `${countOf(commits, 'new commit')} of ${name}, ${result.from.slice(0, 10)} to ${result.to.slice(0, 10)} of ${shortBranch(result)}`;
  switch (state) {
    case 'nothing new':
      return `Nothing new: ${shortBranch(result)} of ${result.source} has no new commits of ${name} since ${result.from.slice(0, 10)}.`;
    case 'planned':
      return commits === 0 ? `Plan: no new commits of ${name}, only tags` : `Plan: ${what}, on the new branch ${branch}`;
    case 'tags':
      return `No new commits of ${name}. Imported its new tags in ${formatDuration(result.milliseconds as Duration)}.`;
    case 'conflicts':
      return `${what}, on the new branch ${page.bold(branch ?? '')}: the merge conflicts.`;
    case 'synced':
      return `${what}, on the new branch ${page.bold(branch ?? '')}, in ${formatDuration(result.milliseconds as Duration)}.`;
  }
}

function shortBranch({ sourceRef }: SyncResult): string {
  return sourceRef.replace(/^refs\/heads\//, '');
}

function tellTags({ tags, movedTags }: SyncResult): string[] {
  return [
    ...(tags.length === 0 ? [] : [`New tags: ${namesOf(tags)}`]),
    ...(movedTags.length === 0 ? [] : [`The source moved these tags, which stay unchanged here: ${namesOf(movedTags)}`]),
  ];
}

function tellConflicts({ conflicts, state }: SyncResult): string[] {
  if (conflicts.length === 0) return [];
  return [state === 'planned' ? 'The merge would conflict in:' : 'Conflicts in:', ...conflicts.map((file) => `  ${file}`)];
}

function tellProof({ proof }: SyncResult): string[] {
  return proof === null ? [] : [`Verified ${countOf(proof.commits, 'commit')}, including those imported before.`];
}

/** Returns the user's next steps; `undefined` if there are none. */
export function nextAfterSync({ state, name, branch, worktree, tags }: SyncResult): string | undefined {
  const push = tags.length > 0 ? ' No tag was pushed: push the tags that you want by name.' : '';
  switch (state) {
    case 'nothing new':
    case 'planned':
      return undefined;
    case 'tags':
      return push.trim();
    case 'conflicts':
      return [
        `Resolve them in ${worktree}: edit the files, "git add" them, "git commit".`,
        `Then continue with "migrate-repo sync ${name} --continue${branchOption(name, branch)}".`,
        `To give up: "migrate-repo sync ${name} --abort${branchOption(name, branch)}".`,
      ].join(' ');
    case 'synced':
      return `Review it with "git log --oneline --first-parent ${branch}", then merge it with a merge commit: squashing or rebasing would destroy the new history.${push}`;
  }
}

function branchOption(name: string, branch: string | null): string {
  return branch === null || branch === `sync/${name}` ? '' : ` --branch ${branch}`;
}
