import { ToolError } from '@tributary/model/errors';
import { isInside, type RepoFolder } from '@tributary/model/paths';
import type { Workspace } from '@tributary/workspaces/discover';
import { resolveFolder } from '@tributary/workspaces/folders';
import { parseResolutions } from '@tributary/workspaces/lock/resolutions';
import { type Catalogs, findLink, WorkspaceIndex } from '@tributary/workspaces/ranges';
import { asLocation, type Declared, installedOf, siblingOf, type WorkspaceLocation } from './declared.js';
import type { Monorepo } from './project.js';
import { readRootSettings } from './root-settings.js';
import { parseSpecifier } from './specifier.js';

/** A dependency that Yarn rejects, whatever a registry has, given the monorepo's current files. */
export interface Unresolvable extends Declared {
  readonly from: WorkspaceLocation;
  readonly kind: 'catalog' | 'workspace' | 'path' | 'range';
  /** The text after "which Yarn refuses: ". */
  readonly why: string;
  /** What to do, as a sentence. */
  readonly hint: string;
}

/**
 * Returns dependencies that no installation can resolve: missing catalog entries and workspaces, paths that do not
 * exist, and invalid ranges. In the order of the workspaces and their manifests. Peers, dependencies that `resolutions`
 * of the root may replace, and protocols of possible plugins are not checked. Throws `CONFIG_INVALID`.
 */
export function findUnresolvable(project: Monorepo, root: RepoFolder): readonly Unresolvable[] {
  const context = { project, root, index: new WorkspaceIndex(project.workspaces), catalogs: readRootSettings(project.files).catalogs };
  const replaced = parseResolutions(project.workspaces[0]?.manifest.resolutions ?? new Map());
  return project.workspaces.flatMap((from) =>
    installedOf(from)
      .filter(({ name }) => !replaced.has(name))
      .flatMap((declared) => {
        const flaw = flawOf(from, declared, context);
        return flaw === undefined ? [] : [{ from: asLocation(from), ...declared, ...flaw }];
      }),
  );
}

/** Throws `DEPENDENCY_UNRESOLVABLE` for the first one, with the number of others. */
export function refuseUnresolvable(found: readonly Unresolvable[]): void {
  const [first, ...others] = found;
  if (first === undefined) return;
  const more = others.length === 0 ? '' : ` ${others.length} more dependencies cannot be resolved either.`;
  throw new ToolError({
    code: 'DEPENDENCY_UNRESOLVABLE',
    message: `${first.from.name} (${first.from.path === '' ? 'the root' : first.from.path}) requires ${first.name} ${JSON.stringify(first.range)} in "${first.block}", which Yarn cannot install: ${first.why}.${more.replace('1 more dependencies', 'One more dependency')}`,
    hint: `${first.hint} Or import it with --no-install, and correct it on the new branch.`,
    data: {
      workspace: first.from,
      unresolvable: found.map(({ from, block, name, range, why }) => ({ workspace: from.name, path: from.path, block, name, range, why })),
    },
  });
}

interface RequestContext {
  readonly project: Monorepo;
  /** The project's folder in its repository. */
  readonly root: RepoFolder;
  readonly index: WorkspaceIndex;
  readonly catalogs: Catalogs;
}

type Flaw = Pick<Unresolvable, 'kind' | 'why' | 'hint'>;

function flawOf(from: Workspace, declared: Declared, context: RequestContext): Flaw | undefined {
  const specifier = parseSpecifier(declared.range);
  switch (specifier.kind) {
    case 'catalog':
      return context.catalogs.get(specifier.catalog)?.has(declared.name) === true ? undefined : noEntry(specifier.catalog, declared.name);
    case 'workspace':
      return findLink(from, declared, context.index) === undefined ? noWorkspace(from, declared, context) : undefined;
    case 'path':
      return declared.range.startsWith('link:') ? undefined : flawOfPath(from, specifier.path, context);
    case 'protocol':
      return declared.range.startsWith('portal:') ? flawOfPath(from, withoutProtocol(declared.range), context) : undefined;
    case 'tag':
      return flawOfTag(declared.range);
    case 'range':
    case 'alias':
    case 'address':
      return undefined;
  }
}

function noEntry(catalog: string, name: string): Flaw {
  const [which, where] = catalog === '' ? ['the catalog', '"catalog"'] : [`the catalog "${catalog}"`, `"${catalog}" of "catalogs"`];
  return {
    kind: 'catalog',
    why: `${which} of .yarnrc.yml has no entry for it`,
    hint: `Add ${name} to ${where} in .yarnrc.yml of the monorepo, or write the range itself into the package.json.`,
  };
}

function noWorkspace(from: Workspace, { name }: Declared, { project, index }: RequestContext): Flaw {
  const [there, sibling] = [index.byName.get(name), siblingOf(project, from, name)];
  const { version } = there?.manifest ?? {};
  const is = version === undefined ? 'has no version' : `is ${version}`;
  return {
    kind: 'workspace',
    why: there === undefined ? 'no such workspace exists' : `the workspace is in ${there.path === '' ? 'the root' : there.path} and ${is}`,
    hint:
      there !== undefined
        ? 'Replace it with "workspace:^" or with a range of published versions.'
        : sibling === undefined
          ? `Import ${name} in the same run or before it, or write a range of published versions into the package.json.`
          : `Import ${name} in the same run or before it: it is ${sibling.folder} of the same repository, without a published version.`,
  };
}

const WRITE_ANOTHER = 'Replace it with a path in the monorepo or with a range of published versions.';

/** Checks a path. Absolute paths are not checked, nor paths that leave a project for its surrounding repository. */
function flawOfPath(from: Workspace, path: string, { project, root }: RequestContext): Flaw | undefined {
  if (path.startsWith('/') || path.startsWith('~')) return undefined;
  const target = resolveFolder(from.path, path);
  if (target === undefined) return root === '' ? { kind: 'path', why: 'its path leaves the monorepo', hint: WRITE_ANOTHER } : undefined;
  if (project.files.paths.some((file) => isInside(file, target))) return undefined;
  return { kind: 'path', why: `there is nothing at ${target}`, hint: WRITE_ANOTHER };
}

/**
 * Checks a text that Yarn reads as a tag, or as a file if it is an archive. Source: `TAG_REGEXP` of @yarnpkg/core,
 * `FILE_REGEXP` of plugin-file.
 */
function flawOfTag(text: string): Flaw | undefined {
  if (/^(?:npm:)?(?!v)[\w.-]+$/i.test(text) || /\.(?:tgz|tar\.gz)(?:::.*)?$/.test(text)) return undefined;
  return {
    kind: 'range',
    why: 'it is neither a version range nor a tag',
    hint: 'Correct it in the package.json of the source, and commit.',
  };
}

function withoutProtocol(range: string): string {
  return range.slice(range.indexOf(':') + 1).replace(/(?:#|::).*$/s, '');
}
