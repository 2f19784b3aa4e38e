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

/**
 * The arguments with which a runner writes its report to a file as well; `undefined` where that would change what it does: it was asked for
 * a report already, or runs no tests. `config`: the text of vitest's configuration, whose reporters those of a command line replace.
 */
export function withReport(
  runner: ReportingRunner,
  args: readonly string[],
  { file, config }: { readonly file: string; readonly config: string },
): readonly string[] | undefined {
  switch (runner) {
    case 'jest':
      return args.some((arg) => JEST_DIFFERS.test(arg)) ? undefined : ['--json', `--outputFile=${file}`, ...args];
    case 'vitest': {
      if (args.some((arg) => VITEST_DIFFERS.test(arg)) || /reporter|mergeConfig|extends/i.test(config)) return undefined;
      const at = args[0] === 'run' ? 1 : 0;
      return [...args.slice(0, at), '--reporter=default', '--reporter=json', `--outputFile.json=${file}`, ...args.slice(at)];
    }
    case 'node':
      return undefined;
  }
}

const JEST_DIFFERS =
  /^(?:--(?:json|outputFile|output-file|watch|listTests|list-tests|showConfig|show-config|clearCache|init|version|help)|-[a-z]*[hv]$)/;
const VITEST_DIFFERS =
  /^(?:--(?:reporter|outputFile|output-file|watch|ui|browser|merge-reports|standalone|version|help)|-[a-z]*[hvw]$|--$)/;
