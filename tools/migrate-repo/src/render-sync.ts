import { type Duration, formatDuration } from '@tributary/model/time';
import { renderAlignment, type TerminalStyle } from './render.js';
import type { SyncResult } from './result/result.js';
import { countOf, namesOf } from './text.js';

/** Renders what a sync brought, or would bring, and how it was proven. */
export function renderSync(result: SyncResult, page: TerminalStyle): string {
  return [
    tellState(result, page),
    ...tellCompared(result),
    ...tellTags(result),
    ...tellConflicts(result),
    ...tellChanged(result),
    ...tellProof(result),
    // The changes of the source were aligned before they were merged.
    ...renderAlignment(result, 'nothing else'),
  ].join('\n');
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

/** Says what was compared, because "nothing new" holds only for that. */
export function tellCompared({ compared }: Pick<SyncResult, 'compared'>): string[] {
  if (compared === null) return [];
  const { by, tags } = compared;
  const counted = tags === null ? '' : ` and ${countOf(tags, 'tag')}`;
  const what =
    by === 'announced'
      ? `the branch${counted} of the source with ${tags === null ? 'that' : 'those'} of the last import, by id. Nothing was fetched.`
      : `the fetched history${counted} of the source, rewritten again, with what was imported.`;
  return [`Compared ${what}${tags === null ? ' Tags were not compared.' : ''}`];
}

/** Says which files the branch changes. */
export function tellChanged({ changed, path, state }: Pick<SyncResult, 'changed' | 'path' | 'state'>): string[] {
  if (changed === null) return [];
  const outside = changed.outside.length === 0 ? 'nothing outside of it' : `outside of it ${namesOf(changed.outside, SHOWN)}`;
  return [`${state === 'planned' ? 'Would change' : 'Changed'} ${countOf(changed.inside, 'file')} in ${path}, and ${outside}.`];
}

const SHOWN = 5;

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
