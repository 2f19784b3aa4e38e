import { type CarryOverRule, dropNoted, dropped, kept, nearestAbove, type RuleOutcome, type RuleSubject } from '../rule.js';

export const VERSION_FILES = ['.nvmrc', '.node-version', '.tool-versions'];

export const versionFiles: CarryOverRule = {
  title: 'Versions of tools',
  matches: VERSION_FILES,
  action: 'drop',
  reason: 'a copy of the file of the root is not needed; a different one stays',
  inherits: true,
  apply: compareVersions,
};

function compareVersions(subject: RuleSubject): RuleOutcome {
  const notes = subject.files.map((file) => {
    const own = versionsIn(file, subject.read(file) ?? '');
    const root = rootVersions(subject, file);
    const different = [...own].filter(([tool, version]) => root.get(tool) !== version);
    // What cannot be read says nothing that could be compared.
    if (own.size > 0 && different.length === 0) return dropped(file, 'It was removed: the root has the same versions.');
    // Where the root says nothing, there is nothing to choose from.
    const differences = different.flatMap(([tool, version]) =>
      root.get(tool) === undefined ? [] : [`${tool} \`${version}\` where the root has \`${root.get(tool)}\``],
    );
    return kept(file, differences.length === 0 ? undefined : { text: DIFFERENT, detail: differences.join(', ') });
  });
  return dropNoted(subject, notes);
}

const DIFFERENT = 'It has different versions of tools than the root: delete it, or change the root.';

/** Returns the versions of the nearest folder above, from the same file or, if there is none, another one. */
function rootVersions(subject: RuleSubject, file: string): ReadonlyMap<string, string> {
  const found = nearestAbove(subject, [file]) ?? nearestAbove(subject, VERSION_FILES);
  if (found === undefined) return new Map();
  return versionsIn(found.slice(found.lastIndexOf('/') + 1), subject.monorepo.read(found) ?? '');
}

/** Returns the versions in a file, by tool: `node` or a tool of asdf. */
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
