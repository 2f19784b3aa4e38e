import type { Services } from '@tributary/terminal/main';
import { renderPullRequests } from '../render-pull-requests.js';
import { bringPullRequests } from '../run/pull-requests.js';
import type { PullRequestsRequest } from '../run/pull-requests-request.js';
import { show } from './show.js';

/** Runs `pull-requests` and prints the result. Sets exit code 1 if one of them failed. */
export async function runPullRequests(request: PullRequestsRequest, services: Services): Promise<void> {
  const { ui } = services;
  const result = await bringPullRequests(request, services);
  show(ui, result, renderPullRequests);
  const failed = result.pullRequests.flatMap(({ failure }) => (failure === null ? [] : [failure]));
  for (const { code, message, hint } of failed) ui.error(message, { code, hint: hint ?? undefined });
  if (failed.length > 0) process.exitCode = 1;
  else if (result.state === 'planned' && result.pullRequests.some(({ calls }) => calls.length > 0))
    ui.hint('Nothing was written. Without --dry-run, these calls are made.');
}
