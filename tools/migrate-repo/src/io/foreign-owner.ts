/**
 * Returns the folder that git refuses because another user owns it (`safe.directory`), from git's message; `undefined`
 * for other messages.
 */
export function foreignOwner(stderr: string): string | undefined {
  return /detected dubious ownership in repository at '(.*)'/.exec(stderr)?.[1];
}
