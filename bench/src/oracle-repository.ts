import type { Lock } from '@tributary/affected/oracle/lock.fixture';
import type { OracleSide } from '@tributary/affected/oracle/side.fixture';
import { runProgram } from '@tributary/process/spawn';
import { nameOfRepository } from './given-repositories.js';

type Environment = NonNullable<Parameters<typeof runProgram>[0]['env']>;

/** The files that the oracle may read. */
const READ =
  /(^|\/)(package|tsconfig[^/]*)\.json$|^(yarn\.lock|\.yarnrc\.yml|tributary\.json|turbo\.json)$|^\.(github|circleci|gitlab-ci)|^(?!\.yarn\/|(.*\/)?node_modules\/).*\.[cm]?[jt]sx?$/;

/** Commits of a repository as the oracle sees them. */
export class OracleRepository {
  /** The text of a lockfile → its parsed content. */
  readonly locks = new Map<string, Lock | 'broken'>();
  /** What files import, by file and content. */
  readonly imports = new Map<string, readonly string[]>();
  private readonly texts = new Map<string, string>();

  private readonly path: string;
  private readonly env: Environment;

  constructor(path: string, env: Environment) {
    this.path = path;
    this.env = env;
  }

  /** Returns the commits, newest first, with one more than requested, with which the last one is compared. */
  async firstParents(last: number): Promise<string[]> {
    const text = await this.git(['rev-list', '--first-parent', '-n', String(last + 1), 'HEAD']);
    return text.toString().trim().split('\n');
  }

  async side(commit: string): Promise<OracleSide> {
    const listing = (await this.git(['ls-tree', '-r', '-z', '--full-tree', commit])).toString();
    const lines = listing.split('\0').filter((line) => line !== '');
    const files = new Map(lines.map((line) => [line.slice(line.indexOf('\t') + 1), line.slice(0, line.indexOf('\t'))]));
    await this.load([...files].filter(([path, entry]) => READ.test(path) && entry.startsWith('100')).map(([, entry]) => idIn(entry)));
    return { files, text: (path) => this.texts.get(idIn(files.get(path) ?? '')) };
  }

  private async load(ids: readonly string[]): Promise<void> {
    const missing = [...new Set(ids)].filter((id) => !this.texts.has(id));
    if (missing.length === 0) return;
    const output = await this.git(['cat-file', '--batch'], missing.map((id) => `${id}\n`).join(''));
    let at = 0;
    for (const id of missing) {
      const lineEnd = output.indexOf('\n', at);
      const size = Number(output.toString('latin1', at, lineEnd).split(' ')[2]);
      this.texts.set(id, output.toString('utf8', lineEnd + 1, lineEnd + 1 + size));
      at = lineEnd + 1 + size + 1;
    }
  }

  private git(args: readonly string[], input?: string): Promise<Buffer> {
    return runProgram({ program: 'git', args, cwd: this.path, env: this.env, ...(input === undefined ? {} : { input }) });
  }
}

function idIn(entry: string): string {
  return entry.split(' ')[2] ?? '';
}

/** Returns the variables by which GitHub names the workflow that runs. Throws for a path that is no file at the head of the repository. */
export async function variablesOf(workflow: string, cwd: string, env: Environment): Promise<Readonly<Record<string, string>>> {
  await runProgram({ program: 'git', args: ['cat-file', 'blob', `HEAD:${workflow}`], cwd, env });
  const name = nameOfRepository(cwd);
  return { GITHUB_ACTIONS: 'true', GITHUB_REPOSITORY: name, GITHUB_WORKFLOW_REF: `${name}/${workflow}@refs/heads/main` };
}
