import { type Duration, formatDuration } from '@tributary/model/time';
import type { TerminalStyle } from './render.js';
import type { CallResult, PullRequestResult, PullRequestsResult } from './result/pull-requests-result.js';
import { countOf } from './text.js';

/** Renders the pull requests of a source; for a plan, with every call that would be made. */
export function renderPullRequests(result: PullRequestsResult, page: TerminalStyle): string {
  const { source, target, pullRequests, state } = result;
  if (pullRequests.length === 0) return `${source} has no open pull request.`;
  const what = `${countOf(pullRequests.length, 'open pull request')} of ${source}`;
  const head = state === 'planned' ? `Plan: ${what}, for ${target}` : `${what}, in ${target}:`;
  const time = state === 'planned' ? [] : [`Done in ${formatDuration(result.milliseconds as Duration)}.`];
  return [head, ...pullRequests.flatMap((one) => renderOne(one, state, page)), ...time].join('\n');
}

function renderOne(one: PullRequestResult, state: PullRequestsResult['state'], page: TerminalStyle): string[] {
  const { number, title, commits, branch, base, notes, calls } = one;
  const into = base === null || commits === 0 ? [] : [`  ${countOf(commits, 'commit')} on ${branch}, to be merged into ${base}`];
  const lines = state === 'planned' ? calls.flatMap(renderCall) : [];
  return [`#${number} ${title}: ${page.bold(tellState(one, state))}`, ...into, ...notes.map((note) => `  ${note}`), ...lines];
}

function tellState({ state, target }: PullRequestResult, extent: PullRequestsResult['state']): string {
  const where = target === null ? '' : ` ${target.url}`;
  switch (state) {
    case 'opened':
      return extent === 'planned' ? 'to be opened' : `opened as${where}`;
    case 'updated':
      return `${extent === 'planned' ? 'to be updated:' : 'updated'}${where}`;
    case 'unchanged':
      return `unchanged${where}`;
    case 'closed':
      return `closed${where}`;
    case 'contained':
      return 'the monorepo already has it';
    case 'left out':
      return 'left out';
    case 'failed':
      return target === null ? 'failed' : `failed, after${where}`;
  }
}

/** Renders a call with all lines of its fields, such as a long body. */
export function renderCall({ call, sent }: CallResult): string[] {
  const fields = Object.entries(sent ?? {}).flatMap(([name, value]) => {
    const [first = '', ...rest] = (Array.isArray(value) ? value.join(', ') : String(value)).split('\n');
    return [`      ${name}: ${first}`, ...rest.map((line) => (line === '' ? '' : `        ${line}`))];
  });
  return [`  - ${call}`, ...fields];
}
