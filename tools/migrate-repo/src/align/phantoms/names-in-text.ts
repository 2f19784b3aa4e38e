const QUOTED = /["'`](?:node:)?((?:@[\w~.-]+\/)?[A-Za-z0-9~_-][\w.~-]*)(?:\/[^"'`\s]*)?["'`]/g;
const PRAGMA = /@(?:jest-environment|jsxImportSource)[ \t]+[^\s*]+/;

/**
 * Whether a text may name one of these packages: it has a quoted text that begins like one, or a pragma. If not, no
 * parser finds anything in it. So most files need not be parsed.
 */
export function mayName(text: string, isWanted: (name: string) => boolean): boolean {
  if (PRAGMA.test(text)) return true;
  const asked = new Set<string>();
  for (const [, name = ''] of text.matchAll(QUOTED)) {
    if (asked.has(name)) continue;
    asked.add(name);
    if (isWanted(name)) return true;
  }
  return false;
}
