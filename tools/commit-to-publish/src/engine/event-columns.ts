/** The columns of Event v1 with their types in DuckDB. */
export const EVENT_COLUMNS = {
  id: 'VARCHAR',
  repo: 'VARCHAR',
  change: 'VARCHAR',
  package: 'VARCHAR',
  consumer: 'VARCHAR',
  stage: 'VARCHAR',
  attempt: 'INTEGER',
  startedAt: 'BIGINT',
  endedAt: 'BIGINT',
  outcome: 'VARCHAR',
  actor: 'VARCHAR',
  source: 'VARCHAR',
  confidence: 'VARCHAR',
  recordedAt: 'BIGINT',
  release: 'VARCHAR',
  channel: 'VARCHAR',
  team: 'VARCHAR',
  url: 'VARCHAR',
  revision: 'INTEGER',
} as const;

/** What every event has. */
export const REQUIRED_COLUMNS = [
  'id',
  'repo',
  'change',
  'package',
  'stage',
  'attempt',
  'startedAt',
  'endedAt',
  'outcome',
  'actor',
  'source',
  'confidence',
  'recordedAt',
] as const satisfies readonly (keyof typeof EVENT_COLUMNS)[];
