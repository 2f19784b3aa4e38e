import { ROOT_ONLY_DEPENDENCIES } from '@tributary/workspaces/root-dependencies';
import type { Page } from './render.js';
import type { RulesInForce } from './result.js';

type Rule = RulesInForce['rules'][number];

/** Renders the rules in force for people, in the order in which they are tried; `own`: only those of the repository's files. */
export function renderRules({ rules, rootOnlyDependencies, always }: RulesInForce, page: Page, which: 'all' | 'own'): string {
  const from = (source: Rule['source']): readonly Rule[] => rules.filter((rule) => rule.source === source);
  const isAll = which === 'all';
  const dependencies = rootOnlyDependencies.filter((one) => isAll || !ROOT_ONLY_DEPENDENCIES.includes(one));
  return [
    ...renderSource(page, 'Rules of tributary.json; the first match in this list applies', from('tributary.json')),
    ...renderSource(page, 'Global dependencies of turbo.json', from('turbo.json')),
    ...(isAll ? renderSource(page, 'Built in, for other files outside workspaces, unless their content decides', from('built-in')) : []),
    ...(isAll ? [page.bold('Files of CI engines are read'), CI_FILES, ''] : []),
    ...(dependencies.length === 0 ? [] : [page.bold(ROOT_ONLY), `  ${dependencies.join(', ')}`, '']),
    ...(always.length === 0 ? [] : [page.bold('In every answer'), `  ${always.join(', ')}`, '']),
    ...(isAll ? [] : ['The built-in rules: affected check --rules']),
  ]
    .join('\n')
    .trimEnd();
}

const CI_FILES = '  in CI: files that the running workflow uses; elsewhere: files that can run tests';
const ROOT_ONLY = 'Dependencies of the root package.json that select only the root';

function renderSource(page: Page, title: string, rules: readonly Rule[]): readonly string[] {
  if (rules.length === 0) return [];
  const lines = rules.map(({ files, affects }) => `  ${[affects].flat().join(', ').padEnd(6)} ${files.join(', ')}`);
  return [page.bold(title), ...lines, ''];
}
