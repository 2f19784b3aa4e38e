import type { RepoPath } from '@tributary/model/paths';
import type { Concern, Scene, Verdict } from './scene.js';
import { findScriptUsers, type ScriptUse } from './scripts.js';

/** A root file, and how to recognise its readers. */
export interface Reading {
  readonly file: RepoPath;
  /** The changed part, for the reason. */
  readonly key: string;
  /** Every file that mentions it contains one of these. */
  readonly texts: readonly string[];
  readonly isMention: (text: string, path: RepoPath) => boolean;
  readonly scripts: Omit<ScriptUse, 'isMention'>;
  /** Tells whether a file outside workspaces that mentions it leads to no reader. */
  readonly isHarmless?: (path: RepoPath, texts: readonly string[]) => boolean;
  /** Returns the readers of further root files that stand for the file, and so read it too. */
  readonly follow?: (path: RepoPath, texts: readonly string[]) => Promise<Verdict | undefined>;
}

/**
 * Returns the workspaces that may read a root file: their files mention it, or their scripts call a root script that does. `unknown` if a
 * file outside workspaces mentions it and may be part of what every workspace runs.
 */
export async function findReaders(scene: Scene, reading: Reading): Promise<Verdict> {
  const paths = await scene.mentions(reading.texts);
  if (paths === undefined) return 'unknown';
  const others = paths.filter((path) => path !== reading.file);
  const texts = await scene.read(others);
  const concerns: Concern[] = [];
  for (const [at, path] of others.entries()) {
    const mentioning = (texts[at] ?? []).filter((text) => reading.isMention(text, path));
    const verdict = mentioning.length === 0 ? [] : await judge(scene, reading, { path, texts: mentioning });
    if (verdict === 'unknown') return verdict;
    concerns.push(...verdict);
  }
  return concerns;
}

async function judge(
  scene: Scene,
  reading: Reading,
  { path, texts }: { readonly path: RepoPath; readonly texts: readonly string[] },
): Promise<Verdict> {
  const { key, isMention, scripts, isHarmless, follow } = reading;
  const owners = scene.owners(path);
  if (owners.length > 0) return owners.map((place) => ({ place, key }));
  if (scene.isUnread(path) || LIST_OF_FILES.test(path) || isHarmless?.(path, texts) === true) return [];
  if (path !== 'package.json') return (await follow?.(path, texts)) ?? (isHarmlessWorkflow(path, texts) ? [] : 'unknown');
  const users = await findScriptUsers(scene, { ...scripts, isMention: (text) => isMention(text, path) });
  return users === 'unknown' ? users : users.map((place) => ({ place, key }));
}

/** Files that list what another tool ignores. */
export const LIST_OF_FILES = /^\.[\w-]+ignore$/;

/** Tells whether a workflow cannot run tests. */
function isHarmlessWorkflow(path: string, texts: readonly string[]): boolean {
  return path.startsWith('.github/workflows/') && !texts.some((text) => RUNS_TASKS.test(text));
}

const RUNS_TASKS =
  /(?<![\w-])(?:affected|ava|build|check|ci|cypress|e2e|jest|lint|make|mocha|nx|playwright|spec|tests?|turbo|unit|vitest|wireit)(?![\w-])/i;
