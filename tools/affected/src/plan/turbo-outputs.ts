import { asRecord, type OwnTurboFile, readObject } from './turbo-tasks.js';

/** Tells whether a cache brings back what a task makes, by turborepo's names: `@acme/ui`, `build`. */
export type Restored = (workspace: string, task: string) => boolean;

/**
 * Reads every turbo.json. A cache brings back what a task makes if the task has outputs and may be cached. `false` also where the inheritance is not supported here. Throws `CONFIG_INVALID`. Source: turborepo.com, "Configuring
 * turbo.json" (`outputs`, `cache`) and "Package Configurations".
 */
export function parseRestored(rootText: string, own: readonly OwnTurboFile[]): Restored {
  const value = readObject(rootText, 'turbo.json');
  const root = asRecord(value['tasks'] ?? value['pipeline']);
  const files = new Map(own.map(({ workspace, file, text }) => [workspace, readObject(text, file)]));
  return (workspace, task) => {
    const file = files.get(workspace);
    const declared = asRecord(file?.['tasks'])[task];
    const isSupported = file === undefined || (JSON.stringify(file['extends']) === '["//"]' && asRecord(declared)['extends'] === undefined);
    if (!isSupported) return false;
    const { cache, outputs } = { ...asRecord(root[`${workspace}#${task}`] ?? root[task]), ...asRecord(declared) };
    return cache !== false && Array.isArray(outputs) && outputs.some(isOutput);
  };
}

/** Neither an exclusion nor `$TURBO_EXTENDS$`. */
function isOutput(entry: unknown): boolean {
  return typeof entry === 'string' && !entry.startsWith('!') && entry !== '$TURBO_EXTENDS$';
}
