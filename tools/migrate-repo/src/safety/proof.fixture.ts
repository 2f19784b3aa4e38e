import { expect } from '@jest/globals';
import type { TempRepo } from '@tributary/test-repo/temp-repo';
import type { VerifyAllResult } from '../result/import-result.js';
import { createMigrated, type MigrationFixture } from './migration.fixture.js';

export const BRANCH = 'migrate/left-pad';
export const PATH = 'packages/left-pad';

interface Refusal {
  readonly code: string;
  readonly state: unknown;
  readonly by: unknown;
  readonly branch: unknown;
}

interface AllProofs {
  /** The exit code of `verify --all`. */
  readonly exit: number | null;
  readonly proven: number;
  readonly removed: readonly string[];
  readonly failed: readonly string[];
}

export const LOST: AllProofs = { exit: 1, proven: 0, removed: [], failed: ['left-pad: PROOF_MISSING'] };
export const WHOLE: AllProofs = { exit: 0, proven: 1, removed: [], failed: [] };

/** A monorepo with a migration's branch, and the answers of the commands that prove it. */
export class ProofFixture {
  readonly fixture: MigrationFixture;
  readonly source: TempRepo;
  readonly repo: TempRepo;

  private constructor(fixture: MigrationFixture, source: TempRepo) {
    this.fixture = fixture;
    this.source = source;
    this.repo = fixture.monorepo;
  }

  static async create(): Promise<ProofFixture> {
    const { fixture, source } = await createMigrated();
    return new ProofFixture(fixture, source);
  }

  async refused(...args: readonly string[]): Promise<Refusal> {
    const { code, stdout } = await this.fixture.run(['verify', 'left-pad', '--json', ...args]);
    const { error } = JSON.parse(stdout) as { error: { code: string; data: Record<string, unknown> } };
    expect(code).toBe(1);
    return { code: error.code, state: error.data['state'], by: error.data['by'], branch: error.data['branch'] };
  }

  async accepted(...args: readonly string[]): Promise<Record<string, unknown>> {
    const { code, stdout, stderr } = await this.fixture.run(['verify', 'left-pad', '--json', ...args]);
    expect({ code, stderr: code === 0 ? '' : `${stderr}${stdout}` }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout) as Record<string, unknown>;
  }

  async status(): Promise<readonly Record<string, unknown>[]> {
    const { stdout } = await this.fixture.run(['status', '--json']);
    return (JSON.parse(stdout) as { imports: Record<string, unknown>[] }).imports;
  }

  async proveAll(...args: readonly string[]): Promise<AllProofs> {
    const { code, stdout } = await this.fixture.run(['verify', '--all', '--json', ...args]);
    const { proven, removed, failed } = JSON.parse(stdout) as VerifyAllResult;
    return {
      exit: code,
      proven: proven.length,
      removed: removed.map((one) => `${one.name} by ${one.by}`),
      failed: failed.map((one) => `${one.name}: ${one.code}`),
    };
  }
}
