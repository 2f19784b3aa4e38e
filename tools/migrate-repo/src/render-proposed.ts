import type { TerminalStyle } from './render.js';
import { renderCall } from './render-pull-requests.js';
import type { ProposedResult } from './result/proposed-result.js';

/** Renders the pull request of a branch; for a plan, with every call that would be made. `failure` is reported separately. */
export function renderProposed(result: ProposedResult, extent: 'all' | 'plan only', page: TerminalStyle): string {
  const { notes, calls } = result;
  const lines = extent === 'plan only' ? calls.flatMap(renderCall) : [];
  return [page.bold(tellState(result, extent)), ...notes.map((note) => `  ${note}`), ...lines].join('\n');
}

function tellState({ state, target, branch, base, repository }: ProposedResult, extent: 'all' | 'plan only'): string {
  const what = `Pull request of ${branch} into ${base} of ${repository}`;
  const where = target === null ? '' : ` ${target.url}`;
  switch (state) {
    case 'opened':
      return extent === 'plan only' ? `${what}: to be opened` : `${what}: opened as${where}`;
    case 'updated':
      return `${what}: ${extent === 'plan only' ? 'to be updated:' : 'updated'}${where}`;
    case 'unchanged':
      return `${what}: unchanged${where}`;
    case 'closed':
      return `${what}: closed${where}`;
    case 'failed':
      return target === null ? `${what}: failed` : `${what}: failed, after${where}`;
  }
}

/** Returns the user's next steps. */
export function nextAfterProposal({ target, pushTags, state }: ProposedResult): string {
  const merge = 'Merge it with a merge commit ("Create a merge commit"); then "migrate-repo verify --all" verifies that nothing was lost.';
  const tags = pushTags === null ? '' : ` No tag was pushed. After the merge: ${pushTags}`;
  return `${target === null || state === 'closed' ? '' : merge}${tags}`.trim();
}
