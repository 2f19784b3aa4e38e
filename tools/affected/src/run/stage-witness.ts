import {
  type Checkout,
  type CheckoutFiles,
  contentOf,
  findChanged,
  findLeft,
  findTouched,
  listTracked,
  readCheckout,
  removeFiles,
} from '../io/checkout-files.js';
import type { TurboTask } from '../io/turbo.js';
import { inOneLine } from '../plan/shape.js';
import { taskId } from '../plan/upstream.js';

/** Milliseconds by which the clock of files may be behind that of programs. */
const CLOCK = 10;

/**
 * Watches what builds do to a checkout. It answers whether the results of turborepo's cache stand for the builds: whether they hold every
 * file that the builds have made or changed, each from the build that made it. Its answers are clauses; `undefined`: no doubt.
 */
export class StageWitness {
  private readonly checkout: Checkout;
  private tracked: ReadonlySet<string> = new Set();
  private before: CheckoutFiles = new Map();
  private last: CheckoutFiles = new Map();
  private foreign: string | undefined;
  /** Content by path. */
  private made: ReadonlyMap<string, string | undefined> = new Map();

  constructor(checkout: Checkout) {
    this.checkout = checkout;
  }

  /** Call it before the first build. */
  async begin(): Promise<string | undefined> {
    this.tracked = await listTracked(this.checkout);
    this.before = readCheckout(this.checkout);
    this.last = this.before;
    const changed = await findChanged(this.checkout);
    if (changed !== undefined) return `${inOneLine(changed)} differs from the commit`;
    const left = findLeft(this.before, this.tracked, this.checkout);
    return (
      left && `${inOneLine(left)} was there before, perhaps from an earlier build; \`git clean -ffdx\` before the installation removes it`
    );
  }

  /** Call it after each call of turborepo. */
  see(tasks: readonly TurboTask[]): void {
    const now = readCheckout(this.checkout);
    const made = [...now.keys()].filter((path) => !this.last.has(path));
    this.foreign ??= findForeign(made, now, tasks, this.checkout);
    this.last = now;
  }

  /** Call it after the last build. */
  async doubt(): Promise<string | undefined> {
    const changed = (await findChanged(this.checkout)) ?? findTouched(this.before, this.last, this.tracked);
    if (changed !== undefined) return `they change ${inOneLine(changed)}, which was there before`;
    this.made = new Map(this.madePaths().map((path) => [path, contentOf(this.checkout, path)]));
    return this.foreign;
  }

  /** Removes what the builds have made. */
  removeMade(): void {
    removeFiles(this.checkout, this.madePaths());
  }

  /** Call it when turborepo has restored the builds. */
  findLost(): string | undefined {
    for (const [path, content] of this.made) {
      const now = contentOf(this.checkout, path);
      if (now === undefined) return `${inOneLine(path)} is in no outputs, so they would lack it`;
      if (now !== content) return `turborepo restores ${inOneLine(path)} with other content`;
    }
    const more = [...readCheckout(this.checkout).keys()].find((path) => !this.made.has(path) && !this.before.has(path));
    return more && `turborepo restores ${inOneLine(more)}, which another build had removed`;
  }

  private madePaths(): readonly string[] {
    return [...this.last.keys()].filter((path) => !this.before.has(path));
  }
}

/**
 * Finds a file that is in the outputs of a build which did not make it. A shard that needs only the build that made it would lack it. The
 * time when the file appeared tells.
 */
function findForeign(
  made: readonly string[],
  files: CheckoutFiles,
  tasks: readonly TurboTask[],
  { project }: Checkout,
): string | undefined {
  const owners = new Map<string, TurboTask[]>();
  for (const task of tasks) {
    for (const output of task.restores ?? []) {
      const path = project === '' ? output : `${project}/${output}`;
      owners.set(path, [...(owners.get(path) ?? []), task]);
    }
  }
  for (const path of made) {
    const { birthtimeMs = 0, ctimeMs = 0 } = files.get(path) ?? {};
    // Some file systems do not know when a file appeared.
    const at = birthtimeMs || ctimeMs;
    const [owner, ...others] = owners.get(path) ?? [];
    if (owner === undefined) continue;
    if (![owner, ...others].some(({ startedAt, endedAt }) => at > startedAt - CLOCK && at < endedAt + CLOCK))
      return `${inOneLine(path)} is in the outputs of ${taskId(owner.workspace, owner.task)}, which did not make it`;
  }
  return undefined;
}
