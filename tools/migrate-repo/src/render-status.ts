import { tellLost } from './plan/missing-proof.js';
import type { TerminalStyle } from './render.js';
import type { ImportStatus, OpenSyncStatus, StatusResult } from './result/import-result.js';
import { countOf } from './text.js';

/** Renders each imported package with its folder, and below it the source and its new commits. Nothing is cut. */
export function renderStatus({ imports, openSyncs, orphans }: StatusResult, page: TerminalStyle): string {
  if (imports.length + orphans.length === 0) return 'No package was migrated into this repository yet.';
  return [
    ...imports.map((one) => `${page.bold(one.name)}  ${one.path}${tellPlace(one)}\n  ${tellNews(one)}`),
    ...openSyncs.map((one) => `${page.bold(one.name)}  ${tellOpen(one)}`),
    ...orphans.map(
      ({ name, commit }) =>
        `${page.bold(name)}  history lost: ${commit.slice(0, 10)} followed its import, but HEAD does not contain the import`,
    ),
  ].join('\n');
}

function tellOpen({ name, branch, worktree, state }: OpenSyncStatus): string {
  const option = branch === `sync/${name}` ? '' : ` --branch ${branch}`;
  const next = `migrate-repo sync ${name} --continue${option}`;
  return state === 'conflicts'
    ? `a sync with conflicts is open on ${branch}\n  resolve and commit them in ${worktree}, then: ${next}`
    : `a sync is not finished on ${branch}: its conflicts are resolved\n  continue with: ${next}`;
}

function tellPlace(one: ImportStatus): string {
  const merged = one.mergedBy === null ? '' : `, merged by ${one.mergedBy.slice(0, 10)}`;
  const by = (one.by ?? '').slice(0, 10);
  switch (one.state) {
    case 'merged':
      return `${merged}${one.movedTo === null ? '' : `, now in ${one.movedTo}`}`;
    case 'removed':
      return `${merged}, removed by ${by}`;
    case 'superseded':
      return `${merged}, imported again by ${by}`;
    case 'replaced':
      return `${merged}, but its files were added by ${by}, which is not an import`;
    case 'waiting':
      return `, on branch ${one.branch}, not merged`;
    case 'squashed':
    case 'rebased':
    case 'rewritten':
    case 'copied':
      return `: ${tellLost(one.state, by)}, so its history is lost; ${one.branch === null ? 'no branch here has it' : `${one.branch} still has it`}`;
  }
}

function tellNews({ news, askedRef, ...one }: ImportStatus): string {
  const short = (ref: string): string => ref.replace(/^refs\/heads\//, '');
  const renamed = askedRef === null ? '' : ` (${short(askedRef)} now)`;
  const since = `${one.sourceCommit.slice(0, 10)} of ${short(one.sourceRef)}${renamed}, ${one.source}`;
  switch (news.state) {
    case 'none':
      return `nothing new since ${since}`;
    case 'commits':
      return `${countOf(news.count, 'new commit')} since ${since}`;
    case 'rewritten':
      return `rewritten: it no longer contains ${since}`;
    case 'unknown':
      return `unknown whether there is anything new since ${since}: ${news.why}`;
  }
}

/** Returns the next command for imports with new commits. An open sync says itself how it continues. */
export function hintForStatus({ imports, openSyncs }: StatusResult): string | undefined {
  const open = new Set(openSyncs.map(({ name }) => name));
  const waiting = imports.filter(({ name, state, news }) => state === 'merged' && news.state === 'commits' && !open.has(name));
  if (waiting.length === 0) return undefined;
  return `Import the new commits with "migrate-repo sync ${waiting.length === 1 ? waiting[0]?.name : '<package>'}".`;
}
