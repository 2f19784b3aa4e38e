import { isPlainObject } from '@tributary/model/plain-object';
import type { Manifest } from '@tributary/workspaces/manifest';
import { isUnreadKey } from '@tributary/workspaces/root-manifest-diff';
import { findScriptCallers, withScriptCallers } from '@tributary/workspaces/root-scripts';
import { kindOfTask } from '@tributary/workspaces/task-kinds';
import type { Scene } from './scene.js';

/** How root scripts can use a file. */
export interface ScriptUse {
  /** Tells whether a text mentions the file. */
  readonly isMention: (text: string) => boolean;
  /** Tells whether a script without a kind of task in its name is irrelevant for all tasks. */
  readonly isHarmless?: (script: string) => boolean;
  /** Tells whether tasks of the requested kind can see the output of build scripts. */
  readonly seesBuilds: () => Promise<boolean>;
}

/**
 * Returns the workspaces whose scripts lead to a root script that uses a file. `unknown` if it may be relevant otherwise: through the
 * root's own tests or builds, an install, a task of turborepo, a script with an unclear name, or another key of the manifest.
 */
export async function findScriptUsers(scene: Scene, use: ScriptUse): Promise<'unknown' | readonly number[]> {
  const { rootManifests } = scene;
  if (rootManifests.some((manifest) => otherTexts(scene, manifest).some(use.isMention))) return 'unknown';
  const scripts = rootManifests.flatMap(scriptsOf).filter(([, text]) => use.isMention(text));
  return findUsersOf(scene, [...new Set(scripts.map(([name]) => name))], use);
}

/** Returns the same for scripts by name. */
async function findUsersOf(scene: Scene, scripts: readonly string[], use: ScriptUse): Promise<'unknown' | readonly number[]> {
  const { rootManifests } = scene;
  const names = withScriptCallers(scripts, rootManifests);
  if (names.length === 0) return [];
  for (const name of names) if (await mayMatter(scene, name, use)) return 'unknown';
  const [tasks, project] = [await scene.rootTasks(), await scene.project()];
  if (tasks === undefined || names.some((name) => tasks.includes(`//#${name}"`)) || project === undefined) return 'unknown';
  const [base, head] = rootManifests as readonly [Manifest, Manifest];
  return findScriptCallers(names, { base, head, workspaces: project.workspaces }).flatMap(({ workspace }) => scene.owners(workspace.path));
}

export type Scripts = readonly (readonly [name: string, text: string])[];

export function scriptsOf({ raw }: Pick<Manifest, 'raw'>): Scripts {
  const { scripts } = raw;
  return isPlainObject(scripts) ? Object.entries(scripts).filter((entry): entry is [string, string] => typeof entry[1] === 'string') : [];
}

/** Returns the texts of all keys of a manifest, except scripts, that tasks of this kind may read. */
export function otherTexts({ kind }: Scene, { raw }: Pick<Manifest, 'raw'>): readonly string[] {
  const keys = Object.entries(raw).filter(([key]) => key !== 'scripts' && !isUnreadKey(key, kind));
  return keys.map(([key, value]) => JSON.stringify({ [key]: value }));
}

async function mayMatter({ kind }: Scene, script: string, { isHarmless, seesBuilds }: ScriptUse): Promise<boolean> {
  if (ON_INSTALL.test(script)) return true;
  const other = kindOfTask(script);
  if (other === kind) return true;
  if (other === 'build') return seesBuilds();
  return other === 'other' && isHarmless?.(script) !== true;
}

const ON_INSTALL = /^(?:pre|post)?(?:install|prepare)$|^dependencies$/;

/** Returns the root scripts that lead to no task of the requested kind; `undefined` if the manifests are unreadable. */
export async function harmlessScripts(scene: Scene): Promise<ReadonlySet<string> | undefined> {
  const harmless = new Set<string>();
  for (const [script] of scene.rootManifests.flatMap(scriptsOf)) {
    const use = { isMention: () => false, seesBuilds: async () => true };
    const users = await findUsersOf(scene, [script], use);
    if (users !== 'unknown' && users.length === 0) harmless.add(script);
  }
  return harmless;
}
