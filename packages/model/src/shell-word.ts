/**
 * Quotes a text for a POSIX shell, unless it has only plain characters. For commands that a message proposes: git allows branches and folders
 * with names such as `$(id)`.
 */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
