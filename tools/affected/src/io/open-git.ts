import { type Git, type GitSettings, plumbing } from '@tributary/git/git';
import type { RepoLocation } from './locate.js';

/** Plumbing that sees what a checkout holds: with the replacements of `git replace`, as git itself has them. */
export function openGit({ gitDir }: Pick<RepoLocation, 'gitDir'>, settings: Omit<GitSettings, 'replaceRefs'> = {}): Git {
  return plumbing(gitDir, { ...settings, replaceRefs: 'honoured' });
}
