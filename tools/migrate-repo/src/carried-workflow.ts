/** The first line of what migrate-repo writes into a workflow that it carries to the root. `folder`: of the package; `file`: from there. */
export function carriedLine({ folder, file }: { readonly folder: string; readonly file: string }): string {
  return `# From ${folder}/${file} (migrate-repo).`;
}

/** The folder of the package that a workflow of the root was carried over from, by that line; `undefined`: it came from no package. */
export function carriedFrom(text: string): string | undefined {
  return /^# From (.+)\/\.github\/workflows\/[^/\n]+ \(migrate-repo\)\./m.exec(text)?.[1];
}
