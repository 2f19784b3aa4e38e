/**
 * Code that runs while a package is installed. `git`: Yarn packs the repository with its own scripts. `exec`: a
 * generator creates the package.
 */
export type PackageCode = 'git' | 'exec';

/** Source: `gitPatterns` of plugin-git of Yarn 4. */
const GIT = [
  /^ssh:/,
  /^git(?:\+[^:]+)?:/,
  /^(?:git\+)?https?:[^#]+\/[^#]+(?:\.git)(?:#.*)?$/,
  /^git@[^#]+\/[^#]+\.git(?:#.*)?$/,
  /^(?:github:|https:\/\/github\.com\/)?(?!\.{1,2}\/)[\w.-]+\/(?!\.{1,2}(?:#|$))[\w.-]+?(?:\.git)?(?:#.*)?$/,
  /^https:\/\/github\.com\/(?!\.{1,2}\/)[\w.-]+\/(?!\.{1,2}(?:#|$))[\w.-]+?\/tarball\/(?:.+)?$/,
];

/** Returns the code that runs when a range or resolution is installed; `undefined` if none does. A patch counts as the patched package. */
export function codeOf(range: string): PackageCode | undefined {
  const [, patched] = /^patch:(?:@[^/@]+\/)?[^@]+@([^#]*)/.exec(range) ?? [];
  if (patched !== undefined) return codeOf(decoded(patched).replace(/^(?:@[^/@]+\/)?[^@:/]+@/, ''));
  if (range.startsWith('exec:')) return 'exec';
  return GIT.some((pattern) => pattern.test(range)) ? 'git' : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
