import type { Risk } from './result/result.js';
/**
 * The kinds of decisions, in the order of a report: what breaks or may break comes first. `none`: everything works, and
 * only preferences differ.
 */
export const RISKS: readonly Risk[] = ['installation', 'requests', 'builds', 'code', 'publishing', 'versions', 'behaviour', 'none'];

/** A decision for a person, in Markdown: one sentence, the default, and how to change it. */
export interface DecisionText {
  readonly text: string;
  /** What happens without an answer, as a sentence; `null` if the text says it. */
  readonly byDefault: string | null;
  /** A command, or a line and the file to write it in; `null` if the text says it. */
  readonly toChange: string | null;
  readonly risk: Risk;
  /** The input of the id. Needed if the text after an installation may say more than before it. */
  readonly about?: string;
}

/**
 * Decisions that are asked once for all packages, files and settings that they concern. The texts may change, but not
 * the names, which answers in tributary.json refer to.
 */
export const TOPICS = {
  unresolvable: {
    text: 'Yarn cannot resolve dependencies of these packages, so `yarn install` fails.',
    byDefault: 'The ranges are unchanged.',
    toChange: 'Write a range that Yarn can resolve into each package.json.',
    risk: 'installation',
  },
  'install-scripts': {
    text: 'Scripts of these packages run in every `yarn install` of the monorepo.',
    byDefault: 'They stay. migrate-repo runs them only with `--tests` or `--run-scripts`.',
    toChange: 'Remove each script, or rename it and call it where it is needed.',
    risk: 'installation',
  },
  requests: {
    text: 'Packages require each other in versions that the monorepo does not have.',
    byDefault: 'They come from the registry, in addition to the workspaces.',
    toChange: '`migrate-repo … --internal all` links all of them. A wider range in the package.json links one.',
    risk: 'none',
  },
  peers: {
    text: 'Packages have peer dependencies whose ranges exclude the workspaces of that name.',
    byDefault: 'The ranges are unchanged. Yarn only warns.',
    toChange: 'Write a range that admits the workspace into the package.json.',
    risk: 'requests',
  },
  placeholders: {
    text: 'Releases set the versions of these packages; their package.json has a placeholder.',
    byDefault: 'Ranges were compared with the newest release tag, and use the workspaces through `resolutions` of the root.',
    toChange: 'Remove a line from `resolutions`, then `yarn install`: that dependency gets the published version.',
    risk: 'requests',
  },
  'not-built': {
    text: 'Other packages load files of these packages that exist only after a build.',
    byDefault: 'Their dependents keep the published versions.',
    toChange: '`migrate-repo … --internal all` links the workspaces, or `--run-scripts` where builds may run. Build them first then.',
    risk: 'none',
  },
  'built-elsewhere': {
    text: 'Other packages cannot load these packages from their workspaces: their builds put the entry points into another folder.',
    byDefault: 'Their dependents keep the published versions.',
    toChange: 'Name an entry point that the build makes, such as `"main": "./dist/index.js"`, in the package.json of the workspace.',
    risk: 'none',
  },
  forced: {
    text: 'Packages get workspaces whose versions their ranges exclude.',
    byDefault: 'They use the workspaces because of `--internal all`.',
    toChange: '`migrate-repo … --internal admitted`, or `"migrate": { "internal": { "convert": "admitted" } }` in tributary.json.',
    risk: 'requests',
  },
  missing: {
    text: 'Packages use dependencies that no package.json provides.',
    byDefault: 'Nothing was declared, because no version is certain.',
    toChange: '`yarn workspace <package> add <dependency>`, or `packageExtensions` in the .yarnrc.yml of the root for a peer.',
    risk: 'requests',
  },
  'build-scripts': {
    text: 'Dependencies have build scripts, which Yarn does not run here.',
    byDefault: 'The scripts do not run, so what they build is missing.',
    toChange:
      '`"dependenciesMeta": { "<name>": { "built": true } }` in the root package.json, or `enableScripts: true` in .yarnrc.yml; then `yarn install`.',
    risk: 'builds',
  },
  credentials: {
    text: 'Files seem to contain a credential, which is also in the history.',
    byDefault: 'Files that stay were not changed. No credential is shown here.',
    toChange: 'Revoke each credential where it was issued, and use a secret instead.',
    risk: 'code',
  },
  releases: {
    text: 'Releases and publishing are configured for a repository with one package.',
    byDefault: 'Workflows below the root do not run. The settings of release tools stay in the packages.',
    toChange: 'Run each release tool in the folder of its package, with the name in its tags, such as `<name>@1.2.3`.',
    risk: 'publishing',
  },
  published: {
    text: 'The published packages would differ from before: files are missing, or nobody can install them.',
    byDefault: 'Ignore files and `files` stay as they are.',
    toChange: 'Write the `files` that the report proposes into the package.json.',
    risk: 'publishing',
  },
  'replaced-breaking': {
    text: 'Workspaces replace locked versions, and may not be compatible with them.',
    byDefault: 'Each dependent gets the workspace, which is the newest state.',
    toChange: 'Run the tests. A range that excludes the workspace keeps the old version.',
    risk: 'versions',
  },
  'newer-breaking': {
    text: 'Packages get newer versions than they had locked, and may not be compatible with them.',
    byDefault: 'Each gets the version that the monorepo or another imported package has.',
    toChange: 'Run the tests. An exact version in a package.json keeps the old one.',
    risk: 'versions',
  },
  versions: {
    text: 'Packages require the same dependency in ranges that could not be aligned.',
    byDefault: 'Each keeps its range and its version, so several are installed.',
    toChange:
      '`"migrate": { "versions": { "policy": "highest" } }` in tributary.json raises the lower ones; it never lowers or widens a range. `exceptions` sets it for one dependency, and `"keep"` keeps it without asking again.',
    risk: 'none',
  },
  widened: {
    text: 'Published packages allow their consumers versions that they excluded before.',
    byDefault: 'Each has the range that the monorepo or another imported package has.',
    toChange: 'Restore the old range in the package.json if the package needs it.',
    risk: 'publishing',
  },
  addressed: {
    text: 'Dependencies from git or an archive were resolved again.',
    byDefault: 'Each has the commit to which its address points today.',
    toChange: 'Add the commit to the address in the package.json: `#<commit>`; then `yarn install`.',
    risk: 'versions',
  },
  'install-settings': {
    text: 'Settings of the former package manager have no effect here, or were carried over in part.',
    byDefault: 'The settings of the root apply.',
    toChange: 'Write what is still needed into `resolutions` of the root package.json, or into its .yarnrc.yml.',
    risk: 'behaviour',
  },
  behaviour: {
    text: 'Scripts, paths and settings may work differently in the monorepo.',
    byDefault: 'They stay as they are.',
    toChange: 'Change each line that the report lists.',
    risk: 'behaviour',
  },
  workflows: {
    text: 'Workflows, hooks and services of these packages no longer work: only those of the root do.',
    byDefault: 'Each file stays in its package without effect, or was removed.',
    toChange: 'Add what you still need to the workflows, hooks and settings of the root, then delete the files of the package.',
    risk: 'behaviour',
  },
} as const satisfies Readonly<Record<string, DecisionText>>;

export type TopicId = keyof typeof TOPICS;
