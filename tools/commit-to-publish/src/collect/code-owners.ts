import type { RepoFolder } from '@tributary/model/paths';
import picomatch from 'picomatch';

/** In the order in which GitHub looks for it: the first is used. */
export const CODE_OWNERS_FILES: readonly string[] = ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS'];

/**
 * The team that a CODEOWNERS file names for what is in a folder: the first of the last line that matches. Accounts and addresses of people are no teams. Source: docs.github.com, "About
 * code owners".
 */
export function ownerFinder(text: string): (folder: RepoFolder) => string | undefined {
  const rules = text.split(/\r?\n/).flatMap(ruleIn);
  return (folder) => {
    // Whatever lies there. A line for certain files, such as `*.md`, is not about the package.
    const path = folder === '' ? 'any' : `${folder}/any`;
    return rules.findLast(({ matches }) => matches(path))?.team;
  };
}

interface OwnerRule {
  readonly matches: (path: string) => boolean;
  readonly team: string | undefined;
}

function ruleIn(line: string): readonly OwnerRule[] {
  const [pattern = '', ...owners] = line
    .replace(/(?:^|\s)#.*$/, '')
    .trim()
    .split(/(?<!\\)\s+/);
  if (pattern === '') return [];
  const team = owners.map((owner) => /^@([\w.-]+\/[\w.-]+)$/.exec(owner)?.[1]).find((name) => name !== undefined);
  return [{ matches: picomatch(globsOf(pattern), { dot: true, nobrace: true, noextglob: true, nonegate: true }), team }];
}

/** As .gitignore, but what ends with a star does not go into folders. */
function globsOf(pattern: string): string[] {
  const isAnchored = /\/(?=[^/])/.test(pattern);
  const glob = `${isAnchored ? '' : '**/'}${pattern.replace(/^\//, '').replace(/\/$/, '/**')}`;
  return /\/\*\*?$/.test(glob) && pattern.includes('/') ? [glob] : [glob, `${glob}/**`];
}
