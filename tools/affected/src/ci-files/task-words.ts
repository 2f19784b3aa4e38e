import { kindOfTask, type TaskKind } from '@tributary/workspaces/task-kinds';
import type { Line } from './workflow-text.js';

/** What calls scripts of package.json, or programs of packages. */
export const MANAGER =
  /(?<![\w.-])(?:yarn|npm|npx|pnpm|pnpx|bunx?|corepack|node|run-[sp]|npm-run-all2?|concurrently|lerna|turbo|nx|wsrun|ultra|wireit)(?![\w.-])/;

/** A line that writes words, and runs nothing. */
export function isPrinting(line: string): boolean {
  return /^\s*(?:echo|printf)\s(?!.*(?:[|;`]|&&|\$\())/.test(line);
}

/** The word of a line by which it may start a task of a kind, such as `jest`; `undefined` where it starts none. Rather one too many. */
export function startOfTask({ text, kind: lineKind }: Line, kind: TaskKind): string | undefined {
  if (lineKind === 'uses') return runnerIn(text.replace(/@.*$/, ''), kind) ?? wordOf(text.replace(/@.*$/, ''), kind);
  if (isPrinting(text)) return undefined;
  // No person writes a command like that, and it would take long to look through.
  if (lineKind === 'command' && text.length > LONGEST) return `${text.slice(0, 20)}…`;
  const line = withoutConditions(text);
  const found = runnerIn(line, kind) ?? (lineKind === 'command' ? (COMMANDS.exec(line)?.[1] ?? VARIABLE.exec(line)?.[1]) : undefined);
  if (found !== undefined) return found;
  // A word of English, or of a list, starts nothing; a script that is named so, or called by a package manager, does.
  const called = MANAGER.test(line)
    ? [line]
    : [...(line.match(SCRIPT) ?? []), ...(lineKind === 'command' ? (line.match(CALLED) ?? []) : [])];
  return called.flatMap((word) => wordOf(MANAGER.test(line) ? word : lastName(word), kind) ?? [])[0];
}

const LONGEST = 20_000;

/** Without what only asks: of JavaScript whether a text matches an expression, of a shell whether a file is there. */
export function withoutConditions(line: string): string {
  return line.replace(/\.test\(/g, '(').replace(SHELL_TEST, '$1');
}

/** `unit` of `tests/unit`: a folder on the way to a file tells nothing of what is done with it. */
function lastName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function runnerIn(line: string, kind: TaskKind): string | undefined {
  return (kind === 'test' ? TEST_RUNNER : RUNNER).exec(line)?.[0];
}

/** `e2eTests.yml` and `run-tests.sh` name tests as `test:unit` does. */
function wordOf(text: string, kind: TaskKind): string | undefined {
  return text.match(/(?<![A-Za-z\d])e2e(?![a-z\d])|[A-Za-z][a-z]*|[A-Z]+/g)?.find((word) => kindOfTask(word.toLowerCase()) === kind);
}

/** What runs the tasks of workspaces, or anything. */
const ANY = 'affected|turbo|nx|lage|wireit';
const RUNNER = runnerOf(ANY);
const TEST_RUNNER = runnerOf(
  `${ANY}|npm\\s+(?:t|tst|it|cit)|jest|vitest|mocha|jasmine|karma|playwright|cypress|wdio|webdriverio|testcafe|nightwatch|c8|nyc|istanbul|chromatic|storycap|bats|tstyche|tsd|lost-pixel`,
);

function runnerOf(names: string): RegExp {
  return new RegExp(`(?<![\\w.-])(?:${names})(?![\\w.])`, 'i');
}

const SHELL_START = '(?:^|[;&|(!]|\\b(?:if|while|until|then|do|else|time|env)\\s)';
const SHELL_TEST = new RegExp(`(${SHELL_START}\\s*)test(?=\\s)`, 'g');
/** Where a command begins, or the name of what one runs. */
const START = `(?:${SHELL_START}|(?<![\\w.-])(?:yarn|npm|npx|pnpm|bunx?|run|exec|sudo|sh|bash|zsh|source|xargs|[\\w-]+-run|(?:yarn|npm|pnpm)\\s+workspace\\s+\\S+)\\s)\\s*(?:-\\S+\\s+|\\w+=[^\\s(]*\\s+)*`;
/** Programs that run anything; some of them are words of English, too. */
const COMMANDS = new RegExp(
  `${START}(?:[\\w./-]*/)?(make|gmake|just|task|go-task|moon|rush|rake|tox|nox|tap|tape|ava|uvu|percy|loki|eval|gradlew?|mvnw?|bazel(?:isk)?)(?=\\s|$)`,
);
/** What is run is in a variable: `yarn "$SCRIPT"`, `$COMMAND`. */
const VARIABLE = new RegExp(
  `${START.replace('[;&|(!]', '[;&|]\\s')}["']?(\\$(?:\\{\\{[^}]*\\}\\}|\\{[^}]*\\}|\\w+))["']?(?=[\\s;&|)]|$)(?!\\s+(?:[!=]=|=~|-\\w\\w\\s))`,
);
/** A script by its ending, or by standing where a command does. */
const SCRIPT = /[\w./-]+\.(?:sh|bash|ps1|py|[cm]?[jt]s)(?!\w)/g;
const CALLED = new RegExp(`(?<=${START}["']?)[\\w.-]*/[\\w./-]+`, 'g');
