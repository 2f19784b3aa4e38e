/** A test runner that can write a report without any other change in behaviour. */
export type ReportingRunner = (typeof REPORTING_RUNNERS)[number];

export const REPORTING_RUNNERS = ['jest', 'vitest', 'mocha', 'playwright', 'node'] as const;

/** The command line of a process. */
export interface ProcessCall {
  /** The script's real path; `undefined` if there is none. */
  readonly script: string | undefined;
  /** The arguments after the script. */
  readonly args: readonly string[];
  /** Options of Node itself. */
  readonly nodeArgs: readonly string[];
}

/** Returns the runner of a process; `undefined` if it does not run tests. */
export function runnerOfProcess({ script, args, nodeArgs }: ProcessCall): ReportingRunner | undefined {
  if (nodeArgs.includes('--test')) return 'node';
  const path = script?.replaceAll('\\', '/') ?? '';
  if (/\/jest(?:-cli)?\/bin\/jest\.js$/.test(path)) return 'jest';
  if (/\/vitest\/(?:vitest\.mjs|dist\/cli\.js)$/.test(path) && (args[0] === 'run' || args.includes('--run'))) return 'vitest';
  if (/\/mocha\/(?:bin\/_?mocha|lib\/cli\/cli)(?:\.[cm]?js)?$/.test(path)) return 'mocha';
  if (/\/(?:playwright|@playwright\/test)\/cli\.js$/.test(path) && args[0] === 'test') return 'playwright';
  return undefined;
}

/** The settings of a report. */
export interface ReportRequest {
  /** The output file; for mocha, the reporter. */
  readonly file: string;
  /** For vitest: the text of its configuration, whose reporters those on the command line would replace. */
  readonly config?: string;
  /** For vitest: its default reporters. */
  readonly reporters?: readonly string[];
}

/**
 * Returns the arguments that make a runner also write its report to a file. `undefined` if that would change its behaviour, because a
 * report was already requested or it runs no tests.
 */
export function withReport(
  runner: 'jest' | 'vitest' | 'mocha',
  args: readonly string[],
  { file, config = '', reporters = [] }: ReportRequest,
): readonly string[] | undefined {
  switch (runner) {
    case 'jest':
      return args.some((arg) => JEST_DIFFERS.test(arg)) ? undefined : ['--json', `--outputFile=${file}`, ...args];
    case 'vitest': {
      if (args.some((arg) => VITEST_DIFFERS.test(arg)) || mayHaveReporters(config)) return undefined;
      const at = args[0] === 'run' ? 1 : 0;
      const all = [...reporters, 'json'].map((one) => `--reporter=${one}`);
      return [...args.slice(0, at), ...all, `--outputFile.json=${file}`, ...args.slice(at)];
    }
    case 'mocha':
      return args.some((arg) => arg.includes(file) || MOCHA_DIFFERS.test(arg)) ? undefined : [`--require=${file}`, ...args];
  }
}

/** The settings of a report of `node --test`. */
export interface NodeReportRequest {
  /** The major version of Node. */
  readonly version: number;
  /** Whether it prints to a terminal. */
  readonly isTerminal: boolean;
  /** The URL of the reporter. */
  readonly reporter: string;
  /** The output file. */
  readonly file: string;
}

/**
 * Returns the arguments that make Node's test runner print as usual and also write a report. `undefined` if it runs no tests, or already
 * has reporters. Source: nodejs.org, "Test reporters"; up to version 22 the default without a terminal is TAP.
 */
export function withNodeReport(
  args: readonly string[],
  { version, isTerminal, reporter, file }: NodeReportRequest,
): readonly string[] | undefined {
  if (version < 20 || !args.includes('--test') || args.some((arg) => NODE_DIFFERS.test(arg))) return undefined;
  const usual = isTerminal || version >= 23 ? 'spec' : 'tap';
  return [
    ...[`--test-reporter=${usual}`, '--test-reporter-destination=stdout'],
    ...[`--test-reporter=${reporter}`, `${DESTINATION}${file}`],
    ...args,
  ];
}

/** Returns the report file of a call with these arguments; `folder`: where reports are. */
export function nodeReportOf(nodeArgs: readonly string[], folder: string): string | undefined {
  return nodeArgs.find((arg) => arg.startsWith(`${DESTINATION}${folder}`))?.slice(DESTINATION.length);
}

const DESTINATION = '--test-reporter-destination=';
// Node 20 exits before its reports are written if exit is forced.
const NODE_DIFFERS = /^--(?:test-reporter|watch|test-force-exit|eval|print|check)|^-[a-z]*[epc]$/;
const MOCHA_DIFFERS = /^(?:--(?:watch|dry-run|help|version|list-)|-[a-zA-Z]*[whV]$)/;

const JEST_DIFFERS =
  /^(?:--(?:json|outputFile|output-file|watch(?:All|-all)?(?:$|=(?!false$))|listTests|list-tests|showConfig|show-config|clearCache|init|version|help)|-[a-z]*[hv]$)/;
const VITEST_DIFFERS =
  /^(?:--(?:reporter|outputFile|output-file|root|dir|watch|ui|browser|merge-reports|standalone|version|help)|-[a-z]*[hvwr](?:=|$)|--$)/;

/** Tells whether a configuration may set reporters, itself or in an included file. Plugins are assumed not to. */
function mayHaveReporters(config: string): boolean {
  if (/reporter|mergeConfig|extends/i.test(config) || /\b(?:require|import)\s*\(\s*[^\s'"]/.test(config)) return true;
  const taken = [...config.matchAll(/(?:\bfrom|\bimport|\brequire\s*\(|\bimport\s*\()\s*['"]([^'"]+)['"]/g)].map(([, name = '']) => name);
  return taken.some((name) => !HARMLESS.test(name));
}

const HARMLESS = /^(?:node:|(?:path|url|fs|os|process)$|vite$|vite-|vitest\/|@vitejs\/|(?!\.).*plugin)/;
