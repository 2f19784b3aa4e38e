import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import type { SettingPath } from '../reference.js';
import { readBabel } from './babel.js';
import { readApiExtractor, readLerna, readTypedoc } from './builders.js';
import { readCommands } from './commands.js';
import { readCompose } from './compose.js';
import { readDataText, readStyle } from './data-texts.js';
import { readDockerfile } from './dockerfile.js';
import { readJest } from './jest.js';
import { readBiome, readOxlint } from './linters.js';
import { readLiterals } from './literals.js';
import { readManifest, readManifestMembers } from './manifest.js';
import { readNx, readNxProject } from './nx.js';
import { readCypress, readStryker, readVitestWorkspace } from './test-tools.js';
import { type KeyedKind, toolOfCode, toolOfData } from './tools.js';
import { readTurbo } from './turbo.js';
import { readTypeScript, readTypeScriptMembers } from './typescript.js';
import { readYarn } from './yarn.js';

/** A kind of files that are read as text. */
export interface TextKind {
  readonly readText: (text: string, folder: RepoFolder) => readonly SettingPath[];
}

/** Files with commands: a shell script, a Makefile, a CI file. */
export const COMMANDS: TextKind = { readText: readCommands };

/** The names of files that are data, without folder; the first that matches counts. Of those at the end, no tool is known. */
const DATA: readonly (readonly [names: RegExp, kind: KeyedKind | TextKind])[] = [
  [/^package\.json$/, { read: readManifest, readMembers: readManifestMembers }],
  [/^[jt]sconfig[^/]*\.json$/, { read: readTypeScript, readMembers: readTypeScriptMembers }],
  [/^turbo\.jsonc?$/, { read: readTurbo }],
  [/^jest[^/]*\.json$/, { read: readJest }],
  [/^vitest\.(workspace|projects)\.json$/, { read: readVitestWorkspace }],
  [/^babel\.config\.json$/, { read: readBabel, isJson5: true }],
  [/^cypress\.json$/, { read: readCypress }],
  [/^\.?stryker\.conf(ig)?\.json$/, { read: readStryker }],
  [/^\.?biome\.jsonc?$/, { read: readBiome }],
  [/^(\.oxlintrc|oxlintrc)\.jsonc?$/, { read: readOxlint }],
  [/^typedoc(\.[\w-]+)?\.jsonc?$/, { read: readTypedoc }],
  [/^api-extractor[^/]*\.json$/, { read: readApiExtractor }],
  [/^lerna\.json$/, { read: readLerna }],
  [/^nx\.json$/, { read: readNx }],
  [/^project\.json$/, { read: readNxProject }],
  [/^\.yarnrc\.yml$/, { read: readYarn }],
  [/^(docker-)?compose([.-][^/]*)?\.ya?ml$/, { read: readCompose }],
  [/^((Dockerfile|Containerfile)(\.(?!dockerignore$)[^/]*)?|[^/]*\.(dockerfile|containerfile))$/i, { readText: readDockerfile }],
  [/\.(sh|bash|zsh|ksh|bat|cmd|ps1|mk)$|^((GNUm|M|m)akefile|Jenkinsfile[^/]*|\.?justfile|[^/]+\.just)$/i, COMMANDS],
  [/^(\.gitlab-ci[^/]*|azure-pipelines[^/]*|\.travis|bitbucket-pipelines|\.?appveyor|\.cirrus|\.drone)\.ya?ml$/, COMMANDS],
  [/^\.parcelrc(\.json)?$/, { readText: (text, folder) => readLiterals(text, folder) }],
  [/\.(json[5c]?|ya?ml|toml|ini|cfg|conf|properties|xml)$|^\.env(\.[\w.-]+)?$/, { readText: readDataText }],
  [
    /\.(py|rb|php|pl|lua|rs|go|sol|c|cc|cpp|hh?|hpp|mm?|swift|kts?|gradle|podspec|coffee|tf|sql|gypi?|cmake)$|^(go\.(mod|work)|Gemfile|Podfile|Rakefile|CMakeLists\.txt|requirements[\w-]*\.txt)$/,
    { readText: readDataText },
  ],
  [/\.(css|pcss|scss|sass|less|styl)$/, { readText: readStyle }],
  [/\.(html?|hbs|ejs|pug|njk|liquid|graphql|gql|proto|prisma)$/, { readText: readDataText }],
  [/^[a-z][\w-]*$/, { readText: (text, folder) => (text.startsWith('#!') ? readCommands(text, folder) : []) }],
];

/** What Yarn writes when it installs: packages, itself, and the map of Plug'n'Play, which names all packages. */
export const INSTALLED = /(^|\/)(\.yarn|node_modules)\/|(^|\/)\.pnp\.[^/]*$/;

/** Returns the kind of a settings file that is data; `undefined` for other files, and for those that Yarn installed. */
export function settingsKind(path: RepoPath): KeyedKind | TextKind | undefined {
  if (INSTALLED.test(path)) return undefined;
  if (/^\.(github|gitlab|circleci|buildkite)\/.*\.ya?ml$/.test(path)) return COMMANDS;
  const name = path.slice(path.lastIndexOf('/') + 1);
  return toolOfData(name) ?? DATA.find(([names]) => names.test(name))?.[1];
}

/** Returns the kind of settings in code (`isCodeSettings`); `undefined` for those of bundlers and unknown tools. */
export function codeSettingsKind(path: RepoPath): KeyedKind | undefined {
  return toolOfCode(path.slice(path.lastIndexOf('/') + 1));
}
