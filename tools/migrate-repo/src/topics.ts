/** What a decision is about, in the order in which a report has them: what breaks or may break first; `none`: all works, and may be wanted in another way. */
export const RISKS = ['installation', 'requests', 'builds', 'code', 'publishing', 'versions', 'behaviour', 'none'] as const;

export type Risk = (typeof RISKS)[number];

/** A decision that a person takes: one sentence, what was done without an answer, and how that is changed. In Markdown. */
export interface Question {
  readonly text: string;
  /** A sentence. `null`: the text says it. */
  readonly byDefault: string | null;
  /** A command, or the line that is to be written, and where. `null`: the text says it. */
  readonly toChange: string | null;
  readonly risk: Risk;
  /** What the id is made of, where the text may say more behind an installation than before it. */
  readonly about?: string;
}

/** Questions that are put once for all packages, files and settings that they concern. The words may change, the name may not: answers in tributary.json go by it. */
export const TOPICS = {
  unresolvable: {
    text: 'Yarn refuses requests of these packages, so `yarn install` fails.',
    byDefault: 'The requests stay as they are.',
    toChange: 'Write a range that Yarn can resolve into each package.json.',
    risk: 'installation',
  },
  requests: {
    text: 'Packages require each other in versions that the monorepo does not have.',
    byDefault: 'The registry answers these requests, beside the workspaces. Of peers Yarn only warns.',
    toChange: '`migrate-repo … --internal all` links all of them. A wider range in the package.json links one.',
    risk: 'requests',
  },
  placeholders: {
    text: 'Releases write the versions of these packages; their package.json has a placeholder.',
    byDefault: 'Requests were judged by the newest release tag, and lead to the workspaces through `resolutions` of the root.',
    toChange: 'Take a line out of `resolutions`, then `yarn install`: that request gets the published version.',
    risk: 'requests',
  },
  'not-built': {
    text: 'Files that others load of these packages do not exist before a build.',
    byDefault: 'Who requires them keeps the published versions.',
    toChange: '`migrate-repo … --internal all` links the workspaces, or `--run-scripts` where builds may run. Build them first then.',
    risk: 'builds',
  },
  'registry-copies': {
    text: 'Packages of the registry require packages that are workspaces now.',
    byDefault: 'They keep their published copies: .yarnrc.yml says `enableTransparentWorkspaces: false`.',
    toChange: 'Take that line out of .yarnrc.yml, then `yarn install`: they get the workspaces.',
    risk: 'requests',
  },
  forced: {
    text: 'Packages get workspaces whose versions their ranges exclude.',
    byDefault: 'The requests lead to the workspaces, because `--internal all` asks for that.',
    toChange: '`migrate-repo … --internal admitted`, or `"migrate": { "internal": { "convert": "admitted" } }` in tributary.json.',
    risk: 'requests',
  },
  missing: {
    text: 'Packages use dependencies that nothing installs for them.',
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
    text: 'Files hold what looks like a credential, which also stands in the history.',
    byDefault: 'Files that stay were not changed. Nothing is shown here.',
    toChange: 'Revoke each credential where it was issued, and use a secret instead.',
    risk: 'code',
  },
  'workflow-risks': {
    text: 'Workflows are dangerous where they run with the rights and secrets of the monorepo.',
    byDefault: 'They were carried over as they are, and none starts by itself.',
    toChange: 'Change the lines that are named before you put the triggers back.',
    risk: 'code',
  },
  releases: {
    text: 'Releases and publishing are set up for a repository with one package.',
    byDefault: 'No carried workflow starts by itself. The settings of release tools stay in the packages.',
    toChange: 'Run each release tool in the folder of its package, with the name in its tags, such as `<name>@1.2.3`.',
    risk: 'publishing',
  },
  published: {
    text: 'What would be published differs from before, so that files are missing or nobody can install it.',
    byDefault: 'Ignore files and `files` stay as they are.',
    toChange: 'Write the `files` that the report proposes into the package.json.',
    risk: 'publishing',
  },
  'replaced-breaking': {
    text: 'Workspaces take the place of locked versions with which they may not be compatible.',
    byDefault: 'Each gets the newest state, which is the workspace.',
    toChange: 'Run the tests. A range that excludes the workspace keeps the former version.',
    risk: 'versions',
  },
  replaced: {
    text: 'Workspaces take the place of locked versions more than a patch away.',
    byDefault: 'Each gets the newest state, which is the workspace.',
    toChange: 'Run the tests. A range that excludes the workspace keeps the former version.',
    risk: 'versions',
  },
  'newer-breaking': {
    text: 'Packages get newer versions than they had locked, with which they may not be compatible.',
    byDefault: 'Each gets the version that the monorepo or another imported package has.',
    toChange: 'Run the tests. An exact version in a package.json keeps the former one.',
    risk: 'versions',
  },
  newer: {
    text: 'Packages get newer versions than they had locked, more than a patch away.',
    byDefault: 'Each gets the version that the monorepo or another imported package has.',
    toChange: 'Run the tests. An exact version in a package.json keeps the former one.',
    risk: 'versions',
  },
  versions: {
    text: 'Packages require the same dependency in ranges that could not be aligned.',
    byDefault: 'Each keeps its range and its version, so several are installed.',
    toChange:
      '`"migrate": { "versions": { "policy": "highest" } }` in tributary.json raises the lower ones; it never lowers or widens a range. `exceptions` chooses for one, and `"keep"` asks no more.',
    risk: 'versions',
  },
  widened: {
    text: 'Published packages let their consumers get versions that they excluded.',
    byDefault: 'Each has the range that the monorepo or another imported package has.',
    toChange: 'Write the former range into the package.json where the package needs it.',
    risk: 'publishing',
  },
  addressed: {
    text: 'Dependencies from git or an archive were resolved anew.',
    byDefault: 'Each has the commit that its address leads to today.',
    toChange: 'Put the commit behind the address in the package.json: `#<commit>`; then `yarn install`.',
    risk: 'versions',
  },
  'install-settings': {
    text: 'Settings of the former package manager have no effect here, or were carried over in part.',
    byDefault: 'The settings of the root hold.',
    toChange: 'Write what is still needed into `resolutions` of the root package.json, or into its .yarnrc.yml.',
    risk: 'behaviour',
  },
  behaviour: {
    text: 'Scripts, paths and settings may work differently in the monorepo.',
    byDefault: 'They stay as they are.',
    toChange: 'Change each line that the report names.',
    risk: 'behaviour',
  },
  'called-workflows': {
    text: 'Workflows call workflows of other repositories, which cannot be given the folder of a package.',
    byDefault: 'The calls stay as they are, and run at the root.',
    toChange: 'Write the steps into the workflow, with `working-directory`, or give the called workflow an input for the folder.',
    risk: 'behaviour',
  },
  workflows: {
    text: 'The carried workflows start by hand only.',
    byDefault: 'They stand in `.github/workflows` of the root, without their former triggers.',
    toChange: 'Delete those whose work the monorepo already does. In the others, put the triggers back as proposed at the top.',
    risk: 'none',
  },
  'root-files': {
    text: 'Files and settings work at the root of a repository alone.',
    byDefault: 'They stay in the package without effect, or were removed.',
    toChange: 'Carry what you still want over to the root.',
    risk: 'none',
  },
} as const satisfies Readonly<Record<string, Question>>;

export type TopicId = keyof typeof TOPICS;
