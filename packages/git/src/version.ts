import { ToolError } from '@tributary/model/errors';

/**
 * The oldest version with `cat-file --batch-check -z`. Without `-z`, git removes the carriage return at the end of a name (`objects.ts`).
 */
export const OLDEST_GIT = '2.38';

/** Throws `GIT_TOO_OLD` if the output of `git version` shows a release before 2.38. */
export function checkGitVersion(answer: string): void {
  const match = /^git version (\d+)\.(\d+)/.exec(answer);
  const [major, minor] = [Number(match?.[1] ?? 0), Number(match?.[2] ?? 0)];
  if (major > 2 || (major === 2 && minor >= 38)) return;
  throw new ToolError({
    code: 'GIT_TOO_OLD',
    message: `This machine has ${answer.trim() === '' ? 'a git of unknown version' : answer.trim()}; Tributary needs ${OLDEST_GIT} or newer.`,
    hint: 'Install a newer git and run the same command again.',
    data: { found: answer.trim(), needed: OLDEST_GIT },
  });
}
