import { withoutBom } from './file-text.js';

/**
 * Whether a pattern of `workspaces` in the text of a root manifest may cover folders inside of a workspace: then one that the lockfile does
 * not know yet may lie there. Says yes too often, and where the manifest cannot be read; of the root itself always.
 */
export function mayHoldMore(rootManifest: string | undefined, folder: string | undefined): boolean {
  if (folder === undefined || folder === '') return true;
  return readPatterns(rootManifest ?? '{}').some((pattern) => mayCoverBelow(pattern.replace(/^\.\//, '').split('/'), folder.split('/')));
}

function mayCoverBelow(pattern: readonly string[], folder: readonly string[]): boolean {
  for (const [at, name] of folder.entries()) {
    const part = pattern[at];
    if (part === undefined || (part !== name && /^[\w@.-]+$/.test(part))) return false;
    if (part.includes('**')) return true;
  }
  return pattern.slice(folder.length).some((part) => part !== '');
}

function readPatterns(text: string): readonly string[] {
  try {
    const { workspaces } = JSON.parse(withoutBom(text)) as { workspaces?: unknown };
    const patterns = Array.isArray(workspaces) ? workspaces : (workspaces as { packages?: unknown } | undefined)?.packages;
    return Array.isArray(patterns) ? patterns.map(String) : [];
  } catch {
    return ['**'];
  }
}
