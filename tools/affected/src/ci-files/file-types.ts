import { ENGINES } from '../engines/engines.js';

/** What a text is read as; `undefined` for what leads nowhere: documents, data. */
export type TextType = 'workflow' | 'code' | 'shell';

/** By the path. A workflow, and the file of an action, is YAML that is understood; all else is read as text. */
export function typeOf(path: string): TextType | undefined {
  // Yarn itself, and what it writes.
  if (/^(?:\.yarn\/|\.pnp\.)/.test(path)) return undefined;
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (isWorkflow(path) || /^action\.ya?ml$/.test(name)) return 'workflow';
  if (/\.[cm]?[jt]sx?$/.test(name)) return 'code';
  if (/\.ya?ml$/.test(name)) return /^\.|^azure-|compose|pipeline/.test(path) ? 'shell' : undefined;
  // Without a dot: Makefile, Jenkinsfile, gradlew, scripts with a first line of their own.
  return /\.(?:sh|bash|zsh|fish|ps1|bat|cmd|py|rb|pl|groovy|mk)$|^Dockerfile|^[^.]+$/.test(name) ? 'shell' : undefined;
}

/** GitHub runs no workflow of a deeper folder. */
export function isWorkflow(path: string): boolean {
  return /^\.github\/workflows\/[^/]+\.ya?ml$/.test(path);
}

/** Settings of GitHub's pages and of its apps, such as `labeler.yml`. */
export function isGitHubSetting(path: string): boolean {
  return /^\.github\/[^/]+\.ya?ml$/.test(path);
}

/** The folder of a local action, with everything in it; `.github/actions` for what its actions share. `undefined` for other files. */
export function actionFolder(path: string, isFile: (path: string) => boolean): string | undefined {
  if (!path.startsWith(`${ACTIONS}/`)) return undefined;
  for (let folder = path.slice(0, path.lastIndexOf('/')); folder !== ACTIONS; folder = folder.slice(0, folder.lastIndexOf('/')))
    if (isFile(`${folder}/action.yml`) || isFile(`${folder}/action.yaml`) || isFile(`${folder}/Dockerfile`)) return folder;
  return ACTIONS;
}

export const ACTIONS = '.github/actions';

/** Whether it is for the reading of CI files to say who a file counts for. `path`: from the top of the repository. */
export function isCiFile(path: string): boolean {
  return isGitHubSetting(path) || ENGINES.some(({ pipeline }) => pipeline.owns(path));
}
