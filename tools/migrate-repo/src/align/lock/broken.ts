import { ToolError } from '@tributary/model/errors';

/** Returns the error for an unreadable lockfile. `why` completes a sentence. */
export function brokenLock(file: string, why: string): ToolError {
  return new ToolError({
    code: 'LOCKFILE_INVALID',
    message: `${file} cannot be read: ${why}.`,
    hint: 'Let the package manager that wrote it write it again, commit, and run the same command.',
    data: { file },
  });
}

/** Returns the error for an unknown lockfile format. `known`: the supported versions, in words. */
export function unknownFormat(file: string, found: string, known: string): ToolError {
  return new ToolError({
    code: 'LOCKFILE_UNSUPPORTED',
    message: `${file} has format version ${found}, but only ${known} are supported.`,
    hint: 'Regenerate it with a release of its package manager that writes a supported format, commit, and run the same command again. Without the file, Yarn chooses the versions.',
    data: { file, found, known },
  });
}

/** Returns the error for a lockfile that does not match its manifest. */
export function mismatchedLock(file: string, missing: readonly string[]): ToolError {
  const [first, ...others] = missing;
  return new ToolError({
    code: 'LOCKFILE_MISMATCH',
    message: `${file} does not match its package.json: it lacks ${first}${others.length === 0 ? '' : `, nor ${others.length} more`}.`,
    hint: 'Run the install command of its package manager in the source, commit the lockfile, and run the same command again.',
    data: { file, missing },
  });
}

/** Returns the error for a monorepo whose yarn.lock was already out of date. `changed`: requests that it lacks or would lose. */
export function driftedLock(changed: readonly string[]): ToolError {
  const [first, ...others] = changed;
  const what = others.length === 0 ? `entry for ${first}` : `entries for ${first} and ${others.length} more`;
  return new ToolError({
    code: 'LOCKFILE_MISMATCH',
    message: `The yarn.lock of the monorepo was out of date before the import: Yarn would change its ${what}.`,
    hint: 'Run "yarn install" in the monorepo, commit its yarn.lock, and run the same command again.',
    data: { file: 'yarn.lock', missing: changed },
  });
}

/** Returns the error for a monorepo whose yarn.lock was written by another release of Yarn, or with other settings. */
export function otherFormat(): ToolError {
  return new ToolError({
    code: 'LOCKFILE_MISMATCH',
    message: 'The yarn.lock of the monorepo has a different format than its Yarn writes, so Yarn would rewrite the whole file.',
    hint: 'Run "yarn install" in the monorepo, commit the changes, and run the same command again.',
    data: { file: 'yarn.lock', missing: [] },
  });
}
