const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const satisfies readonly NodeJS.Signals[];
/** The brand of the listeners of this file, of which a bundle may have several copies. */
const HOLDS = Symbol.for('tributary.holdsSignals');

/**
 * Keeps a signal from ending this process at once, because something has to end before: a child program, a temporary folder. `stop` is
 * called when one arrives, unless the whole command handles signals. Returns a function for the end of it. That ends the process by the
 * signal that has arrived, unless something else still holds it, or handles it. Hold briefly: while this process computes, it does not see the
 * signal.
 */
export function holdSignals(stop: () => void = () => {}): () => Promise<void> {
  let arrived: NodeJS.Signals | undefined;
  const onSignal = (name: NodeJS.Signals): void => {
    arrived ??= name;
    if (isOnlyHeld(name)) stop();
  };
  const listener = Object.assign(onSignal, { [HOLDS]: true });
  // Node would warn of a leak at the eleventh listener, that is, at the eleventh program that runs at once.
  process.setMaxListeners(0);
  for (const name of ENDING) process.on(name, listener);
  return async () => {
    await untilSeen();
    for (const name of ENDING) process.off(name, listener);
    if (arrived === undefined) return;
    if (process.listenerCount(arrived) === 0) process.kill(process.pid, arrived);
    // Some may hold it only since it arrived.
    else if (isOnlyHeld(arrived)) process.emit(arrived, arrived);
  };
}

/** Whether no command handles a signal. */
function isOnlyHeld(name: NodeJS.Signals): boolean {
  return process.listeners(name).every((listener) => HOLDS in listener);
}

/** Runs something short at one stretch, with no signal in the middle of it. */
export function finishFirst<T>(work: () => T): T {
  const release = holdSignals();
  try {
    return work();
  } finally {
    void release();
  }
}

/** Node calls listeners of a signal in its loop only. The first turn may have begun before the signal came. */
async function untilSeen(): Promise<void> {
  for (let turn = 1; turn <= 2; turn++) await new Promise((resolve) => setImmediate(resolve));
}
