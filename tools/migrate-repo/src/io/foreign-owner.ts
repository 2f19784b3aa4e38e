/** The folder that git does not use since it belongs to another user (`safe.directory`), out of git's own words; `undefined`: they say something else. */
export function foreignOwner(stderr: string): string | undefined {
  return /detected dubious ownership in repository at '(.*)'/.exec(stderr)?.[1];
}
