import type { RepoPath } from '@tributary/model/paths';
import { holdsCredential } from '../../credentials.js';
import { type FencedBlock, withBlock } from '../../edit/fence.js';
import { someOf } from '../../text.js';
import { type CarryOverRule, inPackage, kept, type RuleOutcome, type RuleSubject } from '../rule.js';

const ROOT = '.gitmodules' as RepoPath;

export const gitModules: CarryOverRule = {
  title: '.gitmodules',
  matches: ['.gitmodules'],
  action: 'merge',
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
  const odd = modules.filter(({ url }) => !isAbsolute(url) || holdsCredential(url));
  if (odd.length > 0)
    return {
      edits: new Map(),
      notes: [kept(file, { ...BY_HAND, detail: someOf(odd.map(({ path }) => `\`${subject.importedPackage.path}/${path}\``)) })],
    };
  const text = withBlock(subject.monorepo.read(ROOT) ?? '', modulesBlock(subject, modules));
  const done =
    modules.length === 0
      ? { text: 'It was removed: it names no existing submodule.' }
      : {
          text: `Its submodules were added to \`${ROOT}\` of the root, with their new paths.`,
          detail: someOf(modules.map(({ path }) => path)),
        };
  return {
    edits: new Map([[inPackage(subject, file), undefined], ...(modules.length === 0 ? [] : [[ROOT, text] as const])]),
    notes: [{ file, action: 'merge', done, remarks: [] }],
  };
}

const BY_HAND = {
  topic: 'behaviour' as const,
  text: 'Its submodules are now empty folders, because their addresses are relative or contain a credential. Add them to the .gitmodules of the root with these paths, or delete them.',
};

/** Whether an address is absolute: `host:path`, or one with a scheme. `./x` and `../x` are relative to the repository's own address. */
function isAbsolute(url: string): boolean {
  return /^[\w+.-]+:\/\/|^[^./][^/]*:/.test(url);
}

function modulesBlock({ importedPackage }: RuleSubject, modules: readonly Submodule[]): FencedBlock {
  const lines = modules.flatMap(({ path, url, settings }) => {
    const place = `${importedPackage.path}/${path}`;
    return [`[submodule "${place}"]`, `\tpath = ${place}`, `\turl = ${url}`, ...settings.map((line) => `\t${line}`)];
  });
  return { name: importedPackage.name, lines };
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
