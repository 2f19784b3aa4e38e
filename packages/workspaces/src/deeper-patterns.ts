import { withoutBom } from '@tributary/model/file-text';

/**
 * Returns whether a pattern of `workspaces` in a root manifest may cover folders inside one of these workspaces. Such a folder may be a
 * workspace that the lockfile does not list yet. When in doubt, returns true: for an unreadable manifest, and always for the root itself.
 */
export function mayHoldMore(rootManifest: string | undefined, folders: readonly (string | undefined)[]): boolean {
  const patterns = readPatterns(rootManifest ?? '{}').map((pattern) => pattern.replace(/^\.\//, '').split('/'));
  return folders.some((folder) => {
    if (folder === undefined || folder === '') return true;
    const names = folder.split('/');
    return patterns.some((pattern) => mayCoverBelow(pattern, names));
  });
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
