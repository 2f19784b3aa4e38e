import type { RepoPath } from '@tributary/model/paths';
import { type CarryOverRule, inPackage, type Note, type RuleOutcome, type Subject } from '../rule.js';

export const versionFiles: CarryOverRule = {
  title: 'Versions of tools',
  matches: ['.nvmrc', '.node-version', '.tool-versions'],
  action: 'drop',
  reason: 'one that says what the root says is one too many; any other stays',
  apply: compareVersions,
};

function compareVersions(subject: Subject): RuleOutcome {
  const notes = subject.files.map((file): Note => {
    const own = versionsIn(file, subject.read(file) ?? '');
    const root = rootVersions(subject, file);
    const different = [...own].filter(([tool, version]) => root.get(tool) !== version);
    if (different.length === 0)
      return { file, action: 'drop', done: 'It was taken away: it says what the root says.', decision: undefined };
    const said = different.map(([tool, version]) => `${tool} ${version} where the root has ${root.get(tool) ?? 'none'}`).join(', ');
    return { file, action: 'keep', done: 'It stays in the package.', decision: `It asks for ${said}: take it away, or change the root.` };
  });
  const edits = new Map(notes.filter(({ action }) => action === 'drop').map(({ file }) => [inPackage(subject, file), undefined] as const));
  return { edits, notes };
}

/** What the root says, in whichever file. */
function rootVersions(subject: Subject, file: string): ReadonlyMap<string, string> {
  const same = subject.monorepo.read(file as RepoPath);
  const files = same === undefined ? ['.nvmrc', '.node-version', '.tool-versions'] : [file];
  return new Map(files.flatMap((one) => [...versionsIn(one, subject.monorepo.read(one as RepoPath) ?? '')]));
}

/** By the name of a tool, `node` or one of asdf, what a file asks for. */
function versionsIn(file: string, text: string): ReadonlyMap<string, string> {
  const lines = text.split(/\r?\n/).flatMap((line) => {
    const bare = line.replace(/#.*/, '').trim();
    return bare === '' ? [] : [bare];
  });
  if (file !== '.tool-versions') return new Map(lines.slice(0, 1).map((line) => ['node', line.replace(/^v(?=\d)/, '')]));
  return new Map(
    lines.map((line) => {
      const [tool = '', ...versions] = line.split(/\s+/);
      return [tool.replace(/^nodejs$/, 'node'), versions.join(' ').replace(/^v(?=\d)/, '')];
    }),
  );
}
