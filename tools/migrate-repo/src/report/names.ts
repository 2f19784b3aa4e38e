const SHOWN = 4;

/** Returns the first names, and how many more there are. */
export function namesOf(names: readonly string[]): string {
  return names.length <= SHOWN ? names.join(', ') : `${names.slice(0, SHOWN - 1).join(', ')} and ${names.length - SHOWN + 1} more`;
}

const LISTED = 6;

/** Returns the same for longer items than names. */
export function listed(all: readonly string[]): string {
  const shown = all.slice(0, LISTED).join(', ');
  return all.length <= LISTED ? shown : `${shown} and ${all.length - LISTED} more`;
}
