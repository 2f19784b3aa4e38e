/** What a task of turborepo does, judged by its name; `other`: its inputs are unknown. */
export type TaskKind = 'test' | 'build' | 'lint' | 'format' | 'other';

const NAMES: readonly (readonly [TaskKind, RegExp])[] = [
  ['test', /^(?:tests?|unit|integration|e2e|spec|coverage|jest|vitest|mocha|playwright|cypress)$/],
  ['build', /^(?:build|compile|bundle|transpile|tsc|types?|typecheck|type-check|check-types|prepack)$/],
  ['lint', /^(?:lint|eslint|oxlint|biome|stylelint|knip|depcheck|cspell|spellcheck|markdownlint)$/],
  ['format', /^(?:format|fmt|prettier|dprint)$/],
];

/** Words for where or how often a task runs, not for what it reads. */
const QUALIFIER =
  /^(?:all|browser|chrome|chromium|ci|cjs|dev|esm|fast|firefox|fix|full|local|node|parallel|prod|quick|safari|serial|shard|slow|watch|webkit|\d+)$/;

/** Returns the kind by the words of the name: `test:unit` is a test, `lint-fix` a lint. `test:lint` and `build:docs` may read anything. */
export function kindOfTask(task: string): TaskKind {
  const kindOf = (word: string): TaskKind => NAMES.find(([, names]) => names.test(word))?.[0] ?? 'other';
  if (kindOf(task) !== 'other') return kindOf(task);
  const kinds = new Set(
    task
      .split(/[:\-_.]/)
      .filter((word) => !QUALIFIER.test(word))
      .map(kindOf),
  );
  const [kind = 'other'] = kinds;
  return kinds.size === 1 ? kind : 'other';
}

/** Tells whether a task of the kind makes nothing of tests for others. Of a build or an unknown task, that is unknown. */
export function areTestsApart(kind: TaskKind = 'test'): boolean {
  return kind === 'test' || kind === 'lint' || kind === 'format';
}
