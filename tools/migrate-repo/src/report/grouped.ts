interface Said {
  readonly newcomer: string;
  readonly text: string | undefined;
}

/** One line for what is said of several packages in the same words, behind their names; in the order in which it is said first. */
export function grouped(all: readonly Said[]): readonly string[] {
  const newcomers = new Map<string, string[]>();
  for (const { newcomer, text } of all) {
    if (text === undefined) continue;
    const known = newcomers.get(text) ?? [];
    if (!known.includes(newcomer)) known.push(newcomer);
    newcomers.set(text, known);
  }
  return [...newcomers].map(([text, names]) => `${namesOf(names)}: ${text}`);
}

const SHOWN = 4;

function namesOf(names: readonly string[]): string {
  return names.length <= SHOWN ? names.join(', ') : `${names.slice(0, SHOWN - 1).join(', ')} and ${names.length - SHOWN + 1} more`;
}
