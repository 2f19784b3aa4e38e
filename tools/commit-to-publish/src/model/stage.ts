/**
 * The stages of a change, in order. Each lasts from the end of the previous one to its own end, so they add up.
 * Only `publish` begins at its own start; the time before it is `publish-wait`. `upgrade-open` lasts from the publication to the consumer's
 * upgrade pull request.
 * With a consumer, its own `publish-wait` and `publish` come last: the change has then reached the consumer's users.
 */
export const STAGES = [
  'pr-tests',
  'merge-wait',
  'post-merge-tests',
  'publish-wait',
  'publish',
  'upgrade-open',
  'upgrade-tests',
  'upgrade-merge',
] as const;

export type Stage = (typeof STAGES)[number];

/** When a change counts as ready: at its merge, which excludes the review (`merged`), or at its last approval (`approved`). */
export type Ready = 'merged' | 'approved';
