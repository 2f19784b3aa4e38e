import { isInside, type RepoPath, relativeTo } from '@tributary/model/paths';
import { holdsCredential } from '../../credentials.js';
import type { Draft } from '../../edit/draft.js';
import { type FencedBlock, withBlock } from '../../edit/fence.js';
import { someOf } from '../../text.js';
import type { CarriedPackage } from '../repository.js';
import { type CarryOverFinding, type CarryOverRule, dropped, inPackage, type RuleOutcome, type RuleSubject } from '../rule.js';

const ROOT = '.gitmodules' as RepoPath;

export const gitModules: CarryOverRule = {
  title: '.gitmodules',
  matches: ['.gitmodules'],
  action: 'merge',
  inherits: true,
  reason: 'git reads it only at the root; its submodules are added there with their new paths',
  apply: moveModules,
};

interface Submodule {
  readonly path: string;
  readonly url: string;
  /** Lines of other settings, as written. */
  readonly settings: readonly string[];
}

function moveModules(subject: RuleSubject): RuleOutcome {
  const [file = ''] = subject.files;
  const modules = parseModules(subject.read(file) ?? '').filter(({ path }) =>
    subject.importedPackage.submodules.includes(inPackage(subject, path)),
  );
  const known = modules.flatMap((one): readonly Submodule[] => {
    const url = absoluteUrl(one.url, subject.importedPackage.source);
    return url === undefined || holdsCredential(url) ? [] : [{ ...one, url }];
  });
  const text = withBlock(subject.monorepo.read(ROOT) ?? '', modulesBlock(subject, known));
  const done =
    known.length === 0
      ? { text: 'It was removed: it has no address of a submodule that is valid here.' }
      : {
          text: `Its submodules were added to \`${ROOT}\` of the root, with their new paths.`,
          detail: someOf(known.map(({ path }) => path)),
        };
  return {
    edits: new Map([[inPackage(subject, file), undefined], ...(known.length === 0 ? [] : [[ROOT, text] as const])]),
    notes: [{ file, action: 'merge', done, remarks: [] }],
  };
}

/**
 * Returns an address as it is valid in every repository; `undefined` if it has none. `./x` and `../x` are relative to
 * the address of the source.
 */
function absoluteUrl(url: string, source: string | undefined): string | undefined {
  if (/^[\w+.-]+:\/\/|^[^./][^/]*:/.test(url)) return url;
  // `https://host/`, or `host:` of an address for ssh: neither can be left.
  const [, host, path = ''] = /^([\w+.-]+:\/\/[^/]*\/|[^/]+:)(.*?)\/*$/.exec(source ?? '') ?? [];
  if (host === undefined || !/^\.\.?\//.test(url)) return undefined;
  const steps = path.split('/');
  for (const step of url.split('/')) {
    if (step === '..' && steps.pop() === undefined) return undefined;
    if (!/^\.{0,2}$/.test(step)) steps.push(step);
  }
  return `${host}${steps.join('/')}`;
}

/**
 * Removes submodules that the .gitmodules of the root does not name: one without an address stops `git submodule` for
 * everybody, also in the checkout of CI.
 */
export function orphanSubmodules(draft: Draft, packages: readonly CarriedPackage[]): readonly CarryOverFinding[] {
  const named = new Set(parseModules(draft.read(ROOT) ?? '').map(({ path }) => path));
  return packages.flatMap((importedPackage) => {
    const orphans = importedPackage.submodules.filter((path) => draft.has(path) && !named.has(path));
    draft.apply(new Map(orphans.map((path) => [path, undefined])));
    return orphans.map((path): CarryOverFinding => {
      const note = dropped(relativeTo(importedPackage.path, path), REMOVED, { topic: 'behaviour', text: ADD_AGAIN, detail: `\`${path}\`` });
      return { ...note, importedPackage: importedPackage.name, rule: gitModules.title, reason: gitModules.reason };
    });
  });
}

const REMOVED =
  'The submodule was removed: its address is missing, contains a credential, is relative to a folder of this machine, or leads above its host.';
const ADD_AGAIN =
  'Without an address, it would stop every `git submodule` command of the monorepo. Add it again: `git submodule add <address> <path>`.';

function modulesBlock({ importedPackage }: RuleSubject, modules: readonly Submodule[]): FencedBlock {
  const moved = modules.map((one) => ({ ...one, path: `${importedPackage.path}/${one.path}` }));
  return { name: importedPackage.name, lines: moved.flatMap(sectionOf) };
}

function sectionOf({ path, url, settings }: Submodule): readonly string[] {
  return [`[submodule "${path}"]`, `\tpath = ${path}`, `\turl = ${url}`, ...settings.map((line) => `\t${line}`)];
}

/** Returns the sections of a .gitmodules file for submodules in a folder, with their paths relative to it. */
export function modulesBelow(text: string, folder: RepoPath): string {
  const below = parseModules(text).filter(({ path }) => isInside(path as RepoPath, folder) && path !== folder);
  return below.flatMap((one) => [...sectionOf({ ...one, path: relativeTo(folder, one.path as RepoPath) }), '']).join('\n');
}

/** Settings that do not depend on the place. */
const COPIED = /^(?:branch|shallow|ignore|fetchRecurseSubmodules|update)\s*=/i;

function parseModules(text: string): readonly Submodule[] {
  const sections = text.split(/^\s*\[submodule\s[^\]\n]*\]\s*$/m).slice(1);
  return sections.flatMap((section) => {
    const lines = section.split(/\r?\n/).map((line) => line.trim());
    const settingOf = (key: string): string | undefined =>
      lines.flatMap((line) => new RegExp(`^${key}\\s*=\\s*"?(.*?)"?$`, 'i').exec(line)?.[1] ?? []).at(-1);
    const [path, url] = [settingOf('path'), settingOf('url')];
    return path === undefined || url === undefined ? [] : [{ path, url, settings: lines.filter((line) => COPIED.test(line)) }];
  });
}
