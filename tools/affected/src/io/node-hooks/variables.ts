import { recordAllVariables, recordVariable } from './record.js';

/** Records the names of environment variables that are read, never their values. A copy of all is told apart from single names. */
export function hookVariables(): void {
  let listed = new Set<PropertyKey>();
  let described: PropertyKey | undefined;
  let passedOn = new Set<PropertyKey>();
  const note = (name: PropertyKey): void => {
    if (typeof name === 'string' && !(name in Object.prototype)) recordVariable(name);
  };
  process.env = new Proxy(process.env, {
    get(target, name) {
      // A copy looks at each property before it takes its value.
      if (name !== described && !passedOn.delete(name)) note(name);
      described = undefined;
      return Reflect.get(target, name) as string | undefined;
    },
    has(target, name) {
      note(name);
      return Reflect.has(target, name);
    },
    ownKeys(target) {
      const names = Reflect.ownKeys(target);
      listed = new Set(names);
      if (isStart()) passedOn = new Set(names);
      else recordAllVariables();
      return names;
    },
    getOwnPropertyDescriptor(target, name) {
      if (listed.delete(name)) described = name;
      else note(name);
      return Reflect.getOwnPropertyDescriptor(target, name);
    },
    // Without it, Node would refuse the attributes of the property.
    set: (target, name, value) => Reflect.set(target, name, value),
  });
}

/** Programs and workers get all variables. Their own hooks record who reads them. */
function isStart(): boolean {
  return /\bnode:(?:child_process|internal\/worker)\b/.test(new Error('where').stack ?? '');
}
