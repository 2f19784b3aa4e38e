/** Something that must be given back, whatever happens in between. */
export type Disposable = { dispose(): void | Promise<void> } | { close(): void | Promise<void> };

/** What a test has borrowed; given back in reverse order. */
export class CleanUp {
  private readonly works: (() => unknown)[] = [];

  /** Remembers `thing` and returns it: `const repo = cleanUp.add(TempRepo.create())`. */
  add<T extends Disposable>(thing: T): T {
    this.defer(() => ('dispose' in thing ? thing.dispose() : thing.close()));
    return thing;
  }

  /** Remembers any work to be done at the end. */
  defer(work: () => unknown): void {
    this.works.push(work);
  }

  /** Does all the work, also after some of it failed; throws the failures as one `AggregateError`. */
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
 * A `CleanUp` that runs in a hook of the test runner: `const cleanUp = cleanUpIn(afterEach)`, or `afterAll` for what a file shares.
 * A server that is closed at the end of the test itself stays open when an expectation fails before, and Jest then never ends.
 */
export function cleanUpIn(hook: (work: () => Promise<void>) => void): CleanUp {
  const cleanUp = new CleanUp();
  hook(() => cleanUp.run());
  return cleanUp;
}
