/** What a result may depend on besides the content of a commit, as one word: `linux-x64-node22`. */
export type Runtime = string;

/** Returns the runtime of a process; `version`: of Node, such as `22.11.0`. */
export function runtimeOf({ platform, arch, version }: Readonly<Record<'platform' | 'arch' | 'version', string>>): Runtime {
  return `${platform}-${arch}-node${Number.parseInt(version, 10)}`;
}

/** Tells whether a value has the form of a runtime. */
export function isRuntime(value: unknown): value is Runtime {
  return typeof value === 'string' && parts(value) !== undefined;
}

/** Returns the major version of Node of a runtime. */
export function nodeOf(runtime: Runtime): string {
  return parts(runtime)?.node ?? 'unknown';
}

/** Returns how a result was made otherwise than this run, as a clause: "it was made under Node 20, and this is Node 22"; `undefined`: alike. */
export function describeOther(made: Runtime, here: Runtime): string | undefined {
  if (made === here) return undefined;
  const [there, now] = [parts(made), parts(here)];
  if (there?.machine === now?.machine) return `it was made under Node ${there?.node}, and this is Node ${now?.node}`;
  return `it was made on ${there?.machine}, and this is ${now?.machine}`;
}

function parts(runtime: Runtime): { readonly machine: string; readonly node: string } | undefined {
  const [, machine, node] = /^([a-z0-9]{1,20}-[a-z0-9]{1,20})-node(\d{1,4})$/.exec(runtime) ?? [];
  return machine === undefined || node === undefined ? undefined : { machine, node };
}
