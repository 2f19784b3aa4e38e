import type { CarryOverRule } from './rule.js';

/** Returns the documentation page about the rules, in Markdown: which files, what becomes of them, and why. */
export function renderRules(rules: readonly CarryOverRule[]): string {
  const rows = rules.map(({ title, matches, action, reason }) => {
    const files = matches.map((glob) => `\`${glob.replaceAll('|', '\\|')}\``).join(' ');
    return `| ${title} | ${files} | ${action} | ${reason} |`;
  });
  return `${HEAD}\n\n| what | files | action | because |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`;
}

const HEAD = `# What happens to each file

Many files work only at the root of a repository, and an imported package is no longer a root. \`migrate-repo\` applies the first matching rule
to every file at the top of the package and in the folders named here. Files in other folders stay as they are.

- **keep**: it stays in the package. The report says if you should check its paths, its reader or its place.
- **merge**: its content goes into a file of the root, for this package only. The file is removed if nothing would read it any more. In a file of lines, that is a
  block between \`# begin <package> (migrate-repo)\` and \`# end <package>\`; in JSON and YAML, an entry with a key. A second run changes nothing.
- **drop**: it is removed. Its history stays.

A rule may do less than its action, for example if the root has nothing to merge with or has different content. The report says what was done to each file and what a
person must decide. Patterns are globs relative to the folder of the package, and ignore case.`;
