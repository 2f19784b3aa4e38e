import { isRecord } from '@tributary/model/record';
import { redactUrls } from '@tributary/model/repo-url';
import subset from 'semver/ranges/subset.js';
import validRange from 'semver/ranges/valid.js';
import { setJson } from '../edit/edit-json.js';
import { namesModules } from './config-paths.js';
import { withoutHookSetup } from './hook-setup.js';
import type { Subject } from './rule.js';

type Fields = Readonly<Record<string, unknown>>;

/** A manifest that is looked at. */
interface ManifestSubject {
  readonly text: string;
  readonly manifest: Fields;
  readonly root: Fields;
  readonly subject: Subject;
}

interface FieldOutcome {
  /** `undefined`: nothing changes. */
  readonly text?: string;
  readonly done: string;
  readonly decision: string | undefined;
}

type Field = (subject: ManifestSubject) => FieldOutcome | undefined;

/** What is looked at in the manifest of a newcomer, in this order. Each answers `undefined` where it has nothing to say. */
export const MANIFEST_FIELDS: readonly Field[] = [
  packageManager,
  hooks,
  hookScripts,
  volta,
  repository,
  engines,
  workspaces,
  modulePaths,
  releaseSettings,
];

function packageManager({ text, manifest }: ManifestSubject): FieldOutcome | undefined {
  if (manifest['packageManager'] === undefined) return undefined;
  return {
    text: setJson(text, ['packageManager'], undefined),
    done: '"packageManager" was taken out: that of the root holds.',
    decision: undefined,
  };
}

const HOOK_FIELDS = ['husky', 'lint-staged', 'simple-git-hooks', 'pre-commit', 'pre-push', 'gitHooks', 'commitlint'];

