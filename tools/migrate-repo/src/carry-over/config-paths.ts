import { lineAt } from '@tributary/model/file-text';
import { resolveFolder } from '@tributary/workspaces/folders';
import type { Message } from '../message.js';
import { someOf } from '../text.js';
import type { RuleSubject } from './rule.js';

/** Returns decisions about paths in a settings file at the top of a package; empty if the paths are valid anywhere. */
export function pathDecisions(subject: RuleSubject, file: string): readonly Message[] {
  const text = subject.read(file) ?? '';
  // From the top of its own repository, a path that leaves the monorepo led nowhere.
  const wasTop = subject.importedPackage.formerRoot === undefined;
  const found = outsidePaths(text).filter(({ path }) => !wasTop || resolveFolder(subject.importedPackage.path, path) !== undefined);
  const outside = found.map(({ path, line }) => `\`${path}\` in line ${line}${placeOf(subject, path)}`);
  // Only editors use the address of a schema.
  const modules = linesWith(text.replace(/"\$schema"\s*:\s*"[^"]*"/g, ''), MODULES);
  return [
    ...(outside.length === 0 ? [] : [{ topic: 'behaviour' as const, text: OUTSIDE, detail: someOf(outside) }]),
    ...(modules.length === 0 ? [] : [{ topic: 'behaviour' as const, text: INTO_MODULES, detail: `line ${modules.join(', ')}` }]),
  ];
}

export const OUTSIDE = 'It has a path outside the package: check that it still leads to the same file.';
const INTO_MODULES = 'It has a path into node_modules: packages are now in the node_modules of the root.';

/** A quoted text that begins with two dots leaves the folder of its file. The key of an alias, in a map or a list, is a name. */
const LEAVING = /(?:[{,]\s*)?(?<!\bfind:\s*)(["'`])(\.\.(?:\/[^"'`\n]*)?)\1(\s*:)?/g;

/** Blanks out comments. Other ones than those that begin a line might be parts of a text, such as a glob. */
function withoutComments(text: string): string {
  return text.replace(/^[ \t]*(?:\/\/.*|\/\*[\s\S]*?\*\/)/gm, (comment) => comment.replace(/[^\n]/g, ' '));
}

function outsidePaths(text: string): readonly { readonly path: string; readonly line: number }[] {
  const found = [...withoutComments(text).matchAll(LEAVING)]
    .filter(({ 0: whole, 3: colon }) => colon === undefined || !/^[{,]/.test(whole))
    .map(({ 0: whole, 2: path = '', index }) => ({ path, line: lineAt(text, index + whole.search(/["'`]/)) }));
  return found.filter(({ path }, at) => found.findIndex((other) => other.path === path) === at);
}

/** Returns a clause about a path's target. A name may omit its extension. */
export function placeOf({ importedPackage, monorepo }: Pick<RuleSubject, 'importedPackage' | 'monorepo'>, path: string): string {
  const target = resolveFolder(importedPackage.path, path);
  if (target === undefined) return ', which is outside the repository';
  const isThere = monorepo.paths.some((one) => one === target || one.startsWith(`${target}.`) || one.startsWith(`${target}/`));
  return target === '' || isThere ? '' : ', which does not exist';
}

/** `./node_modules/x`, `<rootDir>/node_modules/x`. An expression such as `/node_modules/(?!x)` matches names, and is fine. */
const MODULES = /(?:^|["'`\s=(,:])(?:\.{1,2}\/|<rootDir>\/|\$\{\w+\}\/)*node_modules\/[@.\w-]/;

/** Returns the numbers of matching lines, counted from 1. */
function linesWith(text: string, pattern: RegExp): readonly number[] {
  return text.split('\n').flatMap((line, index) => (pattern.test(line) ? [index + 1] : []));
}

/** Whether a command or a setting has a path into node_modules. */
export function namesModules(text: string): boolean {
  return MODULES.test(text);
}
