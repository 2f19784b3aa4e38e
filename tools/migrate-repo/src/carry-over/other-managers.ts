import { posix } from 'node:path';
import { shellCommandsIn } from '../scripts.js';

/** A command that does something else in a workspace than at the top of a repository. */
export interface MisplacedCommand {
  /** As written, without its arguments: `npm ci`. */
  readonly command: string;
  /** A sentence. */
  readonly effect: string;
  /** What to write in its place. */
  readonly instead: string;
  /** By default `behaviour`. */
  readonly topic?: 'releases';
}

interface Kind extends Pick<MisplacedCommand, 'effect' | 'instead' | 'topic'> {
  /** Matches a command from its start. The first group is what the report shows. */
  readonly matches: RegExp;
}

const NPM = String.raw`npm\s+(?:-\S+\s+)*`;
const PNPM = String.raw`pnpm\s+(?:-\S+\s+)*`;
const END = String.raw`(?![\w:-])`;
const LOCKFILE = 'It takes the whole monorepo for its own: it rewrites node_modules, and may rewrite yarn.lock and add a lockfile.';
const TAKES_ALL = 'It takes the changed files of the whole monorepo.';
const FAILS_THERE = 'Yarn 2 and later fails in a folder with a package.json outside of all workspaces.';
const REWRITES_THERE = 'Yarn 2 and later rewrites a yarn.lock of Yarn 1, and fails in CI instead.';
const UNKNOWN_HERE = 'Yarn 2 and later does not have this command.';

const NPM_KINDS: readonly Kind[] = [
  {
    matches: new RegExp(`^(${NPM}(?:ci|clean-install|ic|install-ci-test|cit)${END})`),
    effect: 'It always fails: the package has no package-lock.json any more.',
    instead: '`yarn install --immutable`',
  },
  {
    matches: new RegExp(`^(${NPM}shrinkwrap${END})`),
    effect: 'Without a package-lock.json, it locks what it finds in node_modules of the whole monorepo, or fails.',
    instead: 'exact versions in package.json',
  },
  {
    matches: new RegExp(`^(${NPM}(?:install-test|it|install|i|in|add|isntall)${END})`),
    effect: LOCKFILE,
    instead: '`yarn install`, or `yarn add` for a package',
  },
  { matches: new RegExp(`^(${NPM}(?:update|up|upgrade|udpate)${END})`), effect: LOCKFILE, instead: '`yarn up`' },
  { matches: new RegExp(`^(${NPM}(?:uninstall|un|remove|rm|unlink)${END})`), effect: LOCKFILE, instead: '`yarn remove`' },
  {
    matches: new RegExp(`^(${NPM}prune${END})`),
    effect: LOCKFILE,
    instead: '`yarn workspaces focus --production`',
  },
  {
    matches: new RegExp(`^(${NPM}(?:dedupe|ddp|link|ln|rebuild|rb)${END})`),
    effect: LOCKFILE,
    instead: '`yarn dedupe`, `yarn link` or `yarn rebuild`',
  },
  {
    matches: new RegExp(`^(${NPM}audit)${END}`),
    effect: 'It always fails: npm audits only a package-lock.json.',
    instead: '`yarn npm audit`',
  },
  {
    matches: new RegExp(`^(${NPM}version)${END}`),
    effect:
      'In a workspace, npm makes neither a commit nor a tag, rewrites yarn.lock in the format of Yarn 1, and adds a package-lock.json.',
    instead: '`yarn version`, then a commit, and a tag such as `<name>@1.2.3`',
  },
];

const PNPM_KINDS: readonly Kind[] = [
  {
    matches: new RegExp(`^(${PNPM}(?:-r|--recursive|--filter|-F|-w|--workspace-root)${END})`),
    effect: 'pnpm does not know the workspaces of Yarn.',
    instead: '`yarn workspaces foreach` or `yarn workspace`',
  },
  {
    matches: new RegExp(
      `^(${PNPM}(?:install|i|add|update|up|upgrade|remove|rm|un|uninstall|prune|dedupe|link|import|fetch|deploy|rebuild)${END}|pnpm$)`,
    ),
    effect: LOCKFILE,
    instead: '`yarn install`, `yarn add`, `yarn up` or `yarn remove`',
  },
  {
    matches: /^(pnpm)\s+(?!publish\b|pack\b|--version\b|-v\b)\S/,
    effect: 'It fails where corepack holds the repository to Yarn, or where pnpm is not installed.',
    instead: '`yarn run`, `yarn exec` or `yarn dlx`',
  },
];

const BUN_KINDS: readonly Kind[] = [
  {
    matches: /^(bun (?:install|i|add|a|update|remove|rm|link))(?![\w:-])/,
    effect: LOCKFILE,
    instead: '`yarn install`, `yarn add`, `yarn up` or `yarn remove`',
  },
];

