import { checked } from '../check-documents.fixture.js';
import type { AffectedInitResult } from './init-result.js';

/** The results that `affected init --json` prints, with every word of the types. */
export function initResults(): readonly AffectedInitResult[] {
  const file = { path: 'tributary.json', content: '{}\n', written: false } as const;
  const project: AffectedInitResult['project'] = {
    root: '',
    packageManager: 'yarn',
    version: '4.9.1',
    linker: 'pnp',
    workspaces: 2,
    tested: 1,
    runners: [{ name: 'jest', workspaces: 1 }],
    turboJson: 'read',
    turboTasks: ['test'],
    turbo: '^2.4.0',
    branch: 'main',
    node: { version: '20', from: '.nvmrc: 20' },
    workflow: {
      path: '.github/workflows/ci.yml',
      extras: ['service db'],
      tests: ['yarn test'],
      others: ['deploy'],
      tasks: [
        { task: 'lint', stays: null },
        { task: 'format', stays: 'it may change files' },
      ],
    },
  };
  const result: AffectedInitResult = {
    schemaVersion: 1,
    state: 'written',
    project,
    findings: checked('plain').findings,
    engines: [{ name: 'github', title: 'GitHub Actions', files: ['.github/workflows/ci.yml'] }],
    engine: 'github',
    form: 'report-only',
    tasks: ['test', 'lint'],
    taken: ['service db', 'variable DB'],
    files: [
      { ...file, purpose: 'settings', state: 'new', written: true },
      { ...file, purpose: 'workflow', state: 'same' },
      { ...file, purpose: 'workflow', state: 'differs' },
    ],
    problems: [{ message: 'It is old.', hint: 'Renew it.' }],
    next: [
      { text: 'Look.', command: 'affected' },
      { text: 'Require the check.', command: null },
    ],
  };
  const bare = { version: null, turboJson: 'missing', turboTasks: null, turbo: null } as const;
  return [
    result,
    { ...result, state: 'planned', engine: null, form: null, tasks: [], project: { ...project, ...bare, packageManager: 'npm' } },
    {
      ...result,
      state: 'unchanged',
      engines: [],
      problems: [],
      findings: null,
      project: { ...project, packageManager: 'unknown', turboJson: 'invalid', turboTasks: null },
    },
  ];
}
