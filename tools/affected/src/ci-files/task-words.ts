import { kindOfTask, type TaskKind } from '@tributary/workspaces/task-kinds';
import type { WorkflowLine } from './workflow-lines.js';

/** Programs that call scripts of package.json, or programs of packages. */
export const MANAGER =
  /(?<![\w.-])(?:yarn|jlpm|npm|npx|pnpm|pnpx|bunx?|corepack|node|run-[sp]|npm-run-all2?|concurrently|lerna|turbo|nx|wsrun|ultra|wireit)(?![\w.-])/;

/** Tells whether a line only prints words, and runs nothing. */
export function isPrinting(line: string): boolean {
  return /^\s*(?:echo|printf)\s(?!.*(?:[|;`]|&&|\$\())/.test(line);
}

/**
 * Returns the word of a line that may start a task of a kind, such as `jest`; `undefined` if there is none. If in doubt, it returns a word.
 * `isRead`: tells whether a word is a file that is read itself, so that its name tells nothing.
 */
export function startOfTask({ text, kind: lineKind }: WorkflowLine, kind: TaskKind, isRead: (word: string) => boolean): string | undefined {
  if (lineKind === 'uses') return runnerIn(text.replace(/@.*$/, ''), kind) ?? wordOf(text.replace(/@.*$/, ''), kind);
  if (isPrinting(text)) return undefined;
  // Nobody writes a command that long, and matching it would take long.
  if (lineKind === 'command' && text.length > LONGEST) return `${text.slice(0, 20)}…`;
  const line = withoutConditions(text);
  const isCommand = lineKind === 'command';
  const found = runnerIn(line, kind) ?? (isCommand ? COMMANDS.exec(line)?.[1] : undefined);
  if (found !== undefined) return found;
  // An ordinary word starts nothing. A script with such a name, or a call by a package manager, does.
  if (MANAGER.test(line)) return (isCommand ? VARIABLE.exec(line)?.[1] : undefined) ?? wordOf(withoutWorkspace(line), kind);
  const called = [...(line.match(SCRIPT) ?? []), ...(isCommand ? (line.match(CALLED) ?? []) : [])];
  return called.filter((word) => !isRead(word)).flatMap((word) => wordOf(lastName(word), kind) ?? [])[0];
}

/** Returns the word for which a line may start a task where packages are: a variable hides the command, or nobody knows it (`cli test`). */
export function hiddenStart({ text, kind: lineKind }: WorkflowLine, kind: TaskKind): string | undefined {
  if (lineKind !== 'command' || text.length > LONGEST || isPrinting(text)) return undefined;
  const line = withoutConditions(text);
  const [, word = ''] = FIRST_ARGUMENT.exec(line) ?? [];
  return VARIABLE.exec(line)?.[1] ?? wordOf(word, kind);
}

/** Not of programs that work on files. */
const FIRST_ARGUMENT = /(?:^|[;&|(])\s*(?!(?:cat|cd|cp|git|ls|mkdir|mv|rm|pip3?)\s)[\w./-]+\s+(?:run\s+)?([\w:-]+)/;

/** Tells whether a line may bring the packages of the monorepo, without which no test runs. */
export function bringsPackages({ text, kind }: WorkflowLine): boolean {
  if (kind === 'uses') return !/^\s*(?:\.\/|actions\/(?:checkout|setup-(?:dotnet|go|java|python))@)/.test(text);
  return !isPrinting(text) && PACKAGE_MANAGER.test(text);
}

const PACKAGE_MANAGER = /(?<![\w.-])(?:yarn|jlpm|npm|npx|pnpm|pnpx|bunx?|corepack|lerna)(?![\w.-])/i;

const LONGEST = 20_000;

/**
 * Removes conditions, in JavaScript whether a text matches an expression, in a shell whether a file exists; and the spaces in expressions, so
 * that each is one word.
 */
export function withoutConditions(line: string): string {
  const words = line.replace(/\$\{\{[^}]*\}\}/g, (expression) => expression.replace(/\s+/g, ''));
  return words.replace(/\.test\(/g, '(').replace(SHELL_TEST, '$1');
}

/** Returns `unit` for `tests/unit`: the folders of a path do not tell what is done with the file. */
function lastName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function runnerIn(line: string, kind: TaskKind): string | undefined {
  return (kind === 'test' ? TEST_RUNNER : RUNNER).exec(line)?.[0];
}

/** Returns the word for a kind of task: `e2eTests.yml` and `run-tests.sh` name tests as `test:unit` does. */
function wordOf(text: string, kind: TaskKind): string | undefined {
  return text.match(/(?<![A-Za-z\d])e2e(?![a-z\d])|[A-Za-z][a-z]*|[A-Z]+/g)?.find((word) => kindOfTask(word.toLowerCase()) === kind);
}

/** Returns a line without the name of a workspace in which a task of another kind is called: `yarn workspace test-app build`. */
function withoutWorkspace(line: string): string {
  return line.replace(/\b(yarn\s+workspace)\s+\S+(?=\s+(?:run\s+)?([\w:-]+))/g, (all, call: string, script: string) =>
    kindOfTask(script) === 'other' ? all : call,
  );
}

/** Programs that run tasks of workspaces, or any task. */
const ANY = 'affected|turbo|nx|lage|wireit';
const RUNNER = runnerOf(ANY);
const TEST_RUNNER = runnerOf(
  `${ANY}|npm\\s+(?:t|tst|it|cit)|jest|vitest|mocha|jasmine|karma|playwright|cypress|wdio|webdriverio|testcafe|nightwatch|c8|nyc|istanbul|chromatic|storycap|bats|pytest|tstyche|tsd|lost-pixel`,
);

function runnerOf(names: string): RegExp {
  return new RegExp(`(?<![\\w.-])(?:${names})(?![\\w.])`, 'i');
}

const SHELL_START = '(?:^|[;&|(!]|\\b(?:if|while|until|then|do|else|time|env)\\s)';
const SHELL_TEST = new RegExp(`(${SHELL_START}\\s*)test(?=\\s)`, 'g');
/** The start of a command, or the name of a program that runs one. */
const START = `(?:${SHELL_START}|(?<![\\w.-])(?:yarn|jlpm|npm|npx|pnpm|bunx?|run|exec|sudo|sh|bash|zsh|source|xargs|[\\w-]+-run|(?:yarn|npm|pnpm)\\s+workspace\\s+\\S+)\\s)\\s*(?:--cwd\\s+\\S+\\s+|-\\S+\\s+|\\w+=(?:"[^"]*"|'[^']*'|[^\\s("'])*\\s+)*`;
/** Programs that run anything; some names are also English words. */
const COMMANDS = new RegExp(
  `${START}(?:[\\w./-]*/)?(make|gmake|just|task|go-task|moon|rush|rake|tox|nox|tap|tape|ava|uvu|percy|loki|eval|gradlew?|mvnw?|bazel(?:isk)?)(?=\\s|$)`,
);
/** A variable has the command: `yarn "$SCRIPT"`, `$COMMAND`. */
const VARIABLE = new RegExp(
  `${START.replace('[;&|(!]', '[;&|]\\s')}["']?(\\$(?:\\{\\{[^}]*\\}\\}|\\{[^}]*\\}|\\w+))["']?(?=[\\s;&|)]|$)(?!\\s+(?:[!=]=|=~|-\\w\\w\\s))`,
);
/** A script, recognised by its ending, or by its position as a command. */
const SCRIPT = /[\w./-]+\.(?:sh|bash|ps1|py|[cm]?[jt]s)(?!\w)/g;
const CALLED = new RegExp(`(?<=${START}["']?)[\\w.-]*/[\\w./-]+`, 'g');
