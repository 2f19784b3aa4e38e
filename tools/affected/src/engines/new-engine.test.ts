import { afterAll, describe, expect, test } from '@jest/globals';
import { ToolError } from '@tributary/model/errors';
import { systemClock } from '@tributary/terminal/clock';
import { recordStreams } from '@tributary/terminal/recording-streams';
import { Ui } from '@tributary/terminal/ui';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { Command } from 'commander';
import { addPlanCommands } from '../cli/program-plan.js';
import type { Plan } from '../plan/plan.js';
import { formatPlan, sealPlan } from '../plan/seal.js';
import { detectEngine, engineNamed, readAttempt, readCiChange } from './detect.js';
import { ENGINES } from './engines.js';
import { madeUp } from './made-up-engine.fixture.js';
import { planOf } from './plan.fixture.js';
import { A } from './read-change.fixture.js';

// Only this list knows the new engine.
const engines = [...ENGINES, madeUp];
const job = {
  MADE_UP_CI: 'yes',
  MADE_UP_EVENT: 'pull_request',
  MADE_UP_BRANCH: 'main',
  MADE_UP_COMMIT: A,
  MADE_UP_NUMBER: '7',
  MADE_UP_ATTEMPT: '3',
};
const cleanUp = cleanUpIn(afterAll);
const folder = cleanUp.add(new TempFolder());

/** Runs `affected <line>` with the new engine in the list. Returns what it prints to stdout. */
async function run(line: string, known = engines): Promise<string> {
  const streams = recordStreams();
  const ui = new Ui(streams, {}, { quiet: false, verbose: false, color: 'never', input: 'never', json: false });
  const program = new Command('affected').option('--cwd <folder>');
  addPlanCommands(program, { ui, clock: systemClock, signal: new AbortController().signal }, known);
  for (const command of program.commands) command.exitOverride().configureOutput({ writeErr: () => {}, outputError: () => {} });
  await program.parseAsync(line.split(' '), { from: 'user' });
  return streams.stdoutText();
}

function write(plan: Plan): string {
  const { hash: _, ...open } = plan;
  return folder.write('plan.json', formatPlan(sealPlan(open)));
}

describe('a new engine is one object in the list', () => {
  test('its jobs are detected, and those of others still are', () => {
    expect(detectEngine(job, engines)).toBe(madeUp);
    expect(detectEngine({ GITLAB_CI: 'true' }, engines)?.name).toBe('gitlab');
    expect(detectEngine(job)).toBeUndefined();
  });

  test('its change is read', () => {
    expect(readCiChange(job, () => '', engines)).toEqual({
      event: 'pull request',
      base: { kind: 'branch', name: 'main', source: 'MADE_UP_BRANCH' },
      head: A,
      pullRequest: 7,
      repository: null,
    });
    const push = { MADE_UP_CI: 'yes', MADE_UP_EVENT: 'push', MADE_UP_BRANCH: 'main', MADE_UP_BEFORE: A };
    expect(readCiChange(push, () => '', engines)).toMatchObject({ event: 'push', base: { kind: 'push', branch: 'main', before: A } });
  });

  test('its attempts count, behind AFFECTED_ATTEMPT', () => {
    expect(readAttempt(job, engines)).toBe(3);
    expect(readAttempt({ ...job, AFFECTED_ATTEMPT: '4' }, engines)).toBe(4);
    expect(readAttempt(job)).toBe(1);
  });

  test('`affected emit` takes its name and prints what it makes of a plan', async () => {
    expect(await run(`emit made-up --plan ${write(planOf([20, 10]))}`)).toBe('01 02\n');
  });

  test('a plan that it cannot take is refused in its words', async () => {
    const refusal = new ToolError({ code: 'PLAN_INVALID', message: 'It takes 2 shards.', hint: 'Plan with --max-shards 2.' });
    const refuse = (): never => {
      throw refusal;
    };
    await expect(run(`emit made-up --plan ${write(planOf([3, 2, 1]))}`, [{ ...madeUp, emit: refuse }])).rejects.toBe(refusal);
  });

  test('an unknown name is refused with a list that has it', async () => {
    await expect(run('emit travis --plan plan.json')).rejects.toThrow(/Allowed choices are github, .*, jenkins, made-up\./);
    expect(() => engineNamed('travis', engines)).toThrow(
      expect.objectContaining({ code: 'USAGE', hint: expect.stringContaining('jenkins, made-up.') }),
    );
  });
});

test('every engine has a name of its own', () => expect(new Set(ENGINES.map(({ name }) => name)).size).toBe(ENGINES.length));
