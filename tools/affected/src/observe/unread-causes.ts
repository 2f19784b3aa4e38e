import { isDocument } from '../check/file-kinds.js';

/** Dependencies, and settings of git, Yarn, turborepo, CI, containers and version managers: they affect a test that never opens them. */
const UNREAD =
  /^package\.json$|(^|\/)node_modules(\/|$)|(^|\/)(\.gitattributes|\.gitmodules|turbo\.jsonc?|([Dd]ocker|[Cc]ontainer)file[^/]*)$|^(nx|lerna|devbox)\.json$|^[^/]*\.(ya?ml|toml|nix|lock|env|tf)$|^(Jenkinsfile|Brewfile|Vagrantfile|Procfile|Tiltfile)[^/]*$/;

/**
 * Returns why a change may affect a test that has not read the file; `undefined` if it affects only readers. Hidden root files are usually
 * settings of something that runs before the tests.
 */
export function findUnreadCause({
  path,
  isSubmodule,
  isInWorkspace,
}: {
  readonly path: string;
  readonly isSubmodule: boolean;
  readonly isInWorkspace: boolean;
}): string | undefined {
  if (path.startsWith('../')) return `${path}, outside the project, changed`;
  if (isSubmodule) return `the submodule ${path} changed`;
  if (UNREAD.test(path) || (!isInWorkspace && path.startsWith('.'))) return `${path} changed, which acts without being read`;
  if (!isInWorkspace && CAPITAL.test(path) && !isDocument(path) && programFor(path) === undefined)
    return `${path} changed, which a program may find by itself`;
  return undefined;
}

/** Of the root, such as a Gemfile. */
const CAPITAL = /^[A-Z][^./]*$/;

/** Returns the program that finds a file by itself. */
export function programFor(name: string): string | undefined {
  return PROGRAMS.find(([pattern]) => pattern.test(name))?.[1];
}

/** Tells whether a word is such a program. */
export function isProgramWithFile(word: string): boolean {
  return PROGRAMS.some(([, program]) => program === word);
}

/** Programs that find their file by themselves. */
const PROGRAMS: readonly (readonly [RegExp, string])[] = [
  [/^(gnu)?makefile$|\.mk$/i, 'make'],
  [/^justfile$/i, 'just'],
  [/^taskfile/i, 'task'],
  [/^rakefile$/i, 'rake'],
  [/^gruntfile/i, 'grunt'],
  [/^gulpfile/i, 'gulp'],
  [/^cmakelists\.txt$|\.cmake$/i, 'cmake'],
  [/\.prisma$/i, 'prisma'],
  [/\.gradle(\.kts)?$/i, 'gradle'],
  [/^pom\.xml$/i, 'mvn'],
  [/^build\.xml$/i, 'ant'],
  [/\.gemspec$/i, 'bundle'],
  [/^setup\.(py|cfg)$/i, 'pip'],
  [/^noxfile\.py$/i, 'nox'],
  [/\.(bazel|bzl)$/i, 'bazel'],
  [/\.(sln|csproj|props|targets)$/i, 'dotnet'],
];

/** Tells whether a file may start or read others before tests run; data and documents do not. */
export function mayRun(path: string): boolean {
  return !path.endsWith('.json') || /(^|\/)package\.json$/.test(path);
}