const YARN_1: Readonly<Record<string, string>> = {
  global: '`yarn dlx`',
  publish: '`yarn npm publish`',
  audit: '`yarn npm audit`',
  login: '`yarn npm login`',
  logout: '`yarn npm logout`',
  tag: '`yarn npm tag`',
  outdated: '`yarn upgrade-interactive`, or `yarn npm info`',
  upgrade: '`yarn up`',
  list: '`yarn info --all`',
  check: '`yarn install --immutable --check-cache`',
  autoclean: 'nothing',
  'generate-lock-entry': 'nothing',
  policies: '`yarn set version`',
  licenses: 'a tool for licences',
  owner: '`npm owner`',
  team: '`npm team`',
};

const YARN_KINDS: readonly Kind[] = [
  ...Object.entries(YARN_1).map(([name, instead]) => ({ matches: new RegExp(`^(yarn ${name})${END}`), effect: UNKNOWN_HERE, instead })),
  {
    matches: /^(yarn version)\s+(?:.*\s)?--(?:new-version|patch|minor|major|prerelease|pre\w+|no-git-tag-version)\b/,
    effect: 'Yarn 2 and later takes the step as an argument, and makes neither a commit nor a tag.',
    instead: '`yarn version <step>`, then a commit, and a tag such as `<name>@1.2.3`',
  },
  {
    matches:
      /^(yarn(?: install)?\s+(?:.*\s)?--(?:pure-lockfile|no-lockfile|production|prod|ignore-engines|ignore-optional|flat|har|link-duplicates|modules-folder)\b)/,
    effect: 'Yarn 2 and later does not have this option, and works on the whole monorepo.',
    instead: '`yarn install --immutable`, or `yarn workspaces focus`',
  },
  {
    matches: /^(yarn\s+(?:.*\s)?--cwd)\b/,
    effect: 'Yarn 2 and later has other options before a command than Yarn 1.',
    instead: '`yarn --cwd <folder> <command>` as the first option, or `yarn workspace`',
  },
];

const GIT_KINDS: readonly Kind[] = [
  {
    matches: /^(git describe)\b/,
    effect: 'It finds the tags of all packages.',
    instead: "a pattern for the tags of this package, such as `--match '<name>@*'`",
  },
  {
    matches: /^(git tag)\s+(?!-[ldnv]|--list|--sort|--points-at|--contains|--merged)\S/,
    effect: 'Tags belong to the whole repository: another package may have or get the same one.',
    instead: 'a tag such as `<name>@1.2.3`',
  },
  {
    matches: /^(git tag\s+(?:-[ln]\d*|--list|--sort\S*|--merged))/,
    effect: 'It lists the tags of all packages.',
    instead: "a pattern for the tags of this package, such as `--list '<name>@*'`",
  },
  {
    matches: /^(git rev-list)\s.*--count\b/,
    effect: 'It counts the commits of the whole monorepo.',
    instead: '`git rev-list --count HEAD -- .`',
  },
  {
    matches: /^(git add\s+(?:.*\s)?(?:-A|--all|-u|--update))(?![\w-])(?!.*\s\.(?:\s|$))/,
    effect: TAKES_ALL,
    instead: 'the same with ` .`',
  },
  {
    matches: /^(git commit\s+(?:.*\s)?(?:-\w*a\w*|--all))(?![\w-])/,
    effect: TAKES_ALL,
    instead: 'the same without `-a`, and with ` -- .`',
  },
  {
    matches: /^(git stash)(?!\s+[a-oq-z]|\s+pop)(?![\w-])(?!.*\s\.(?:\s|$))/,
    effect: TAKES_ALL,
    instead: '`git stash push -- .`',
  },
  {
    matches: /^(git reset\s+(?:.*\s)?--hard)(?![\w-])/,
    effect: 'It discards the changes of the whole monorepo.',
    instead: '`git restore --source=HEAD --staged --worktree .`',
  },
  {
    matches:
      /^(git (?:diff\s+(?:.*\s)?(?:--exit-code|--quiet)|diff-index|status\s+(?:.*\s)?(?:--porcelain|-s|--short)))(?![\w-])(?!.*\s(?:--\s+\S|\.(?:\s|$)))/,
    effect: 'It sees the changed files of the whole monorepo.',
    instead: 'the same with ` -- .`',
  },
  {
    matches: /^(git (?:rev-parse\s+--(?:show-toplevel|git-dir)|ls-files\s+(?:.*\s)?--full-name))/,
    effect: 'It leads to the root of the monorepo, no longer to the package.',
    instead: 'the folder of the package, such as `$PWD` in a script',
  },
  {
    matches: /^(git subtree)\b/,
    effect: 'It runs only at the top of a repository, and its prefix is relative to that.',
    instead: 'the same at the root, with the folder of the package in front of the prefix',
  },
  {
    matches: /^(git push)\s.*(?:--tags|--follow-tags|--mirror|--all)\b/,
    effect: 'It pushes tags or branches of all packages.',
    instead: 'a push that names the branch and the tag',
  },
  {
    matches: /^((?:npx\s+)?gh-pages|git push)\s.*(?:-d\b|--dist\b|\bgh-pages\b)/,
    effect: 'The monorepo has one branch for pages: this overwrites the pages of all other packages.',
    instead: 'one folder for each package, such as `gh-pages --dest <name> --add`',
  },
];

