import { isInside, type RepoPath, relativeTo } from '@tributary/model/paths';
import type { TreeFiles } from '../align/project.js';
import type { Message } from '../message.js';
import { someOf } from '../text.js';
import { type AttributeRule, AttributeRules } from './git-attributes.js';
import type { CarriedPackage } from './repository.js';
import type { CarryOverFinding } from './rule.js';

/**
 * Reports rules of .gitattributes files above an imported package that would make git store its files differently, one
 * finding for each rule. git then considers these files modified. Covers filters, such as Git LFS, and line ends.
 */
export function changedAttributes(files: TreeFiles, importedPackages: readonly CarriedPackage[]): readonly CarryOverFinding[] {
  const rules = new AttributeRules(files);
  return importedPackages.flatMap((importedPackage) => {
    const own = files.paths.filter(
      (path) => isInside(path, importedPackage.path) && !importedPackage.links.has(path) && !importedPackage.submodules.includes(path),
    );
    return [
      ...findingsFor(
        importedPackage,
        FILTER,
        own.map((path) => [path, filteredBy(path, importedPackage, rules)] as const),
      ),
      ...findingsFor(
        importedPackage,
        LINE_ENDS,
        own.map((path) => [path, convertedBy(path, { files, rules })] as const),
      ),
    ];
  });
}

const FILTER =
  'A rule above the package applies a filter to files that are stored unfiltered, so git will show them as changed. Normalize them ("git add --renormalize"), or make an exception ("-filter") in the .gitattributes of the package.';

const LINE_ENDS =
  'A rule above the package converts line ends, but files are stored with CRLF, so git will show them as changed. Normalize them ("git add --renormalize"), or make an exception ("-text") in the .gitattributes of the package.';

function filteredBy(path: RepoPath, { path: folder }: CarriedPackage, rules: AttributeRules): AttributeRule | undefined {
  const { state, rule } = rules.stateOf('filter', path);
  if (typeof state !== 'string' || rule === undefined || isInside(rule.file, folder)) return undefined;
  return rules.stateOf('filter', path, folder).state === state ? undefined : rule;
}

/** Returns the rule that would convert line ends. With `text=auto`, git leaves stored CRLF line ends unchanged. */
function convertedBy(
  path: RepoPath,
  { files, rules }: { readonly files: TreeFiles; readonly rules: AttributeRules },
): AttributeRule | undefined {
  const [text, eol] = [rules.stateOf('text', path), rules.stateOf('eol', path)];
  const decides = text.state === true ? text.rule : text.state === undefined && typeof eol.state === 'string' ? eol.rule : undefined;
  return decides !== undefined && files.read(path)?.includes('\r\n') === true ? decides : undefined;
}

function findingsFor(
  importedPackage: CarriedPackage,
  text: string,
  ruled: readonly (readonly [RepoPath, AttributeRule | undefined])[],
): readonly CarryOverFinding[] {
  const groups = new Map<string, { readonly rule: AttributeRule; readonly files: string[] }>();
  for (const [path, rule] of ruled) {
    if (rule === undefined || isInside(rule.file, importedPackage.path)) continue;
    const key = `${rule.file}:${rule.line}`;
    const group = groups.get(key) ?? { rule, files: [] };
    group.files.push(`\`${relativeTo(importedPackage.path, path)}\``);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ rule, files }) =>
    describe(importedPackage, { topic: 'behaviour', text, detail: `${placeOf(rule)}, which matches ${someOf(files)}` }),
  );
}

function placeOf({ file, line, pattern }: AttributeRule): string {
  return `\`${file}:${line}\` has \`${pattern.replaceAll('`', "'")}\``;
}

function describe({ name }: CarriedPackage, decision: Message): CarryOverFinding {
  const reason = 'a .gitattributes also applies to the folders below it';
  return {
    importedPackage: name,
    rule: 'Files that git would store differently',
    file: '',
    action: 'keep',
    done: undefined,
    remarks: [decision],
    reason,
  };
}
