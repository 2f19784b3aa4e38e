import { describe, expect, test } from '@jest/globals';
import { type Proposal, proposalText } from './proposal-text.js';
import { isUntouched, readMarker, renewMarker } from './text-marker.js';

const TIP = 'a'.repeat(40);
const PAD = { name: 'left-pad', path: 'packages/left-pad', source: 'https://github.com/acme/left-pad', commit: 'b'.repeat(40) };
const UI = { ...PAD, name: '@acme/ui', path: 'packages/ui' };

function textOf(given: Partial<Proposal> = {}) {
  return proposalText({
    kind: 'migration',
    packages: [PAD],
    commits: 6,
    pushTags: 'git push origin refs/tags/left-pad@1.0.0',
    report: undefined,
    owner: 'acme',
    tip: TIP,
    ...given,
  });
}

test('the first line says why a squash destroys history, and the tags are a command', () => {
  const { title, body } = textOf();
  expect(title).toBe('Migrate left-pad to packages/left-pad');
  expect(body.split('\n')[0]).toBe(
    '**Merge this with a merge commit ("Create a merge commit").** A squash or a rebase destroys the whole history of left-pad: ' +
      'the 6 commits of this branch are then not part of the base branch, so "git log" and "git blame" lose the authors, ' +
      'and "migrate-repo verify" and "migrate-repo sync" find no import.',
  );
  expect(body).toContain('\n- **left-pad** in `packages/left-pad`, from `https://github.com/acme/left-pad` at `bbbbbbbbbbbb`\n');
  expect(body).toContain('\n```sh\ngit push origin refs/tags/left-pad@1.0.0\n```\n');
});

test.each<[given: Partial<Proposal>, title: string]>([
  [{ packages: [PAD, UI] }, 'Migrate left-pad, @\u200bacme/ui'],
  [{ packages: [PAD, PAD, PAD, PAD] }, 'Migrate left-pad, left-pad and 2 more'],
  [{ kind: 'sync' }, 'Import new commits of left-pad'],
  [{ packages: [{ ...PAD, path: 'x'.repeat(300) }] }, `Migrate left-pad to ${'x'.repeat(236)}`],
])('title of %j', (given, title) => {
  expect(textOf(given).title).toBe(title);
});

test('a package that is called like a team of the owner mentions nobody, and commands stay as they are', () => {
  const pushTags = 'git push origin refs/tags/@acme/ui@1.0.0';
  const { body } = textOf({ packages: [UI], pushTags, report: '# @acme/ui\n\n`migrate-repo @acme/ui` of @ada\n' });
  expect(body).toContain('\n# @\u200bacme/ui\n\n`migrate-repo @acme/ui` of @\u200bada\n');
  expect(body).toContain(`\n${pushTags}\n`);
});

describe('the marker', () => {
  test('knows what was pushed, and an edited text by its hash, also with the ends of lines that a browser makes', () => {
    const text = textOf();
    const dos = { ...text, body: text.body.replaceAll('\n', '\r\n').trimEnd() };
    expect([readMarker(text.body, 'last')?.tip, isUntouched(text, 'last'), isUntouched(dos, 'last')]).toEqual([TIP, true, true]);
    expect([isUntouched({ ...text, title: 'T' }, 'last'), isUntouched({ ...text, body: `x${text.body}` }, 'last')]).toEqual([false, false]);
    expect([readMarker('mine', 'last'), isUntouched({ title: '', body: '' }, 'last')]).toEqual([undefined, false]);
  });

  test('of an edited text names the new commit, and the text stays edited', () => {
    const { title, body } = textOf();
    const renewed = renewMarker({ title, body: `Look here.\n${body}` }, 'c'.repeat(40), 'last');
    expect(readMarker(renewed.body, 'last')?.tip).toBe('c'.repeat(40));
    expect([renewed.body.startsWith('Look here.\n**Merge'), isUntouched(renewed, 'last')]).toEqual([true, false]);
    expect(renewMarker({ title, body: 'mine' }, TIP, 'last').body).toBe('mine');
  });

  test('is found before what a bot has added, and what it has added stays', () => {
    const { title, body } = textOf();
    const added = { title, body: `${body}\n## Summary by a bot\n` };
    expect([readMarker(added.body, 'last')?.tip, isUntouched(added, 'last')]).toEqual([TIP, false]);
    const renewed = renewMarker(added, 'c'.repeat(40), 'last');
    expect(renewed.body).toBe(added.body.replace(TIP, 'c'.repeat(40)));
  });
});

test('a report of any length fits, is cut between sections, and the marker stays', () => {
  const section = `## Part\n\n${'@ada '.repeat(2000)}\n`;
  const { body } = textOf({ report: `# left-pad\n\n${section.repeat(20)}` });
  expect(body.length).toBeLessThanOrEqual(65_536);
  expect(body).toMatch(
    /@\u200bada\s*\n\n_The report was too long and ends here\. Use --report to write all of it\._\n\n<!-- migrate-repo: a{40} /,
  );
  expect(textOf({ report: 'x'.repeat(70_000) }).body).toContain('_The report');
});
