import { isBuiltin } from 'node:module';

const NAME = /^(?!node_modules(?:\/|$))(?:@[\w~.-]+\/)?[A-Za-z0-9_-][\w.~-]*(?=\/|$)/;

/**
 * Returns the package of a specifier: `@acme/ui/button` → `@acme/ui`. `undefined` for a path, a name of `imports` in
 * the manifest (`#x`) or of an alias (`~/x`), a specifier with a protocol or a query, and a module of Node itself
 * (`punycode/` is not one).
 */
export function packageOf(specifier: string): string | undefined {
  if (/[:\s?!*$]/.test(specifier) || isBuiltin(specifier)) return undefined;
  return NAME.exec(specifier)?.[0];
}

/** Whether a specifier is a module of Node itself. */
export function isOfNode(specifier: string): boolean {
  return isBuiltin(specifier);
}

/** Returns the package of DefinitelyTyped with the types of another: `@babel/core` → `@types/babel__core`. */
export function typesOf(name: string): string {
  return `@types/${name.replace(/^@([^/]+)\//, '$1__')}`;
}
