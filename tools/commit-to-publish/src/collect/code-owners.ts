import type { RepoFolder } from '@tributary/model/paths';
import { globTest } from './glob-test.js';

/** In GitHub's order of precedence: GitHub uses the first that exists. */
export const CODE_OWNERS_FILES: readonly string[] = ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS'];

/**
 * Returns a function that finds the team of a folder in a CODEOWNERS file: the first team in the last matching line. Accounts and addresses
 * of people are not teams. Source: docs.github.com, "About code owners".
 */
export function ownerFinder(text: string): (folder: RepoFolder) => string | undefined {
  const rules = text.split(/\r?\n/).flatMap(ruleIn);
  return (folder) => {
    // Any file in the folder; a line for certain files, such as `*.md`, is not about the package.
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
  return [{ matches: globTest(globsOf(pattern), { dot: true, nobrace: true, noextglob: true, nonegate: true }), team }];
}

/** Like .gitignore, except that a pattern that ends with a star does not match inside folders. */
function globsOf(pattern: string): string[] {
  const isAnchored = /\/(?=[^/])/.test(pattern);
  const glob = `${isAnchored ? '' : '**/'}${pattern.replace(/^\//, '').replace(/\/$/, '/**')}`;
  return /\/\*\*?$/.test(glob) && pattern.includes('/') ? [glob] : [glob, `${glob}/**`];
}
