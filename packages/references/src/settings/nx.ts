import type { RepoFolder } from '@tributary/model/paths';
import type { SettingPath } from '../reference.js';
import type { KeyedText } from './keyed-text.js';
import { moduleAt, pathAt } from './place.js';
import { nothing, readerBy } from './rules.js';
import { readScript } from './script-paths.js';
import { guess } from './short-names.js';

/**
 * Reads a `project.json`, or the block `nx` of a manifest. Names of projects are read as names of packages. Source:
 * `schemas/project-schema.json` of nx 24; paths in options are relative to the root.
 */
export const readNxProject = readerBy(
  [
    projectName,
    'implicitDependencies.*',
    '**.inputs.*.projects',
    '**.inputs.*.projects.*',
    '**.dependsOn.*.projects',
    '**.dependsOn.*.projects.*',
  ],
  [input, '**.inputs.*', '**.inputs.*.fileset', '**.inputs.*.json', 'namedInputs.*.*', 'namedInputs.*.*.fileset', 'namedInputs.*.*.json'],
  [moduleAt, '**.inputs.*.externalDependencies.*', 'namedInputs.*.*.externalDependencies.*'],
  [command, '**.runtime', '**.command', '**.commands.*', '**.commands.*.command'],
  [executor, '**.executor'],
  [fromRoot, 'root', 'sourceRoot'],
  [nothing, 'name', 'tags.*', '**.outputs.*', '**.inputs.*.env'],
  [option, 'targets.*.options.*', 'targets.*.options.*.*', 'targets.*.options.*.*.*'],
  [option, 'targets.*.configurations.*.*', 'targets.*.configurations.*.*.*', 'targets.*.configurations.*.*.*.*'],
);

const readNxDefaults = readerBy(
  [moduleAt, 'extends', 'plugins.*', 'plugins.*.plugin', 'tasksRunnerOptions.*.runner'],
  [projectName, 'implicitDependencies.*', 'implicitDependencies.*.*'],
  [input, '**.inputs.*', '**.inputs.*.fileset', '**.inputs.*.json', 'namedInputs.*.*', 'namedInputs.*.*.fileset', 'namedInputs.*.*.json'],
  [executor, '**.executor'],
);

/** Reads an `nx.json`, whose inputs are those of every workspace. Source: `schemas/nx-schema.json`. */
export function readNx(values: readonly KeyedText[], folder: RepoFolder): readonly SettingPath[] {
  return values.flatMap((value) => {
    const isForAll = value.keys.includes('inputs') || value.keys[0] === 'namedInputs';
    const found = readNxDefaults([value], folder);
    return isForAll ? found.filter(() => value.text.startsWith('{workspaceRoot}')).map((path) => ({ ...path, reader: '*' })) : found;
  });
}

/** `!` excludes a project, and `tag:` and patterns select some. */
function projectName(value: KeyedText, folder: RepoFolder): readonly SettingPath[] {
  return /^(!|tag:|\*|self$|dependencies$)/.test(value.text) ? [] : moduleAt(value, folder, guess);
}

/** Entries without a tag are names of other inputs. A negated entry narrows nothing. */
function input(value: KeyedText, folder: RepoFolder): readonly SettingPath[] {
  return value.text.startsWith('{') ? [pathAt(value, folder)] : [];
}

/** `@acme/tools:build`, `./tools/executors:build` */
function executor(value: KeyedText, folder: RepoFolder): readonly SettingPath[] {
  const [text = ''] = value.text.split(':');
  return text === '' ? [] : moduleAt({ ...value, text }, text.startsWith('.') ? '' : folder);
}

function fromRoot(value: KeyedText): readonly SettingPath[] {
  return [pathAt(value, '')];
}

/** A command starts in the root, or in the folder that `cwd` names. */
function command(value: KeyedText, folder: RepoFolder): readonly SettingPath[] {
  return [...readScript(value, ''), ...(folder === '' ? [] : readScript(value, folder))];
}

function option(value: KeyedText, folder: RepoFolder): readonly SettingPath[] {
  if (!/[./]/.test(value.text) || /[\s:]/.test(value.text)) return [];
  return value.text.startsWith('@')
    ? moduleAt(value, folder, guess)
    : [pathAt(value, value.text.startsWith('{projectRoot}') ? folder : '', 'text')];
}
