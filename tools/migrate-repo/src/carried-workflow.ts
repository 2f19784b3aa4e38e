/** Returns the first line of a workflow that is carried over to the root. `folder` is the package's, and `file` is relative to it. */
export function carriedLine({ folder, file }: { readonly folder: string; readonly file: string }): string {
  return `# From ${folder}/${file} (migrate-repo).`;
}

/** Returns the folder of the package that a root workflow was carried over from; `undefined` if it has no such line. */
export function carriedFrom(text: string): string | undefined {
  return /^# From (.+)\/\.github\/workflows\/[^/\n]+ \(migrate-repo\)\./m.exec(text)?.[1];
}
