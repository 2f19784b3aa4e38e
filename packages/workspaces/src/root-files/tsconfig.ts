import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import { isPlainObject } from '@tributary/model/plain-object';
import { parentFolder, resolveFolder } from '../folders.js';
import { readJsonWithComments } from '../json.js';
import { changedKeys } from '../same-value.js';

/** A parsed tsconfig.json. */
export type TsConfig = Readonly<Record<string, unknown>>;

/** Parses a tsconfig.json, which may have comments; `undefined` if it is not a JSON object. Never throws. */
export function readTsConfig(text: string): TsConfig | undefined {
  if (text.trim() === '') return {};
  const reading = readJsonWithComments(text);
  return 'value' in reading && isPlainObject(reading.value) ? reading.value : undefined;
}

/** Returns the changed keys, sorted, without those that the compiler does not read. */
export function changedTsKeys(base: TsConfig, head: TsConfig): readonly string[] {
  return changedKeys(base, head, () => 'counts').filter((key) => !NO_EFFECT.has(key));
}

const NO_EFFECT: ReadonlySet<string> = new Set(['$schema', '_version', 'display', 'docs', '//']);

/**
 * Returns the configuration files that `references` names, relative to the project root. `undefined` if the key is not a list of only paths
 * inside the project.
 */
export function referencesOf(config: TsConfig, file: RepoPath): readonly RepoPath[] | undefined {
  const { references = [] } = config;
  if (!Array.isArray(references)) return undefined;
  const paths = references.map((one: unknown) => {
    if (!isPlainObject(one) || typeof one['path'] !== 'string' || Object.keys(one).length !== 1) return undefined;
    return configAt(parentFolder(file), one['path']);
  });
  return paths.every((path) => path !== undefined) ? paths : undefined;
}

function configAt(folder: RepoFolder, written: string): RepoPath | undefined {
  const path = resolveFolder(folder, written);
  if (path === undefined) return undefined;
  const name = path === '' ? 'tsconfig.json' : `${path}/tsconfig.json`;
  return (path.endsWith('.json') ? path : name) as RepoPath;
}

/** How a text mentions a configuration file of the root. */
export interface ConfigMention {
  /** With a path before the name that may lead to the root: `../tsconfig.base.json`. */
  readonly fromElsewhere: boolean;
  /** As a bare name, or in the same folder: `./tsconfig.base.json`. */
  readonly fromHere: boolean;
}

/** Finds mentions of a configuration file in a text; `extends` may omit `.json`. A computed name may be any file. */
export function findConfigMention(text: string, name: string): ConfigMention {
  const stem = name.replace(/\.json$/, '');
  const found = { fromElsewhere: COMPUTED.test(text), fromHere: false };
  for (let at = text.indexOf(stem); at >= 0; at = text.indexOf(stem, at + 1)) {
    const before = /[^\s"'`,;=:()]*$/.exec(text.slice(Math.max(0, at - 200), at))?.[0] ?? '';
    const after = text.slice(at + stem.length, at + stem.length + 7).replace(/^\.json/, '');
    // It is part of another name, such as tsconfig.base.test.json.
    if (/[\w-]$|\w\.$/.test(before) || /^(?:[\w-]|\.\w)/.test(after)) continue;
    if (before === '' || before === './') found.fromHere = true;
    else found.fromElsewhere = true;
  }
  return found;
}

/** `tsconfig.*.json`, `tsconfig.${kind}.json`, `'tsconfig.' + kind`. */
const COMPUTED = /[tj]sconfig[-.]?(?:\*|\{|\$|['"`]\s*\+)/;

/** Returns texts that find every mention of a configuration file, including a computed one: each mention contains one of them. */
export function mentionTexts(name: string): readonly string[] {
  const kind = name.slice(0, 'tsconfig'.length);
  return [
    name.replace(/\.json$/, ''),
    ...['*', '.*', '-*', '{', '.{', '-{', '$', '.$', '-$', ".'", '."', '.`', "-'", '-"', '-`'].map((end) => `${kind}${end}`),
  ];
}
