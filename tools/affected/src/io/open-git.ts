import { type Git, type GitSettings, plumbing } from '@tributary/git/git';
import { mayBePartialClone } from '@tributary/git/missing-objects';
import type { RepoLocation } from './locate.js';

/** Opens plumbing that sees what a checkout contains, with the replacements of `git replace`. */
export function openGit(
  { gitDir, commonDir }: Pick<RepoLocation, 'gitDir' | 'commonDir'>,
  settings: Omit<GitSettings, 'replaceRefs'> = {},
): Git {
  return { ...plumbing(gitDir, { ...settings, replaceRefs: 'honoured' }), isPartial: mayBePartialClone(commonDir) };
}
