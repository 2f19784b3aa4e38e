import { expect, test } from '@jest/globals';
import { ENGINES } from './engines.js';

/** Commands for logs of CI engines, expressions, options of git and terminal sequences, and names that objects have. */
const HOSTILE = [
  'x\n##vso[task.complete result=Succeeded]',
  'x\n::add-mask::y',
  `\${{ secrets.A }}`,
  '\u001b[31mred',
  '--upload-pack=touch x',
  'main..other',
  'HEAD@{1}',
  '$(id)\n',
  '"; id; "',
  '../../etc/passwd',
  '__proto__',
  '\ud800',
  '\u202e',
  'x'.repeat(100_000),
];
const DETECTED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  github: { GITHUB_EVENT_NAME: 'pull_request' },
  gitlab: { CI_MERGE_REQUEST_IID: '1' },
  buildkite: { BUILDKITE_PULL_REQUEST: '1' },
  circleci: { CIRCLE_BRANCH: 'x' },
  azure: { BUILD_REASON: 'PullRequest' },
  jenkins: { CHANGE_ID: '1' },
};
const EVENTS = [
  '{',
  '[]',
  'null',
  '"x"',
  '{"__proto__":{"before":"x"},"constructor":1}',
  '{"before":"--x","forced":"yes","before":"-y"}',
  `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
  '{"pull_request":{"head":{"sha":"$(id)"},"base":{"ref":"x\\n::error::y"},"number":-1e400},"merge_group":{"base_sha":["x"]}}',
];

test.each(ENGINES.map((engine) => [engine.name, engine] as const))('%s says nothing that hostile variables say', (name, engine) => {
  // Whatever variable an engine asks for, it gets the hostile value.
  for (const value of HOSTILE) {
    const all = new Proxy({} as Record<string, string>, {
      get: (_, key) => DETECTED[name]?.[String(key)] ?? value,
      getOwnPropertyDescriptor: (_, key) => ({ value: DETECTED[name]?.[String(key)] ?? value, configurable: true, enumerable: true }),
    });
    const change = engine.readChange(all, () => '{}');
    // A plain word is the name of a branch, which git gets with `refs/heads/` in front.
    if (value === '__proto__' || value.startsWith('xxx')) continue;
    const said = JSON.stringify({ ...change, base: change.base.kind === 'branch' ? { ...change.base, name: '' } : change.base });
    for (const sign of ['##vso', '::add-mask', '${{', '\\u001b', 'upload-pack', '$(id)', 'passwd'].filter(
      (one) => value.includes(one) || one === '\\u001b',
    ))
      expect(said).not.toContain(sign);
    expect(engine.attempt?.(all) ?? 1).toBe(1);
  }
});

test.each(EVENTS)('GitHub takes nothing from the event %.60s', (event) => {
  const [github] = ENGINES;
  for (const name of ['push', 'pull_request_target', 'merge_group']) {
    const variables = { GITHUB_EVENT_NAME: name, GITHUB_EVENT_PATH: '/event', GITHUB_REF: 'refs/heads/main', GITHUB_SHA: 'a'.repeat(40) };
    const change = github?.readChange(variables, () => event);
    expect(change?.base).toEqual(
      name === 'push' && change?.base.kind === 'push'
        ? expect.objectContaining({ before: null, forced: 'unknown' })
        : expect.objectContaining({ kind: 'unknown' }),
    );
    expect(JSON.stringify(change)).not.toMatch(/\$\(id\)|::error|--x/);
  }
});
