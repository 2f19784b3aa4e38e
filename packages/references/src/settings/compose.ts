import type { RepoFolder } from '@tributary/model/paths';
import { resolveFolder } from '@tributary/workspaces/folders';
import type { SettingPath } from '../reference.js';
import type { KeyedText } from './keyed-text.js';
import { pathAt, withFallbacks } from './place.js';
import { readerBy } from './rules.js';

/** Reads the settings of Docker Compose. Source: the Compose specification, `schema/compose-spec.json`. */
export function readCompose(values: readonly KeyedText[], folder: RepoFolder): readonly SettingPath[] {
  const contexts = new Map(values.filter(isContext).map(({ keys, text }) => [keys[1], text]));
  return values.flatMap((value) => {
    const { keys } = value;
    if (keys.at(-1) !== 'dockerfile' || keys[2] !== 'build') return readOthers([value], folder);
    return [pathAt(value, resolveFolder(folder, contexts.get(keys[1]) ?? '.') ?? folder)];
  });
}

/** `services.<name>.build`, `services.<name>.build.context` */
function isContext({ keys }: KeyedText): boolean {
  return keys[0] === 'services' && keys[2] === 'build' && (keys.length === 3 || (keys.length === 4 && keys[3] === 'context'));
}

const readOthers = readerBy(
  [local, 'services.*.build', 'services.*.build.context', 'services.*.build.additional_contexts.*', 'services.*.build.dockerfile'],
  [local, 'services.*.env_file', 'services.*.env_file.*', 'services.*.env_file.*.path', 'services.*.label_file', 'services.*.label_file.*'],
  [local, 'services.*.extends.file', 'services.*.develop.watch.*.path', 'services.*.credential_spec.file'],
  [local, 'configs.*.file', 'secrets.*.file'],
  [local, 'include.*', 'include.*.path', 'include.*.path.*', 'include.*.project_directory', 'include.*.env_file', 'include.*.env_file.*'],
  [mounted, 'services.*.volumes.*', 'services.*.volumes.*.source'],
);

/** A context may also be an address, or `name=path`. */
function local(value: KeyedText, folder: RepoFolder): readonly SettingPath[] {
  const text = withFallbacks(value.text).replace(/^[\w-]+=/, '');
  return text === '' || /^([a-z-]+:\/\/|git@)/.test(text) ? [] : [pathAt({ ...value, text }, folder)];
}

/** `./data:/data:ro`: a source without a leading dot is the name of a volume. */
function mounted(value: KeyedText, folder: RepoFolder): readonly SettingPath[] {
  const [text = ''] = withFallbacks(value.text).split(':');
  return /^\.{1,2}(\/|$)/.test(text) ? [pathAt({ ...value, text }, folder)] : [];
}
