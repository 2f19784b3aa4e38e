/** The registry's deprecation message for the newest version of a package. */
export interface KnownDeprecation {
  readonly package: string;
  readonly message: string;
}

const NAME = '(@[a-z0-9][\\w.-]*/[a-z0-9][\\w.-]*|[a-z0-9][\\w.-]*)';
const QUOTES = '[`\'"“]?';
/** Excludes `use x instead`, which names a replacement that may have been a separate package for years. */
const RENAMED = `\\b(?:renamed|moved|been migrated)\\s+to\\s+${QUOTES}${NAME}`;

/**
 * Returns the new name of a package from a deprecation message; `undefined` if the message names no package, only a URL, or several
 * packages.
 */
export function nameInDeprecation(message: string): string | undefined {
  const found = [...message.matchAll(new RegExp(RENAMED, 'gi'))].flatMap((match) => {
    const [, name] = match;
    const after = message.slice((match.index ?? 0) + match[0].length);
    // `moved to https://…` and `moved to github.com/…` name no package.
    return name === undefined || /^(?::\/\/|\/)/.test(after) ? [] : [name.replace(/[.-]+$/, '')];
  });
  const others = [...message.matchAll(/@[a-z0-9][\w.-]*\/[a-z0-9][\w.-]*/gi)].map(([name]) => name.replace(/[.-]+$/, ''));
  const names = new Set([...found, ...others]);
  return found.length > 0 && names.size === 1 ? found[0] : undefined;
}
