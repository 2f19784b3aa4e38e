import { kindOfTask, type TaskKind } from './task-kinds.js';

/** Websites and development servers, which produce no input of tests and builds. */
const SITE = /^(?:docs?|documentation|storybook|chromatic|website|site|demo|playground|start|serve|preview)$/;
/** Releases and clean-up. */
const RELEASE = /^(?:release|publish|version|changelog|changesets?|canary|nightly|bump|clean|audit|codeowners|copyrights?|licen[cs]es?)$/;

/**
 * Returns whether a script of a root package.json is independent of tasks of a kind in all workspaces, judged by its name: `lint`,
 * `build:docs`, `release`. A name like that of a test is not.
 */
export function isApart(script: string, kind: TaskKind): boolean {
  if (kind !== 'test' && kind !== 'build') return false;
  const words = script.split(/[:\-_.]/);
  const own = kindOfTask(script);
  // `lint:tsconfigs` lints, whatever else its name says. `test:lint` may test.
  const mayRun = words.some((word) => word === 'ci' || ['test', 'build'].includes(kindOfTask(word)));
  if ([own, mayRun ? own : kindOfTask(words[0] ?? '')].some((one) => one === 'lint' || one === 'format')) return true;
  return (
    own !== 'test' &&
    words.some((word) => SITE.test(word) || RELEASE.test(word)) &&
    !words.some((word) => kindOfTask(word) === 'test' || word === 'ci')
  );
}

/**
 * Returns whether a script produces nothing that any task reads, judged by its name: `clean`, `publish:all`. Not so for websites and
 * servers, which browser tests start, nor for linters, because a plan may consist of them.
 */
export function isOfRelease(script: string): boolean {
  const words = script.split(/[:\-_.]/);
  return words.some((word) => RELEASE.test(word)) && !words.some((word) => kindOfTask(word) !== 'other' || word === 'ci');
}
