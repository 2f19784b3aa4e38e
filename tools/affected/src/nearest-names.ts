/** Up to three names that somebody may have meant: those that hold the text, or the text them, else those that begin alike. */
export function nearestNames(text: string, names: readonly string[]): readonly string[] {
  const wanted = bare(text);
  const alike = names.filter((name) => bare(name).includes(wanted) || (bare(name) !== '' && wanted.includes(bare(name))));
  const near = alike.length > 0 ? alike : names.filter((name) => bare(name).startsWith(wanted.slice(0, 3)));
  return wanted === '' ? [] : near.slice(0, 3);
}

/** Without scope, case and signs. */
function bare(name: string): string {
  return name
    .slice(name.lastIndexOf('/') + 1)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
}
