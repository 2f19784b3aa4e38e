/** A test runner that is asked for a report in a way that changes nothing else. */
export type ReportingRunner = 'jest' | 'vitest' | 'mocha' | 'playwright' | 'node';

/** How a process was started. */
export interface ProcessCall {
  /** The script, real path; `undefined`: it has none. */
  readonly script: string | undefined;
  /** What stands behind the script. */
  readonly args: readonly string[];
  /** Options of Node itself. */
  readonly nodeArgs: readonly string[];
}

/** The runner that a process is, if it runs tests. */
export function runnerOfProcess({ script, args, nodeArgs }: ProcessCall): ReportingRunner | undefined {
  if (nodeArgs.includes('--test')) return 'node';
  const path = script?.replaceAll('\\', '/') ?? '';
  if (/\/jest(?:-cli)?\/bin\/jest\.js$/.test(path)) return 'jest';
  if (/\/vitest\/(?:vitest\.mjs|dist\/cli\.js)$/.test(path) && (args[0] === 'run' || args.includes('--run'))) return 'vitest';
  if (/\/mocha\/(?:bin\/_?mocha|lib\/cli\/cli)(?:\.[cm]?js)?$/.test(path)) return 'mocha';
  if (/\/(?:playwright|@playwright\/test)\/cli\.js$/.test(path) && args[0] === 'test') return 'playwright';
  return undefined;
}

/** What a report is written with. */
export interface ReportRequest {
  /** Where it goes; for mocha, what writes it. */
  readonly file: string;
  /** Of vitest, whose reporters those of a command line replace: the text of its configuration. */
  readonly config?: string;
  /** Of vitest: the reporters that it has without being told. */
  readonly reporters?: readonly string[];
}

/**
 * The arguments with which a runner writes its report to a file as well; `undefined` where that would change what it does: it was asked for
 * a report already, or runs no tests.
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

/** How `node --test` is asked for a report. */
export interface NodeReportRequest {
  /** The first number of Node's version. */
  readonly version: number;
  /** Whether it prints to a terminal. */
  readonly isTerminal: boolean;
  /** The address of what writes the report. */
  readonly reporter: string;
  /** Where it goes. */
  readonly file: string;
}

/**
 * The arguments of Node with which its runner prints what it would print, and writes a report as well; `undefined` where it runs no tests or has
 * reporters already. Source: nodejs.org, "Test reporters"; up to version 22 what is no terminal gets TAP.
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

/** Where a call that was asked so writes its report; `folder`: in which that is. */
export function nodeReportOf(nodeArgs: readonly string[], folder: string): string | undefined {
  return nodeArgs.find((arg) => arg.startsWith(`${DESTINATION}${folder}`))?.slice(DESTINATION.length);
}

const DESTINATION = '--test-reporter-destination=';
// Node 20 ends a forced run before its reports are written.
const NODE_DIFFERS = /^--(?:test-reporter|watch|test-force-exit|eval|print|check)|^-[a-z]*[epc]$/;
const MOCHA_DIFFERS = /^(?:--(?:watch|dry-run|help|version|list-)|-[a-zA-Z]*[whV]$)/;

const JEST_DIFFERS =
  /^(?:--(?:json|outputFile|output-file|watch(?:All|-all)?(?:$|=(?!false$))|listTests|list-tests|showConfig|show-config|clearCache|init|version|help)|-[a-z]*[hv]$)/;
const VITEST_DIFFERS =
  /^(?:--(?:reporter|outputFile|output-file|root|dir|watch|ui|browser|merge-reports|standalone|version|help)|-[a-z]*[hvwr](?:=|$)|--$)/;

/** By its own words, or by those of a file that it takes in: of plugins alone it is not expected. */
function mayHaveReporters(config: string): boolean {
  if (/reporter|mergeConfig|extends/i.test(config) || /\b(?:require|import)\s*\(\s*[^\s'"]/.test(config)) return true;
  const taken = [...config.matchAll(/(?:\bfrom|\bimport|\brequire\s*\(|\bimport\s*\()\s*['"]([^'"]+)['"]/g)].map(([, name = '']) => name);
  return taken.some((name) => !HARMLESS.test(name));
}

const HARMLESS = /^(?:node:|(?:path|url|fs|os|process)$|vite$|vite-|vitest\/|@vitejs\/|(?!\.).*plugin)/;
