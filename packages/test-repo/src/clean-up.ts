/** A resource that must be released, whatever happens in between. */
export type Disposable = { dispose(): void | Promise<void> } | { close(): void | Promise<void> };

/** Resources of a test, released in reverse order. */
export class CleanUp {
  private readonly works: (() => unknown)[] = [];

  /** Registers `thing` and returns it: `const repo = cleanUp.add(TempRepo.create())`. */
  add<T extends Disposable>(thing: T): T {
    this.defer(() => ('dispose' in thing ? thing.dispose() : thing.close()));
    return thing;
  }

  /** Registers any work to do at the end. */
  defer(work: () => unknown): void {
    this.works.push(work);
  }

  /** Does all registered work, even if some of it fails; throws the failures as one `AggregateError`. */
  async run(): Promise<void> {
    const failures: unknown[] = [];
    for (let work = this.works.pop(); work !== undefined; work = this.works.pop()) {
      try {
        await work();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, `Cleaning up failed: ${failures.map(String).join('; ')}`);
  }
}

/**
 * Returns a `CleanUp` that runs in a hook of the test runner: `const cleanUp = cleanUpIn(afterEach)`, or `afterAll` for resources that a
 * file shares. A server that is closed only at the end of the test stays open if an earlier expectation fails, and Jest then never ends.
 */
export function cleanUpIn(hook: (work: () => Promise<void>) => void): CleanUp {
  const cleanUp = new CleanUp();
  hook(() => cleanUp.run());
  return cleanUp;
}
