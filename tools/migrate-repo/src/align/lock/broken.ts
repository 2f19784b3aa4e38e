import { ToolError } from '@tributary/model/errors';

/** A lockfile that cannot be read; `why` continues a sentence. */
export function brokenLock(file: string, why: string): ToolError {
  return new ToolError({
    code: 'LOCKFILE_INVALID',
    message: `${file} cannot be read: ${why}.`,
    hint: 'Let the package manager that wrote it write it again, commit, and run the same command.',
    data: { file },
  });
}

/** A lockfile of another state of its manifest. */
export function mismatchedLock(file: string, missing: readonly string[]): ToolError {
  const [first, ...others] = missing;
  return new ToolError({
    code: 'LOCKFILE_MISMATCH',
    message: `${file} does not match its package.json: it has no ${first}${others.length === 0 ? '' : `, nor ${others.length} more`}.`,
    hint: 'Run the install of its package manager there, commit the lockfile, and run the same command again.',
    data: { file, missing },
  });
}
