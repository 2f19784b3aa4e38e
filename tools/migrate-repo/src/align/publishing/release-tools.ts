/** A program that publishes packages. */
export interface ReleaseTool {
  readonly name: string;
  /** Who makes the archive that it uploads. */
  readonly packer: 'yarn' | 'npm';
  /** The packages that bring it; by default the one of its name. */
  readonly packages?: readonly string[];
  /** In one command of a script or of a workflow. */
  readonly command: RegExp;
  /** A script that it alone runs. */
  readonly script?: string;
  /** A field of package.json with its settings. */
  readonly field?: string;
  /** Its settings, from the folder of the package. */
  readonly settings?: RegExp;
}

/** Each of them but Yarn packs with npm, or with a package manager that the monorepo does not have. */
export const RELEASE_TOOLS: readonly ReleaseTool[] = [
  {
    name: 'semantic-release',
    packer: 'npm',
    command: /\bsemantic-release(?![-/\w])/,
    field: 'release',
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
