import { chmodSync, existsSync, readFileSync } from 'node:fs';
import type { TempFolder } from './temp-folder.js';
import { TempRepo } from './temp-repo.js';

/** A clone whose requests to its remote are counted. */
export interface PartialClone {
  readonly clone: TempRepo;
  /** Returns the number of requests since the clone was made. */
  readonly requests: () => number;
}

/** Clones a repository without the contents of its files, apart from those that a checkout needs. `traces` receives the requests. */
export function clonePartially(source: TempRepo, traces: TempFolder, ...options: string[]): PartialClone {
  source.git('config', 'uploadpack.allowFilter', 'true');
  const clone = TempRepo.cloneOf(source, '--filter=blob:none', ...options);
  const program = traces.write('upload-pack', `#!/bin/sh\necho x >>'${traces.join('requests')}'\nexec git-upload-pack "$@"\n`);
  chmodSync(program, 0o755);
  clone.git('config', 'remote.origin.uploadpack', program);
  const requests = (): number => (existsSync(traces.join('requests')) ? readFileSync(traces.join('requests'), 'utf8').length / 2 : 0);
  return { clone, requests };
}
