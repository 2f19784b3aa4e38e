/** Returns the first `most` names, and how many more there are: `ui, api and 3 more`. */
export function listNames(names: readonly string[], most: number): string {
  const shown = names.slice(0, most).join(', ');
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}
