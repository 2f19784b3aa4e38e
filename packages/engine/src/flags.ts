type SetFlags = (flags: string) => void;

/** Deprecated, and so left out of the types. */
interface Bindings {
  readonly binding: (name: string) => { readonly setFlagsFromString?: SetFlags };
}

let setter: SetFlags | undefined;

/**
 * `v8.setFlagsFromString`, without what `node:v8` loads beside it: all of Node's streams, which takes two of the forty milliseconds that a
 * change of one file takes.
 */
export function setFlags(flags: string): void {
  setter ??= innerSetter() ?? process.getBuiltinModule('node:v8').setFlagsFromString;
  setter(flags);
}

/** The very function that `node:v8` calls; `undefined` where Node does not give it away: under its permission model, and some day everywhere. */
function innerSetter(): SetFlags | undefined {
  try {
    return withoutWarning(() => (process as unknown as Bindings).binding('v8').setFlagsFromString);
  } catch {
    return undefined;
  }
}

/** Node would tell our user, who can do nothing about it, that this way is deprecated. */
function withoutWarning<Result>(ask: () => Result): Result {
  const { noDeprecation } = process;
  // It cannot be written where the user has set it.
  if (noDeprecation === true) return ask();
  process.noDeprecation = true;
  try {
    return ask();
  } finally {
    process.noDeprecation = noDeprecation ?? false;
  }
}
