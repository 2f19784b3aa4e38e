import { kindOfTask, type TaskKind } from './task-kinds.js';

/** Websites and development servers: whatever they run, no test and no build comes of it. */
const SITE = /^(?:docs?|documentation|storybook|chromatic|website|site|demo|playground|start|serve|preview)$/;
/** Releases and tidying. */
const RELEASE = /^(?:release|publish|version|changelog|changesets?|canary|nightly|bump|clean|audit|codeowners|copyrights?|licen[cs]es?)$/;

/**
 * Whether what a script of a root package.json runs is apart from tasks of a kind in all workspaces, as far as its name tells: `lint`,
 * `build:docs`, `release`. What is called like a test is not.
 */
export function isApart(script: string, kind: TaskKind): boolean {
  if (kind !== 'test' && kind !== 'build') return false;
  const own = kindOfTask(script);
  if (own === 'lint' || own === 'format') return true;
  const words = script.split(/[:\-_.]/);
  return (
    own !== 'test' &&
    words.some((word) => SITE.test(word) || RELEASE.test(word)) &&
    !words.some((word) => kindOfTask(word) === 'test' || word === 'ci')
  );
}

/**
 * Whether nothing comes of a script that any task reads, as far as its name tells: `clean`, `publish:all`. Not so of websites and servers,
 * which tests in a browser start, nor of linters: a plan may be one of linters.
 */
export function isOfRelease(script: string): boolean {
  const words = script.split(/[:\-_.]/);
  return words.some((word) => RELEASE.test(word)) && !words.some((word) => kindOfTask(word) !== 'other' || word === 'ci');
}

/** Whether a script runs tests, by its name or its text; and what Yarn runs by itself when it installs. */
export function mayTest(script: string, text: string): boolean {
  if (/^(?:(?:pre|post)?install|prepare|prepack|postpack)$/.test(script)) return true;
  const named = script.split(/[:\-_.]/).some((word) => kindOfTask(word) === 'test' || word === 'ci');
  return named || /(?<![\w-])(?:ava|cypress|jest|mocha|playwright|tap|tests?|turbo|vitest)(?![\w-])/.test(text);
}
