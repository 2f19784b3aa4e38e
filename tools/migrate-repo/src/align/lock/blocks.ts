/** An entry of a yarn.lock with only a version. Yarn completes it only if it is told to refresh the lockfile. */
export interface ThinEntry {
  readonly descriptor: string;
  readonly resolution: string;
  readonly version: string;
}

/** Returns the lines of an entry without dependencies. A plain install would consider it complete. */
export function thinBlock({ descriptor, resolution, version }: ThinEntry): string {
  return `${keyLine([descriptor])}  version: ${version}\n  resolution: ${JSON.stringify(resolution)}\n  languageName: node\n  linkType: hard\n`;
}

/**
 * Returns the key of an entry as Yarn writes it. A key of more than 1,024 characters gets its own lines. Source:
 * `stringifySyml` of @yarnpkg/parsers.
 */
export function keyLine(descriptors: readonly string[]): string {
  const key = JSON.stringify(descriptors.join(', '));
  return key.length > 1024 ? `? ${key}\n:\n` : `${key}:\n`;
}

/** Returns the block `__metadata` of a yarn.lock, with its format version; `undefined` if there is none. */
export function metadataBlock(text: string): string | undefined {
  return /^__metadata:\n(?: +\S.*\n)+/m.exec(text.replaceAll('\r\n', '\n'))?.[0];
}
