/** That a registry calls a package deprecated, by its newest version. */
export interface KnownDeprecation {
  readonly package: string;
  readonly message: string;
}

const NAME = '(@[a-z0-9][\\w.-]*/[a-z0-9][\\w.-]*|[a-z0-9][\\w.-]*)';
const QUOTES = '[`\'"“]?';
/** `use x instead` is none of them: that names a replacement, which may have been another package for years. */
const RENAMED = `\\b(?:renamed|moved|been migrated)\\s+to\\s+${QUOTES}${NAME}`;

/** The one package that a deprecation message says this one has become; `undefined` where it names none, an address alone, or several. */
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
