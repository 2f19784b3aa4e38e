import type { Progress } from '@tributary/terminal/progress';

/** Tells a person why nothing happens. */
export function onPauseOf(progress: Progress): (seconds: number) => void {
  return (seconds) => progress.phase(`Waiting ${Math.ceil(seconds / 60)} min for GitHub, whose limit of requests is used up`);
}