/** Tools that make a version and its tag for the whole repository, unless they are told which package is meant. */
const RELEASE_KINDS: readonly Kind[] = [
  {
    matches:
      /^((?:(?:npx|pnpm exec|pnpm dlx|yarn|yarn run|yarn dlx|yarn exec)\s+(?:-\S+\s+)*)?(?:semantic-release|standard-version|commit-and-tag-version|release-it|np|bumpp|changelogen|changelogithub))(?=[\s@]|$)(?!.*(?:--tag\b|--tag-prefix|--tag-format|-e\s|--extends))/,
    effect: 'Its tags lack the name of the package, or it counts the commits of all packages, unless its settings change that.',
    instead: 'settings with a tag such as `<name>@1.2.3`, and the folder of the package,',
    topic: 'releases',
  },
];

const KINDS = [...RELEASE_KINDS, ...NPM_KINDS, ...PNPM_KINDS, ...BUN_KINDS, ...GIT_KINDS];
/** What stands before the command itself: variables, and programs that start it. */
const BEFORE =
  /^(?:(?:[A-Za-z_]\w*=\S*|cross-env|env|time|sudo|corepack|npx(?:\s+-\S+)*(?=\s+pnpm\s)|exec|then|do|else|if|!|@|-)\s+|[@-](?=\w))*/;

export interface CommandReading {
  /** Whether `yarn` was Yarn 1 at the source. */
  readonly wasYarn1: boolean;
  /** The names of the scripts of the package: `yarn audit` may be one of them. */
  readonly scripts: ReadonlySet<string>;
  /**
   * What a folder of the package is, if it has a package.json and is no workspace. npm started there touches only that
   * folder. Yarn 2 and later fails there without a yarn.lock.
   */
  readonly projectIn: (folder: string) => 'with yarn.lock' | 'with yarn.lock of Yarn 1' | 'without yarn.lock' | undefined;
}

/** Returns the commands of a script that do something else in the monorepo, in order. */
export function misplacedCommands(script: string, reading: CommandReading, start = '.'): readonly MisplacedCommand[] {
  const kinds = reading.wasYarn1 ? [...KINDS, ...YARN_KINDS] : KINDS;
  let folder = start;
  return shellCommandsIn(script).flatMap(({ text }): readonly MisplacedCommand[] => {
    const command = text.replace(BEFORE, '');
    folder = folderAfter(command, folder);
    const place = placeOf(command, folder);
    const isOutside = /^(?:\.\.)?\/|^\.\.$/.test(place);
    const project = isOutside || place === '.' ? undefined : reading.projectIn(place);
    if (/^(?:npm|pnpm)\s/.test(command) && (IS_GLOBAL.test(command) || isOutside || project !== undefined)) return [];
    if (reading.wasYarn1 && /^yarn(?:\s|$)/.test(command) && project !== undefined && project !== 'with yarn.lock') {
      const isLocked = project === 'with yarn.lock of Yarn 1';
      const instead = isLocked ? 'a yarn.lock that Yarn has converted' : 'Yarn after adding the folder to "workspaces" of the root, or npm';
      return [{ command: `yarn in ${place}`, effect: isLocked ? REWRITES_THERE : FAILS_THERE, instead }];
    }
    const [, ofYarn] = /^yarn (?:run )?([\w:.-]+)/.exec(command) ?? [];
    if (ofYarn !== undefined && reading.scripts.has(ofYarn)) return [];
    for (const { matches, ...kind } of kinds) {
      const [, shown] = matches.exec(command) ?? [];
      if (shown !== undefined) return [{ command: shown.replace(/\s+/g, ' '), ...kind }];
    }
    return [];
  });
}

/** Returns the folder after a command, which may be `cd` or `pushd`. */
export function folderAfter(command: string, folder: string): string {
  const [, to = '.'] = /^(?:cd|pushd)\s+([\w@./-]+?)\/?$/.exec(command) ?? [];
  return to.startsWith('/') ? to : posix.join(folder, to);
}

const IS_GLOBAL = /\s(?:-g|--global|--location=global)(?:\s|$)/;

/** Returns the folder in which a package manager works: the one that an option names, else the current one. */
function placeOf(command: string, folder: string): string {
  const [, given = ''] = /\s(?:--prefix|-C|--dir|--cwd)[ =]([\w@./-]+?)\/?(?:\s|$)/.exec(command) ?? [];
  return given.startsWith('/') ? given : posix.join(folder, given);
}
