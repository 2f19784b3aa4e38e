import crypto from 'node:crypto';
import dgram from 'node:dgram';
import inspector from 'node:inspector';
import Module, { createRequire } from 'node:module';
import vm from 'node:vm';
import { forget, recordGap, see } from './record.js';
import { quietly, tell } from './replace.js';

// What reads files without `fs`: each makes the observation incomplete, or is recorded here.

export function hookUnseen(): void {
  for (const name of ['binding', '_linkedBinding', 'setSourceMapsEnabled'])
    tell(process, name, ([value]) => recordGap('not-hooked', `process.${name}(${String(value)})`));
  tell(process, 'dlopen', ([, file]) => recordGap('native-addon', String(file)));
  tell(process, 'execve', ([program]) => recordGap('native-program', String(program)));
  tell(process, 'loadEnvFile', ([path]) => see('read', path ?? '.env'));
  tell(process, 'chdir', ([folder]) => {
    see('found', folder);
    forget();
  });
  tell(crypto, 'setEngine', ([engine]) => recordGap('native-addon', String(engine)));
  for (const name of ['send', 'connect']) tell(dgram.Socket.prototype, name, () => recordGap('daemon', 'UDP'));
  tell(inspector, 'open', () => recordGap('not-hooked', 'a debugger'));
  // Coverage needs the profiler.
  tell(inspector.Session.prototype, 'post', ([method]) => {
    if (!String(method).startsWith('Profiler.')) recordGap('not-hooked', `a debugger: ${String(method)}`);
  });
  hookAll(vm.constants, (constants) => Object.assign(vm, { constants }), 'vm.constants');
  for (const name of ['node:wasi', 'node:sqlite'])
    if (Module.isBuiltin(name))
      quietly(() => {
        const module = createRequire(__filename)(name) as Record<string, unknown>;
        for (const [part, value] of Object.entries(module))
          if (typeof value === 'function') hookAll(value, (changed) => Object.assign(module, { [part]: changed }), `${name}.${part}`);
      });
}

/** Replaces a value by one that makes the observation incomplete when something uses it. */
function hookAll(value: object | undefined, replace: (by: object) => void, name: string): void {
  if (value === undefined) return;
  const told =
    <Args extends unknown[], Result>(trap: (...args: Args) => Result) =>
    (...args: Args): Result => {
      recordGap('not-hooked', name);
      return trap(...args);
    };
  const traps =
    typeof value === 'function' ? { construct: told(Reflect.construct), apply: told(Reflect.apply) } : { get: told(Reflect.get) };
  replace(new Proxy(value, traps as ProxyHandler<object>));
}
