import type { RepoPath } from '@tributary/model/paths';
import { readReferences } from '@tributary/references/read-references';
import { setJson } from '../../edit/edit-json.js';
import { fieldsIn, mapIn, scriptsOf } from '../../fields.js';
import type { Message } from '../../message.js';
import { isOfAnotherShell, shellCommandsIn } from '../../scripts.js';
import { code } from '../../text.js';
import { commandReading, misplacedLines, tellMisplaced } from '../misplaced-files.js';
import type { FieldOutcome, ManifestSubject } from './field.js';
import { isReported } from './install-scripts.js';

/** Reports commands in scripts that do something else in a workspace than at the top of a repository. */
export function scriptCommands({ text, manifest, subject }: ManifestSubject): FieldOutcome | undefined {
  const { importedPackage, monorepo, repository } = subject;
  // As it came, because it names its former package manager.
  const former = fieldsIn(subject.read('package.json'));
  const reading = commandReading({ importedPackage, files: monorepo, root: repository.root, manifest: former });
  const lines = new Map(readReferences('package.json' as RepoPath, text).manifest?.scripts.map((script) => [script.name, script.line]));
  const found = Object.entries(scriptsOf(manifest)).flatMap(([name, script]) =>
    misplacedLines(script, reading)
      .filter(({ command }) => !isReported(name, script, command))
      .map((one) => ({ ...one, place: `${JSON.stringify(name)} in line ${lines.get(name) ?? 1}` })),
  );
  const remarks: readonly Message[] = tellMisplaced(found);
  return { remarks };
}

/**
 * Rewrites calls of scripts and binaries through another package manager, where Yarn does the same: `npm run x`, and
 * `npx x` for a binary of a dependency with its name.
 */
export function scriptCalls({ text, manifest }: ManifestSubject): FieldOutcome | undefined {
  const scripts = Object.entries(scriptsOf(manifest));
  const known = new Map(scripts);
  const dependencies = new Set(
    ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((block) => Object.keys(mapIn(manifest, block))),
  );
  const changed = scripts.flatMap(([name, script]) => {
    const after = withYarn(script, (command) => ofYarn(command, known, dependencies));
    return after === script ? [] : [{ name, after }];
  });
  if (changed.length === 0) return undefined;
  return {
    text: changed.reduce((before, { name, after }) => setJson(before, ['scripts', name], after), text),
    done: {
      text: 'Scripts call other scripts and binaries through Yarn.',
      detail: changed.map(({ name, after }) => `${JSON.stringify(name)} is now ${code(after)}`).join(', '),
    },
  };
}

/** Rewrites the commands that run in the folder of the package: in another one, names may mean others, and Yarn may fail. */
function withYarn(script: string, rewrite: (command: string) => string): string {
  const commands = shellCommandsIn(script);
  const left = commands.findIndex(({ text }) => /^(?:cd|pushd)\b/.test(text));
  return commands
    .slice(0, left === -1 ? undefined : left)
    .reduceRight((before, { text, start }) => before.slice(0, start) + rewrite(text) + before.slice(start + text.length), script);
}

/** A pattern outside of quotes. Where nothing matches it, the shell of Yarn fails, and others pass it on. */
const PATTERN = /[*?[]|(?<!\$)\{/;

function isAnotherInYarn(script: string): boolean {
  return isOfAnotherShell(script) || PATTERN.test(script.replace(/"(?:[^"\\]|\\.)*"|'[^']*'|\\./gs, ''));
}

/** Commands of pnpm. Of the others, it runs the script or the binary of that name. Source: https://pnpm.io/pnpm-cli */
const OF_PNPM =
  /^(?:add|approve-builds|audit|bin|cache|ci|config|create|dedupe|deploy|dlx|doctor|env|exec|fetch|help|i|import|init|install|licenses|link|list|ln|login|ls|outdated|pack|patch|prune|publish|rb|rebuild|recursive|remove|rm|root|run|self-update|server|setup|store|unlink|update|up|version|view|why)$/;

/** Returns a short call of pnpm in full: `pnpm build` as `pnpm run build`. */
function inFull(command: string, scripts: ReadonlyMap<string, string>, dependencies: ReadonlySet<string>): string {
  const [, name = '', rest = ''] = /^pnpm (\w[\w:.-]*)((?: (?!-- ).+)?)$/.exec(command) ?? [];
  if (OF_PNPM.test(name)) return command;
  if (scripts.has(name)) return `pnpm run ${name}${rest === '' ? '' : ` --${rest}`}`;
  return dependencies.has(name) ? `pnpm exec ${name}${rest}` : command;
}

function ofYarn(command: string, scripts: ReadonlyMap<string, string>, dependencies: ReadonlySet<string>): string {
  const call = inFull(command, scripts, dependencies);
  const [, called, rest] = /^(?:npm|pnpm) run(?:-script)? ([\w:.-]+)(?: -- (.+))?$/.exec(call) ?? [];
  if (called !== undefined) {
    const script = scripts.get(called);
    // npm runs them too, and Yarn does not.
    const isAlone = !scripts.has(`pre${called}`) && !scripts.has(`post${called}`);
    if (script === undefined || !isAlone || isAnotherInYarn(script)) return command;
    return `yarn run ${called}${rest === undefined ? '' : ` ${rest}`}`;
  }
  const [, binary = '', after = ''] = /^(?:npx|pnpm exec) ([\w.-]+)((?: .+)?)$/.exec(call) ?? [];
  return dependencies.has(binary) && !scripts.has(binary) ? `yarn run ${binary}${after}` : command;
}
