/** An entry of a yarn.lock that says nothing but the version: Yarn fills in the rest if it is told to refresh the lockfile, and only then. */
export interface ThinEntry {
  readonly descriptor: string;
  readonly resolution: string;
  readonly version: string;
}

/** The lines of an entry without dependencies. A plain install would take it for the whole truth. */
export function thinBlock({ descriptor, resolution, version }: ThinEntry): string {
  return `${keyLine([descriptor])}  version: ${version}\n  resolution: ${JSON.stringify(resolution)}\n  languageName: node\n  linkType: hard\n`;
}

/** The key of an entry as Yarn writes it: over 1,024 characters it needs lines of its own. Source: `stringifySyml` of @yarnpkg/parsers. */
export function keyLine(descriptors: readonly string[]): string {
  const key = JSON.stringify(descriptors.join(', '));
  return key.length > 1024 ? `? ${key}\n:\n` : `${key}:\n`;
}

/** The block `__metadata` of a yarn.lock, with its version of the format; `undefined` where there is none. */
export function metadataBlock(text: string): string | undefined {
  return /^__metadata:\n(?: +\S.*\n)+/m.exec(text.replaceAll('\r\n', '\n'))?.[0];
}
