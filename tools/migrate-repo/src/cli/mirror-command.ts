import { resolve } from 'node:path';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import { parseRepoUrl } from '@tributary/model/repo-url';
import { addExamples, readCwd } from '@tributary/terminal/global-options';
import type { Services } from '@tributary/terminal/main';
import type { Command } from 'commander';
import type { MirrorRequest } from '../run/mirror-request.js';
import { INTO, readBranch, readName } from './readers.js';

interface MirrorOptions {
  readonly to: string;
  readonly into?: string;
  readonly ref?: string;
  readonly branch?: string;
  readonly tags: boolean;
  readonly dryRun?: true;
}

/** Adds the command `mirror`. */
export function addMirror(program: Command, services: Services): void {
  const command = program
    .command('mirror')
    .summary('update the old repository as a read-only mirror')
    .description(
      'Pushes the history of a package to a repository of its own. Imported commits and tags get their original ids back; later commits of its folder get new ids. ' +
        'Every clone creates the same commits. Run it again after each merge: it pushes only new commits. ' +
        'Pushes nothing if somebody else pushed to the mirror. The monorepo is not changed.',
    )
    .argument('<package>', 'name of the package')
    .requiredOption('--to <address>', 'address or path of the mirror: the old repository, or an empty one')
    .option(...INTO)
    .option('--ref <ref>', 'branch, tag or commit of the monorepo to mirror (default: HEAD)')
    .option('--branch <name>', 'branch of the mirror (default: the imported branch)')
    .option('--no-tags', 'do not push tags')
    .option('--dry-run', 'print what would be pushed; push nothing');
  addExamples(command, [
    {
      line: 'migrate-repo mirror left-pad --to git@github.com:acme/left-pad.git --dry-run',
      purpose: 'see what would be pushed to the old repository',
    },
    { line: 'migrate-repo mirror left-pad --to git@github.com:acme/left-pad.git', purpose: 'push it' },
    {
      line: 'migrate-repo mirror left-pad --to ../left-pad.git --ref origin/main',
      purpose: 'mirror the merged state, regardless of what is checked out',
    },
  ]);
  command.action(async (name: string, options: MirrorOptions) => {
    const request = readRequest(name, options, readCwd(command));
    const { runMirror } = await import('./mirror-commands.js');
    await runMirror(request, services);
  });
}

function readRequest(name: string, options: MirrorOptions, cwd: AbsolutePath): MirrorRequest {
  const absolute = (path: string): AbsolutePath => parseAbsolutePath(resolve(cwd, path));
  return {
    name: readName(name),
    into: absolute(options.into ?? '.'),
    ref: options.ref,
    to: parseRepoUrl(options.to, absolute),
    branch: readBranch(options.branch),
    tags: options.tags ? 'recorded' : 'none',
    extent: options.dryRun === true ? 'plan only' : 'all',
  };
}
