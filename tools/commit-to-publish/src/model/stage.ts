/**
 * The stages of a change, in their order. Each lasts from the end of the one before it to its own end, so that they add up; only `publish` begins at its own start,
 * and what lies before it is `publish-wait`. `upgrade-open`: from the publication to the consumer's upgrade pull request. With a consumer, `publish-wait` and `publish` are those of
 * the consumer and come last: the change has then reached whoever uses the consumer.
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

/** From when a change counts as ready: `merged` leaves the review and all before it out; `approved` counts from the last approval. */
export type Ready = 'merged' | 'approved';
