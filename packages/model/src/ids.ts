import { ToolError } from './errors.js';

declare const objectId: unique symbol;
declare const refName: unique symbol;
declare const workspaceName: unique symbol;

/** The id of a git object: 40 (SHA-1) or 64 (SHA-256) lower-case hexadecimal digits. */
export type ObjectId = string & { readonly [objectId]: true };

/** The id of a commit. */
export type CommitId = ObjectId;

/** A full ref name, such as `refs/heads/main`. Short names are never passed to git, which could read them as options. */
export type RefName = string & { readonly [refName]: true };

/** The `name` of a package.json, such as `left-pad` or `@acme/ui`. */
export type WorkspaceName = string & { readonly [workspaceName]: true };

/** Parses an object id. Throws `GIT_FAILED`: ids come from git, so an invalid one means that its output was misread. */
export function parseObjectId(text: string): ObjectId {
  if (!/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text)) {
    throw new ToolError({ code: 'GIT_FAILED', message: `git answered "${text.slice(0, 80)}" where an object id was expected.` });
  }
  return text as ObjectId;
}

/** Parses a full ref name by the rules of git-check-ref-format(1). Throws `USAGE`. */
export function parseRefName(text: string): RefName {
  const names = text.split('/');
  const wellFormed =
    text.startsWith('refs/') &&
    names.length >= 3 &&
    names.every((name) => name !== '' && !name.startsWith('.') && !name.endsWith('.lock')) &&
    !text.includes('..') &&
    !text.includes('@{') &&
    !text.endsWith('.') &&
    !/[\0-\x20\x7f~^:?*[\\]/.test(text);
  if (!wellFormed) throw new ToolError({ code: 'USAGE', message: `"${text}" is not a valid git ref name.`, data: { ref: text } });
  return text as RefName;
}

/** Returns `name` as a branch ref. Rejects a leading dash, although git allows it in a full name. Throws `USAGE`. */
export function branchRef(name: string): RefName {
  if (name.startsWith('-') || name === 'HEAD') {
    throw new ToolError({ code: 'USAGE', message: `"${name}" cannot be the name of a branch.`, data: { branch: name } });
  }
  return parseRefName(`refs/heads/${name}`);
}

export function tagRef(name: string): RefName {
  return parseRefName(`refs/tags/${name}`);
}

/** Returns the short name: `refs/heads/main` → `main`, `refs/tags/v1` → `v1`. */
export function shortRef(ref: RefName): string {
  return ref.replace(/^refs\/(heads|tags|remotes)\//, '');
}

/** Parses a package name by npm's rules. Allows upper case, which old packages still have; rejects a leading dash. Throws `USAGE`. */
export function parseWorkspaceName(text: string): WorkspaceName {
  if (text.length > 214 || !/^(@[\w~*-][\w.~*-]*\/[\w~*-]|[A-Za-z0-9~*])[\w.~*-]*$/.test(text)) {
    throw new ToolError({ code: 'USAGE', message: `"${text}" is not a valid package name.`, data: { name: text } });
  }
  return text as WorkspaceName;
}

/** Returns the name without its scope: `@acme/ui` → `ui`. */
export function withoutScope(name: WorkspaceName): string {
  return name.slice(name.indexOf('/') + 1);
}
