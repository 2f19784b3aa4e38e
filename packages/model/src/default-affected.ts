import { byName } from './config-reading.js';

/**
 * The block `affected` of a project without tributary.json; `config.ts` checks that it is an `AffectedConfig`. A file of its own: nearly every
 * answer needs it, and few need the parser.
 */
export const DEFAULT_AFFECTED = {
  base: undefined,
  rules: [],
  always: [],
  rootOnlyDependencies: [],
  edges: byName<never>([]),
  dropped: [],
  turboInputs: 'respect',
  reach: { documentation: 'itself', versions: 'itself', testDependencies: 'itself', tests: 'itself' },
  strictScripts: false,
} as const;
