import { join } from 'node:path';
import { readIfThere } from './files.js';

/** What may make other bytes of a blob that are as many. The ends of lines are not among it: of two files that differ in them, one is longer. */
const CONVERSION = /filter|ident|encoding/;

export interface WorkTreeFolders {
  readonly workTree: string;
  readonly gitDir: string;
  readonly commonDir: string;
}

/**
 * Whether a file of the work tree may differ from its blob though git takes it for that blob, and though it is as long (gitattributes).
 * `path`: from the root of the work tree. A word that stands anywhere in a file with attributes is enough, whatever it is said of.
 */
export function mayConvert({ workTree, gitDir, commonDir }: WorkTreeFolders, path: string): boolean {
  const { HOME = '', XDG_CONFIG_HOME = '' } = process.env;
  const user = join(XDG_CONFIG_HOME === '' ? join(HOME, '.config') : XDG_CONFIG_HOME, 'git');
  const folders = path.split('/').map((_, depth, names) => join(workTree, ...names.slice(0, depth)));
  const attributes = [
    ...folders.map((folder) => join(folder, '.gitattributes')),
    join(commonDir, 'info/attributes'),
    join(user, 'attributes'),
    '/etc/gitattributes',
  ];
  const settings = [
    join(commonDir, 'config'),
    join(gitDir, 'config.worktree'),
    join(HOME, '.gitconfig'),
    join(user, 'config'),
    '/etc/gitconfig',
  ];
  return attributes.some((file) => says(file, CONVERSION)) || settings.some((file) => says(file, /attributesfile/i));
}

function says(file: string, words: RegExp): boolean {
  return words.test(readIfThere(file)?.toString('latin1') ?? '');
}
