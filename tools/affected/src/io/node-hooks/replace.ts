import { recordGap } from './record.js';

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

/** Replaces a function by one that looks at its arguments first. One that this Node lacks stays missing. */
export function tell(owner: object, name: string, look: (args: readonly unknown[]) => void): void {
  const functions = owner as Record<string, AnyFunction | undefined>;
  const original = functions[name];
  if (original === undefined) return;
  const changed: AnyFunction = function (...args) {
    attempt(() => look(args));
    return Reflect.apply(original, this, args);
  };
  functions[name] = Object.defineProperties(changed, Object.getOwnPropertyDescriptors(original));
}

/** Tests must not notice a failure of the hooks. */
export function attempt(what: () => void): void {
  try {
    what();
  } catch (error) {
    recordGap('not-hooked', String(error));
  }
}

/** Uses what Node warns about. */
export function quietly(what: () => void): void {
  const emitWarning: unknown = Reflect.get(process, 'emitWarning');
  process.emitWarning = () => undefined;
  try {
    what();
  } finally {
    Object.assign(process, { emitWarning });
  }
}
