import type { Git } from '@tributary/git/git';
import { isPlainObject } from '@tributary/model/plain-object';
import type { Workspace } from '@tributary/workspaces/discover';
import type { Manifest } from '@tributary/workspaces/manifest';
import type { ProjectFiles } from '../io/project.js';
import { type RootTexts, turboText } from '../io/reading.js';
import { streamTexts } from '../io/tracked-files.js';
import type { TaskOwner } from '../plan/has-task.js';
import type { TaskSide } from '../plan/lost-tasks.js';
import { type OwnTurboFile, parseTurboTasks, withOwnTasks } from '../plan/turbo-tasks.js';

/**
 * Reads the data that tell which workspaces of a commit have a task: their scripts, and every turbo.json. Throws `CONFIG_INVALID`,
 * `GIT_FAILED`.
 */
export async function readTaskSide(
  git: Git,
  { texts, project }: { readonly texts: RootTexts; readonly project: ProjectFiles },
): Promise<TaskSide & { readonly own: readonly OwnTurboFile[] }> {
  const own = await readOwnTurboFiles(git, project);
  return {
    workspaces: project.workspaces.map(({ name, path, manifest }) => ({ name, path, scripts: scriptsOf(manifest), ...wireitOf(manifest) })),
    turboTasks: withOwnTasks(parseTurboTasks(turboText(texts)), own),
    own,
  };
}

/** Returns every turbo.json or turbo.jsonc next to a workspace's package.json. */
export async function readOwnTurboFiles(git: Git, { workspaces, tracked }: ProjectFiles): Promise<readonly OwnTurboFile[]> {
  const files = tracked(/\/turbo\.jsonc?$/);
  if (files.length === 0) return [];
  const owners = new Map<string, Workspace['name']>(
    workspaces.flatMap(({ name, path }) => TURBO_FILES.map((file) => [`${path}/${file}`, name])),
  );
  const own: OwnTurboFile[] = [];
  const wanted = files.filter(({ path }) => owners.has(path));
  // The text of a link is its target, so only the file's existence is known.
  for await (const { file, text } of streamTexts(git, wanted))
    own.push({ workspace: owners.get(file.path) ?? '', file: file.path, text: file.kind === 'link' ? '{}' : (text ?? '') });
  return own;
}

const TURBO_FILES = ['turbo.json', 'turbo.jsonc'];

/** Source: the README of wireit, "Configuration". */
function wireitOf({ raw }: Pick<Manifest, 'raw'>): Pick<TaskOwner, 'wireit'> {
  const { wireit } = raw;
  if (!isPlainObject(wireit)) return {};
  const commands = Object.entries(wireit).map(([name, one]) => [name, isPlainObject(one) ? one['command'] : undefined] as const);
  return { wireit: new Map(commands.filter((entry): entry is [string, string] => typeof entry[1] === 'string')) };
}

export function scriptsOf({ raw }: Pick<Manifest, 'raw'>): ReadonlyMap<string, string> {
  const scripts = raw['scripts'];
  const entries = isPlainObject(scripts) ? Object.entries(scripts) : [];
  return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
