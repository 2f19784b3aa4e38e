import type { Config } from '@tributary/model/config';
import { ToolError } from '@tributary/model/errors';
import { parseWorkspaceName, type WorkspaceName } from '@tributary/model/ids';
import type { MigrateRequest } from './migrate-request.js';

/** A request with the names of its packages. */
export interface NamedRequest extends MigrateRequest {
  readonly packages: readonly WorkspaceName[];
}

/**
 * Returns the request with its packages named. For `--all`, those of tributary.json, in its order; the plan puts
 * dependencies first. Throws `CONFIG_INVALID` if it has no packages, or an invalid name.
 */
export function nameAll(request: MigrateRequest, { migrate }: Pick<Config, 'migrate'>): NamedRequest {
  const { packages } = request;
  if (packages !== 'all') return { ...request, packages };
  const names = Object.keys(migrate.packages);
  if (names.length > 0) return { ...request, packages: names.map(nameIn) };
  throw new ToolError({
    code: 'CONFIG_INVALID',
    message: 'tributary.json lists no packages: "migrate.packages" is empty or missing.',
    hint: 'Add them there, or run "migrate-repo init <owner>" to add those of a GitHub owner.',
  });
}

function nameIn(name: string): WorkspaceName {
  try {
    return parseWorkspaceName(name);
  } catch (cause) {
    throw new ToolError({
      code: 'CONFIG_INVALID',
      message: `tributary.json: migrate.packages: ${JSON.stringify(name)} is not a valid package name.`,
      hint: 'Use the name from its package.json.',
      cause,
    });
  }
}
