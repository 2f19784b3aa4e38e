/** A test runner that is asked for a report in a way that changes nothing else. */
export type ReportingRunner = 'jest' | 'vitest' | 'node';

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
  return undefined;
}

/** What a report is written with. Of vitest, whose reporters those of a command line replace. */
export interface ReportRequest {
  readonly file: string;
  /** The text of its configuration. */
  readonly config: string;
  /** The reporters that it has without being told. */
  readonly reporters: readonly string[];
}

/**
 * The arguments with which a runner writes its report to a file as well; `undefined` where that would change what it does: it was asked for
 * a report already, or runs no tests.
 */
export function withReport(
  runner: ReportingRunner,
  args: readonly string[],
  { file, config, reporters }: ReportRequest,
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
    case 'node':
      return undefined;
  }
}

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
