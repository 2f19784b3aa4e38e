import type { TracedProgram } from './processes.js';

/** Programs that read a repository for themselves, to find out what to run. */
const TOOL_PROGRAM = /\/(git|turbo|watchman)$/;
/** Scripts of package managers. Includes the folder, because a project file may have the same name. */
const TOOL_SCRIPT =
  /\/(\.yarn\/releases\/yarn-[\w.-]+\.c?js|(corepack|yarn(-[\w.]+)?|cli-dist|pnpm|npm)\/([\w.-]+\/)*(yarn|corepack|np[mx]-cli|pnpm)\.c?js)$|^\/usr\/(local\/)?(bin|lib|share)\/yarn(-[\w.]+)?\.c?js$/;
/** Folders of a project in which package managers may be: packages, `.yarn`, caches. */
const INSTALLED = /\/(node_modules|\.[^/]+)\//;
/** What Node reads before its script: files of the system, settings, and the files that affected lets it load. */
const BEFORE_SCRIPT = /^\/(proc|sys|dev|etc)\/|^\/usr\/(?!.*\.[cm]?js$)|\.(json|cnf)$|\.so[\d.]*$|\/(task|reports|trace)-hook\.cjs$/;

/**
 * Tells whether a file makes the program that reads it a package manager: it is the script of one, and the first file that the program
 * reads. A test may read or load the same file later. `project`: a folder whose own files are none.
 */
export function startsTool(program: TracedProgram, path: string, project?: string): boolean {
  if (program.hasScript || BEFORE_SCRIPT.test(path)) return false;
  program.hasScript = true;
  return TOOL_SCRIPT.test(path) && !isOwn(path, project);
}

/** Tells whether a program is git, turborepo or watchman, and not a file of the project with such a name. */
export function isToolProgram(path: string, project?: string): boolean {
  return TOOL_PROGRAM.test(path) && !isOwn(path, project);
}

function isOwn(path: string, project: string | undefined): boolean {
  return project !== undefined && path.startsWith(`${project}/`) && !INSTALLED.test(path.slice(project.length));
}
