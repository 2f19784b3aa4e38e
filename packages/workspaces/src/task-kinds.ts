/** What a task of turborepo does, as far as its name tells; `other`: nobody knows what it reads. */
export type TaskKind = 'test' | 'build' | 'lint' | 'format' | 'other';

const NAMES: readonly (readonly [TaskKind, RegExp])[] = [
  ['test', /^(?:tests?|unit|integration|e2e|spec|coverage|jest|vitest|mocha|playwright|cypress)$/],
  ['build', /^(?:build|compile|bundle|transpile|tsc|types?|typecheck|type-check|check-types|prepack)$/],
  ['lint', /^(?:lint|eslint|oxlint|biome|stylelint|knip|depcheck|cspell|spellcheck|markdownlint)$/],
  ['format', /^(?:format|fmt|prettier|dprint)$/],
];

/** By the first word of the name: `test:unit` is a test, `lint-fix` a lint. */
export function kindOfTask(task: string): TaskKind {
  const whole = NAMES.find(([, names]) => names.test(task));
  const byFirst = NAMES.find(([, names]) => names.test(task.split(/[:\-_.]/)[0] ?? ''));
  return (whole ?? byFirst)?.[0] ?? 'other';
}
