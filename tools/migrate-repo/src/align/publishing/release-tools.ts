/** A program that publishes packages. */
export interface ReleaseTool {
  readonly name: string;
  /** The program that creates the archive it uploads. */
  readonly packer: 'yarn' | 'npm';
  /** The packages that contain it; by default the one with its name. */
  readonly packages?: readonly string[];
  /** Matches it in a single command of a script or workflow. */
  readonly command: RegExp;
  /** A script that only this tool runs. */
  readonly script?: string;
  /** A field of package.json with its settings. */
  readonly field?: string;
  /** Matches one of the keys of that field, if other tools have one with its name. */
  readonly key?: RegExp;
  /** Its settings files, relative to the folder of the package. */
  readonly settings?: RegExp;
}

/** All of them except Yarn pack with npm, or with a package manager that the monorepo does not have. */
export const RELEASE_TOOLS: readonly ReleaseTool[] = [
  {
    name: 'semantic-release',
    packer: 'npm',
    command: /\bsemantic-release(?:-action)?(?![-/\w])/,
    field: 'release',
    key: /^(?:branch(?:es)?|extends|plugins|preset|repositoryUrl|tagFormat|debug|ci|dryRun|analyzeCommits|generateNotes|verify\w+|prepare|publish|success|fail)$/,
    settings: /^(?:\.releaserc(?:\.\w+)?|release\.config\.\w+)$/,
  },
  { name: 'release-it', packer: 'npm', command: /\brelease-it\b/, field: 'release-it', settings: /^\.release-it\.\w+$/ },
  {
    name: 'np',
    packer: 'npm',
    command: /^(?:-\s*)?(?:run:\s*)?(?:(?:npx|(?:yarn|pnpm)(?: dlx| exec)?|npm exec)\s+)?np(?=[\s@]|$)/,
    field: 'np',
    settings: /^\.np-config\.\w+$/,
  },
  {
    name: 'changesets',
    packer: 'npm',
    packages: ['@changesets/cli'],
    command: /\bchangeset publish\b|\bchangesets\/action\b/,
    settings: /^\.changeset\/config\.json$/,
  },
  { name: 'lerna', packer: 'npm', command: /\blerna publish\b/, settings: /^lerna\.json$/ },
  { name: 'pnpm', packer: 'npm', packages: [], command: /\bpnpm (?:-\S+ )*publish\b/ },
  {
    name: 'npm',
    packer: 'npm',
    packages: [],
    command: /^(?!.*\byarn\s).*\bnpm (?:-\S+ )*publish\b|\bnpm-publish@/,
    script: 'prepublishOnly',
  },
  { name: 'Yarn', packer: 'yarn', packages: [], command: /\byarn (?:.*\s)?npm publish\b/ },
];
