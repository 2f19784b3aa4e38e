import { isPlainObject } from '@tributary/model/plain-object';
import { resolveFolder } from '@tributary/workspaces/folders';
import type { Manifest } from '@tributary/workspaces/manifest';
import { kindOfTask } from '@tributary/workspaces/task-kinds';
import type { Scene } from './scene.js';
import { scriptsOf } from './scripts.js';

/**
 * Tells whether tests may run on build output: a task of turborepo or nx depends on another one, a test script builds first, or an entry
 * file of a workspace is not in git.
 */
export async function canTestsSeeBuilds(scene: Scene): Promise<boolean> {
  const [tasks, project] = [await scene.mentions(['dependsOn']), await scene.project()];
  if (tasks === undefined || project === undefined || tasks.some((path) => TASKS.test(path))) return true;
  const tracked = new Set<string>(project.tracked().map(({ path }) => path));
  return project.workspaces.some(
    ({ path, manifest }) =>
      scriptsOf(manifest).some(([name, text]) => isOfTests(name) && BUILDS.test(text)) ||
      entriesOf(manifest).some((entry) => !tracked.has(resolveFolder(path, entry) ?? '')),
  );
}

const TASKS = /(?:^|\/)(?:turbo\.jsonc?|nx\.json|project\.json|package\.json)$/;
const BUILDS = /build|bundle|compile|dist|tsc|transpile/;

function isOfTests(script: string): boolean {
  return kindOfTask(script.replace(/^(?:pre|post)/, '')) === 'test' || kindOfTask(script) === 'other';
}

function entriesOf({ raw }: Manifest): readonly string[] {
  return ENTRIES.flatMap((key) => textsIn(raw[key]));
}

const ENTRIES = ['main', 'module', 'browser', 'exports', 'bin', 'types', 'typings', 'typesVersions'];

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) || isPlainObject(value) ? Object.values(value).flatMap(textsIn) : [];
}
