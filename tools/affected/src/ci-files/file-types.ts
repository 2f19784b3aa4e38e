import { CI_FILES } from '@tributary/workspaces/ci-files';
import picomatch from 'picomatch';
import { mayBeOfCi } from '../changed-files.js';
import type { CiEngine } from '../engines/engine.js';
import { ENGINES } from '../engines/engines.js';

/** How a text is read; `undefined` for documents and data, which lead nowhere. */
export type TextType = 'workflow' | 'code' | 'shell';

/** Returns the type of a path. The YAML of workflows and actions is parsed; everything else is read as text. */
export function typeOf(path: string): TextType | undefined {
  // Yarn itself, and the files that it writes.
  if (/^(?:\.yarn\/|\.pnp\.)/.test(path)) return undefined;
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (isWorkflow(path) || /^action\.ya?ml$/.test(name)) return 'workflow';
  if (/\.[cm]?[jt]sx?$/.test(name)) return 'code';
  if (/\.ya?ml$/.test(name)) return /^\.|^azure-|compose|pipeline/.test(path) ? 'shell' : undefined;
  // Files without a dot: Makefile, Jenkinsfile, gradlew, scripts with a shebang.
  return /\.(?:sh|bash|zsh|fish|ps1|bat|cmd|py|rb|pl|groovy|mk)$|^Dockerfile|^[^.]+$/.test(name) ? 'shell' : undefined;
}

/** Tells whether a file is a workflow: GitHub runs none in deeper folders. */
export function isWorkflow(path: string): boolean {
  return /^\.github\/workflows\/[^/]+\.ya?ml$/.test(path);
}

/** Tells whether a file is a setting of GitHub's pages or apps, such as `labeler.yml`. */
export function isGitHubSetting(path: string): boolean {
  return /^\.github\/[^/]+\.ya?ml$/.test(path);
}

/**
 * Returns the folder of the local action that a file belongs to; `.github/actions` for files that its actions share. `undefined` for other
 * files.
 */
export function actionFolder(path: string, isFile: (path: string) => boolean): string | undefined {
  if (!path.startsWith(`${ACTIONS}/`)) return undefined;
  for (let folder = path.slice(0, path.lastIndexOf('/')); folder !== ACTIONS; folder = folder.slice(0, folder.lastIndexOf('/')))
    if (isFile(`${folder}/action.yml`) || isFile(`${folder}/action.yaml`) || isFile(`${folder}/Dockerfile`)) return folder;
  return ACTIONS;
}

export const ACTIONS = '.github/actions';

/** Tells whether the reading of CI files decides which workspaces a file selects. `path`: relative to the repository. */
export function isCiFile(path: string): boolean {
  return isGitHubSetting(path) || engineOf(path) !== undefined;
}

const OWNERS = Object.entries(CI_FILES).map(([name, globs]) => ({ name, owns: picomatch([...globs], { dot: true }) }));

/** Returns the engine whose pipelines a file belongs to. `path`: relative to the repository. */
export function engineOf(path: string): CiEngine | undefined {
  const owner = mayBeOfCi(path) ? OWNERS.find(({ owns }) => owns(path))?.name : undefined;
  return ENGINES.find(({ name }) => name === owner);
}
