/**
 * Returns up to three names that the user may have meant: those that contain the text or are contained in it, otherwise those with the same
 * first letters.
 */
export function nearestNames(text: string, names: readonly string[]): readonly string[] {
  const wanted = bare(text);
  const alike = names.filter((name) => bare(name).includes(wanted) || (bare(name) !== '' && wanted.includes(bare(name))));
  const near = alike.length > 0 ? alike : names.filter((name) => bare(name).startsWith(wanted.slice(0, 3)));
  return wanted === '' ? [] : near.slice(0, 3);
}

/** Removes scope, case and punctuation. */
function bare(name: string): string {
  return name
    .slice(name.lastIndexOf('/') + 1)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
}
