import type { RepoPath } from '@tributary/model/paths';

/** The kinds of settings files that are data. Each has one reader. */
export type SettingsKind =
  | 'manifest'
  | 'typescript'
  | 'turbo'
  | 'jest'
  | 'vitest'
  | 'babel'
  | 'swc'
  | 'eslint'
  | 'mocha'
  | 'coverage'
  | 'cypress'
  | 'stryker'
  | 'biome'
  | 'oxlint'
  | 'stylelint'
  | 'prettier'
  | 'typedoc'
  | 'api-extractor'
  | 'lerna'
  | 'nx'
  | 'nx-project'
  | 'yarn'
  | 'compose'
  | 'dockerfile'
  | 'commands'
  | 'loose';

/** The names of the files, without folder; the first that matches counts. */
const NAMES: readonly (readonly [SettingsKind, RegExp])[] = [
  ['manifest', /^package\.json$/],
  ['typescript', /^[jt]sconfig[^/]*\.json$/],
  ['turbo', /^turbo\.jsonc?$/],
  ['jest', /^jest[^/]*\.json$/],
  ['vitest', /^vitest\.(workspace|projects)\.json$/],
  ['babel', /^(\.babelrc(\.json)?|babel\.config\.json)$/],
  ['swc', /^\.swcrc(\.json)?$/],
  ['eslint', /^\.eslintrc(\.json|\.ya?ml)?$/],
  ['mocha', /^\.mocharc(\.jsonc?|\.ya?ml)?$/],
  ['coverage', /^\.(nycrc|c8rc)(\.json|\.ya?ml)?$/],
  ['cypress', /^cypress\.json$/],
  ['stryker', /^\.?stryker\.conf(ig)?\.json$/],
  ['biome', /^\.?biome\.jsonc?$/],
  ['oxlint', /^(\.oxlintrc|oxlintrc)\.jsonc?$/],
  ['stylelint', /^\.stylelintrc(\.json|\.ya?ml)?$/],
  ['prettier', /^\.prettierrc(\.json5?|\.ya?ml)?$/],
  ['typedoc', /^typedoc(\.[\w-]+)?\.jsonc?$/],
  ['api-extractor', /^api-extractor[^/]*\.json$/],
  ['lerna', /^lerna\.json$/],
  ['nx', /^nx\.json$/],
  ['nx-project', /^project\.json$/],
  ['yarn', /^\.yarnrc\.yml$/],
  ['compose', /^(docker-)?compose([.-][^/]*)?\.ya?ml$/],
  ['dockerfile', /^((Dockerfile|Containerfile)(\.(?!dockerignore$)[^/]*)?|[^/]*\.(dockerfile|containerfile))$/i],
  ['commands', /\.(sh|bash|zsh|ksh|bat|cmd|ps1|mk)$|^((GNUm|M|m)akefile|Jenkinsfile[^/]*)$/],
  ['commands', /^(\.gitlab-ci[^/]*|azure-pipelines[^/]*|\.travis|bitbucket-pipelines|\.?appveyor|\.cirrus|\.drone)\.ya?ml$/],
  ['loose', /^\.(parcelrc|postcssrc)(\.json)?$/],
];

/** Returns the kind of a settings file; `undefined` for other files, and for those that Yarn installed. */
export function settingsKind(path: RepoPath): SettingsKind | undefined {
  if (/(^|\/)(\.yarn|node_modules)\//.test(path)) return undefined;
  if (/^\.(github|gitlab|circleci|buildkite)\/.*\.ya?ml$/.test(path)) return 'commands';
  const name = path.slice(path.lastIndexOf('/') + 1);
  return NAMES.find(([, names]) => names.test(name))?.[0];
}
