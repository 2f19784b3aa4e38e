import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What may make other bytes of a blob that are as many. The ends of lines are not among it: of two files that differ in them, one is longer. */
const CONVERSIONS = ['filter', 'ident', 'encoding'];
/** A setting; in any letters. */
const MORE_ATTRIBUTES = ['attributesfile'];

export interface WorkTreeFolders {
  readonly workTree: string;
  readonly gitDir: string;
  readonly commonDir: string;
}

/**
 * Whether a file of the work tree may differ from its blob though git takes it for that blob, and though it is as long (gitattributes).
 * A word that stands anywhere in a file with attributes is enough, whatever it is said of. `path`: from the root of the work tree. Throws if one
 * of the files cannot be read.
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
  return attributes.some((file) => says(file, CONVERSIONS)) || settings.some((file) => says(file, MORE_ATTRIBUTES));
}

/** Nearly all of the files are not there, and compiling an expression would take longer than the search takes. */
function says(file: string, words: readonly string[]): boolean {
  if (!existsSync(file)) return false;
  const text = readFileSync(file, 'utf8').toLowerCase();
  return words.some((word) => text.includes(word));
}