function hooks({ text, manifest }: ManifestSubject): FieldOutcome | undefined {
  const found = HOOK_FIELDS.filter((field) => manifest[field] !== undefined);
  if (found.length === 0) return undefined;
  const said = found.map((field) => `${field}: \`${redactUrls(JSON.stringify(manifest[field]).replaceAll('`', "'"))}\``).join('; ');
  return {
    text: found.reduce((before, field) => setJson(before, [field], undefined), text),
    done: `${found.map((field) => `"${field}"`).join(', ')} ${found.length === 1 ? 'was' : 'were'} taken out: hooks work at the root of the repository only.`,
    decision: `Put what is still wanted into the hooks of the root: ${said}.`,
  };
}

function hookScripts({ text, manifest }: ManifestSubject): FieldOutcome | undefined {
  const scripts = isRecord(manifest['scripts']) ? manifest['scripts'] : {};
  const changed = Object.entries(scripts).flatMap(([name, command]) => {
    const rest = typeof command === 'string' ? withoutHookSetup(command) : command;
    return rest === command ? [] : [{ name, command, rest: rest === '' ? undefined : rest }];
  });
  if (changed.length === 0) return undefined;
  const kept = changed.reduce((before, { name, rest }) => setJson(before, ['scripts', name], rest), text);
  const isEmpty = changed.every(({ rest }) => rest === undefined) && changed.length === Object.keys(scripts).length;
  return {
    text: isEmpty ? setJson(text, ['scripts'], undefined) : kept,
    done: `${changed.map(({ name, command }) => `"${name}" (\`${String(command)}\`)`).join(', ')} set hooks up and does so no more: they are those of the root.`,
    decision: undefined,
  };
}

function volta({ text, manifest, root }: ManifestSubject): FieldOutcome | undefined {
  const own = manifest['volta'];
  if (!isRecord(own)) return undefined;
  const ofRoot = isRecord(root['volta']) ? root['volta'] : {};
  const different = Object.keys(own).filter((tool) => tool !== 'extends' && own[tool] !== ofRoot[tool]);
  if (different.length === 0)
    return { text: setJson(text, ['volta'], undefined), done: '"volta" was taken out: it says what the root says.', decision: undefined };
  const said = different
    .map((tool) => `${tool} ${JSON.stringify(own[tool])} where the root has ${JSON.stringify(ofRoot[tool] ?? 'none')}`)
    .join(', ');
  return { done: '"volta" stays as it is.', decision: `"volta" asks for ${said}: take it out, or change the root.` };
}

/** The address goes with the folder: one without the other leads nowhere. */
function repository({ text, manifest, root, subject }: ManifestSubject): FieldOutcome | undefined {
  const own = manifest['repository'];
  const ofRoot = root['repository'];
  const place = isRecord(ofRoot) && typeof ofRoot['directory'] === 'string' ? `${ofRoot['directory'].replace(/\/$/, '')}/` : '';
  const directory = `${place}${subject.newcomer.path}`;
  const address = isRecord(ofRoot) ? ofRoot['url'] : ofRoot;
  if (own === undefined && manifest['private'] === true) return undefined;
  if (typeof address !== 'string') {
    if (own === undefined) return undefined;
    return {
      done: '"repository" stays as it is.',
      decision: `The package.json of the root does not say where the monorepo is: write its address into "repository" of the package, with "directory": "${directory}".`,
    };
  }
  const type = isRecord(ofRoot) && typeof ofRoot['type'] === 'string' ? { type: ofRoot['type'] } : {};
  const wanted = { ...(Object.keys(type).length === 0 ? { type: 'git' } : type), url: address, directory };
  if (isRecord(own) && own['url'] === address && own['directory'] === directory) return undefined;
  return {
    text: setJson(text, ['repository'], wanted),
    done: `"repository" is that of the monorepo, with "directory": "${directory}".`,
    decision: undefined,
  };
}

function engines({ manifest, root }: ManifestSubject): FieldOutcome | undefined {
  const own = isRecord(manifest['engines']) ? manifest['engines'] : {};
  const ofRoot = isRecord(root['engines']) ? root['engines'] : {};
  const said = [
    ...narrower(own['node'], ofRoot['node']),
    ...['npm', 'pnpm', 'yarn']
      .filter((tool) => own[tool] !== undefined)
      .map((tool) => `"engines.${tool}" is "${String(own[tool])}", and the package is installed by the Yarn of the root`),
  ];
  return said.length === 0
    ? undefined
    : { done: '"engines" stays as it is.', decision: `${said.join('; ')}: see whether that still holds.` };
}

function narrower(own: unknown, root: unknown): readonly string[] {
  if (typeof own !== 'string' || typeof root !== 'string' || validRange(own) === null || validRange(root) === null) return [];
  return subset(root, own, { includePrerelease: true }) ? [] : [`"engines.node" is "${own}", and the monorepo is run with "${root}"`];
}

function workspaces({ manifest }: ManifestSubject): FieldOutcome | undefined {
  if (manifest['workspaces'] === undefined) return undefined;
  return {
    done: '"workspaces" stays as it is.',
    decision:
      'It has workspaces of its own, which Yarn makes members of the monorepo too: name them at the root and take this out, or move each on its own.',
  };
}

function modulePaths({ manifest }: ManifestSubject): FieldOutcome | undefined {
  const scripts = isRecord(manifest['scripts']) ? manifest['scripts'] : {};
  const found = Object.keys(scripts).filter((name) => namesModules(String(scripts[name])));
  if (found.length === 0) return undefined;
  return {
    done: '"scripts" stays as it is.',
    decision: `The scripts ${found.map((name) => `"${name}"`).join(', ')} have a path into node_modules: packages lie in the node_modules of the root now. Call the program by its name.`,
  };
}

function releaseSettings({ manifest, subject }: ManifestSubject): FieldOutcome | undefined {
  const found = ['release', 'release-it', 'standard-version', 'auto'].filter((field) => isRecord(manifest[field]));
  if (found.length === 0) return undefined;
  return {
    done: `"${found.join('", "')}" stays as it is.`,
    decision: `Set releases up for one package among many: tags need its name in front (such as ${subject.newcomer.name}@1.2.3).`,
  };
}
