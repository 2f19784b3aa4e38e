import type { CarryOverRule } from './rule.js';

/** The rules as a table in Markdown, in their order. */
export function renderRules(rules: readonly CarryOverRule[]): string {
  const rows = rules.map(({ title, matches, action, reason }) => {
    const files = matches.map((glob) => `\`${glob.replaceAll('|', '\\|')}\``).join(' ');
    return `| ${title} | ${files} | ${action} | ${reason} |`;
  });
  return ['| what | files | action | because |', '| --- | --- | --- | --- |', ...rows].join('\n');
}
