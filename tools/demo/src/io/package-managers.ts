import { ToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import { closedEnvironment } from '@tributary/process/environment';
import { callProgram } from '@tributary/process/spawn';
import { type LocalRegistry, registryEnvironment } from '@tributary/test-repo/local-registry';

/** What a package manager needs to run. */
export interface Surroundings {
  /** This project, whose Yarn releases are used. */
  readonly root: AbsolutePath;
  readonly registry: LocalRegistry;
  readonly signal: AbortSignal;
}

export interface Installation {
  readonly folder: AbsolutePath;
  readonly home: AbsolutePath;
  /** The error message if it fails, as a sentence without its full stop. */
  readonly failure: string;
}

/** Runs the command line of a package manager against the local registry. Throws `PROGRAM_FAILED` for any exit code but 0. */
export async function runManager(
  [program, ...args]: readonly [string, ...string[]],
  { folder, home, failure }: Installation,
  { registry, signal }: Surroundings,
): Promise<void> {
  const env = closedEnvironment(process.env, registryEnvironment(registry.url, home));
  const { exit, stdout, stderr } = await callProgram({ program, args, cwd: folder, env, timeoutMs: 60_000, signal });
  if (exit === 0) return;
  throw new ToolError({
    code: 'PROGRAM_FAILED',
    message: `${failure}: ${(stderr || stdout.toString()).trim()}`,
    hint: 'The demo serves all packages on 127.0.0.1: check whether a proxy or a firewall blocks programs.',
    data: { command: [program, ...args].join(' '), exit },
  });
}
