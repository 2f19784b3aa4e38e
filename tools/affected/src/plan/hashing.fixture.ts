import type { ChangedFile } from '@tributary/model/changeset';
import type { RepoPath } from '@tributary/model/paths';
import type { HashingFacts } from './hashed-files.js';
import { parseTurboInputs } from './turbo-inputs.js';

interface Described {
  /** Tasks as in turbo.json. */
  readonly tasks?: Readonly<Record<string, unknown>>;
  /** By workspace, the tasks of a turbo.json beside its package.json. */
  readonly own?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** By workspace, changed files, with `-` before a deleted one and `=` before one with only a changed mode. */
  readonly changed?: Readonly<Record<string, string>>;
  /** By workspace, tracked files. */
  readonly files?: Readonly<Record<string, string>>;
  /** Workspaces with symbolic links. */
  readonly links?: readonly string[];
  readonly turboInputs?: HashingFacts['turboInputs'];
}

/** Returns what turborepo hashes; by default everything. */
export function hashingOf({
  tasks = {},
  own = {},
  changed = {},
  files = {},
  links = [],
  turboInputs = 'respect',
}: Described = {}): HashingFacts {
  const owned = Object.entries(own).map(([workspace, said]) => {
    const text = JSON.stringify({ extends: ['//'], tasks: said });
    return { workspace, file: `packages/${workspace}/turbo.json`, text };
  });
  return {
    inputs: parseTurboInputs(JSON.stringify({ tasks }), owned),
    changed: new Map(Object.entries(changed).map(([name, paths]) => [name, paths.split(' ').map(changedFile)])),
    files: () => new Map(Object.entries(files).map(([name, paths]) => [name, paths.split(' ')])),
    hasLinks: (workspace) => (workspace === '' ? links.length > 0 : links.includes(workspace)),
    turboInputs,
  };
}

function changedFile(text: string): ChangedFile {
  const path = text.replace(/^[-=]/, '') as RepoPath;
  const status = text.startsWith('-') ? 'deleted' : 'modified';
  return { path, status, kind: 'file', ...(text.startsWith('=') ? { content: 'same' } : {}) };
}
