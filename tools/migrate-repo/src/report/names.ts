const SHOWN = 4;

/** A few names, and how many more. */
export function namesOf(names: readonly string[]): string {
  return names.length <= SHOWN ? names.join(', ') : `${names.slice(0, SHOWN - 1).join(', ')} and ${names.length - SHOWN + 1} more`;
}

const LISTED = 6;

/** The same with room for what is no name alone. */
export function listed(all: readonly string[]): string {
  const shown = all.slice(0, LISTED).join(', ');
  return all.length <= LISTED ? shown : `${shown} and ${all.length - LISTED} more`;
}
