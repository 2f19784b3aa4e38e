import { isBuiltin } from 'node:module';

const NAME = /^(?:@[\w~.-]+\/)?[A-Za-z0-9~_-][\w.~-]*(?=\/|$)/;

/**
 * The package that a specifier is resolved in: `@acme/ui/button` → `@acme/ui`. `undefined` for a path, for a name of `imports` in the
 * manifest (`#x`), for one with a protocol or a query, and for a module of Node itself (`punycode/` is none).
 */
export function packageOf(specifier: string): string | undefined {
  if (/[:\s?!*$]/.test(specifier) || isBuiltin(specifier)) return undefined;
  return NAME.exec(specifier)?.[0];
}

/** Whether a specifier means a module of Node itself. */
export function isOfNode(specifier: string): boolean {
  return isBuiltin(specifier);
}

/** The package of DefinitelyTyped that would hold the types of another: `@babel/core` → `@types/babel__core`. */
export function typesOf(name: string): string {
  return `@types/${name.replace(/^@([^/]+)\//, '$1__')}`;
}
