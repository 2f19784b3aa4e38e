import { type Git, type GitSettings, plumbing } from '@tributary/git/git';
import type { RepoLocation } from './locate.js';

/** Opens plumbing that sees what a checkout contains, with the replacements of `git replace`. */
export function openGit({ gitDir }: Pick<RepoLocation, 'gitDir'>, settings: Omit<GitSettings, 'replaceRefs'> = {}): Git {
  return plumbing(gitDir, { ...settings, replaceRefs: 'honoured' });
}
