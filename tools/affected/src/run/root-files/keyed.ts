import { isPlainObject } from '@tributary/model/plain-object';
import { readJsonWithComments } from '@tributary/workspaces/json';
import { diffLerna, type Settings } from '@tributary/workspaces/root-files/lerna';
import { diffNx } from '@tributary/workspaces/root-files/nx';
import { changedKeys } from '@tributary/workspaces/same-value';
import { findReaders } from './readers.js';
import type { RootFile, Scene, Verdict } from './scene.js';

/** Judges a lerna.json: it affects nothing if only release keys changed; otherwise, those that read such a key without lerna. */
export async function judgeLerna(scene: Scene, file: RootFile): Promise<Verdict> {
  return judgeKeys(scene, file, async (base, head) => diffLerna(base, head, scene.kind));
}

/** Does the same for nx.json, and the keys of caches, the cloud and releases. */
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

/** Returns `undefined` for an added or deleted file, because another tool runs without it. */
function readSettings(text: string | undefined): Settings | undefined {
  const reading = text === undefined ? undefined : readJsonWithComments(text);
  return reading !== undefined && 'value' in reading && isPlainObject(reading.value) ? reading.value : undefined;
}
