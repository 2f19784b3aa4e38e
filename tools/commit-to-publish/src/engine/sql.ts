/** A text as it stands in SQL. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
