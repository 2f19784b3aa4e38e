import { isPlainObject } from '@tributary/model/plain-object';
import { readJsonWithComments } from '@tributary/workspaces/json';
import { diffLerna, type Settings } from '@tributary/workspaces/root-files/lerna';
import { diffNx } from '@tributary/workspaces/root-files/nx';
import { changedKeys } from '@tributary/workspaces/same-value';
import { findReaders } from './readers.js';
import type { RootFile, Scene, Verdict } from './scene.js';

/** Whom a lerna.json counts for: nobody, if only keys of releases changed; else who reads such a key without lerna. */
export async function judgeLerna(scene: Scene, file: RootFile): Promise<Verdict> {
  return judgeKeys(scene, file, async (base, head) => diffLerna(base, head, scene.kind));
}

/** The same for nx.json and the keys of caches, the cloud and releases. */
export async function judgeNx(scene: Scene, file: RootFile): Promise<Verdict> {
  return judgeKeys(scene, file, async (base, head) => {
    const others = (await scene.mentions(['dependsOn']))?.filter(
      (path) => /(?:^|\/)(?:project|package|nx)\.json$/.test(path) && path !== file.path,
    );
    return diffNx(base, head, scene.kind, others?.length === 0 ? 'here alone' : 'elsewhere too');
  });
}

async function judgeKeys(
  scene: Scene,
  { path, base, head }: RootFile,
  diff: (base: Settings, head: Settings) => Promise<readonly string[]>,
): Promise<Verdict> {
  const [before, after] = [readSettings(base), readSettings(head)];
  if (before === undefined || after === undefined) return 'unknown';
  const [first] = changedKeys(before, after, () => 'counts');
  if (first === undefined) return [];
  if ((await diff(before, after)).length > 0) return 'unknown';
  const isMention = (text: string): boolean => text.includes(path);
  return findReaders(scene, { file: path, key: first, texts: [path], isMention, scripts: { seesBuilds: async () => true } });
}

/** A file that comes or goes is not read: without it another tool runs. */
function readSettings(text: string | undefined): Settings | undefined {
  const reading = text === undefined ? undefined : readJsonWithComments(text);
  return reading !== undefined && 'value' in reading && isPlainObject(reading.value) ? reading.value : undefined;
}
