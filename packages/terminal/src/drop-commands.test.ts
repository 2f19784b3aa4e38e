import { describe, expect, test } from '@jest/globals';
import { dropCommands, dropCommandsInJson, dropCommandsInMarkdown, dropCommandsInXml } from './drop-commands.js';

const SOFT_HYPHEN = '\u00AD';

describe('no command to the log of a CI job', () => {
  test.each<[of: string, text: string, shown: string]>([
    ['Azure, anywhere', 'x ##vso[task.complete result=Succeeded;] y', 'x # #vso[task.complete result=Succeeded;] y'],
    ['Azure and an old GitHub, anywhere', 'a.json##[error]b', 'a.json# #[error]b'],
    ['Azure, with a third sign', '###vso[a.b]', '# # #vso[a.b]'],
    ['Azure, with a sign that .NET does not see', `#${SOFT_HYPHEN}#vso[a.b]`, '#\\u00ad#vso[a.b]'],
    ['Azure, out of what is dropped', '#\x07#vso[a.b]', '# #vso[a.b]'],
    ['GitHub', '::add-mask::a.json', ': :add-mask::a.json'],
    ['GitHub, behind blanks', ' \t::add-mask::a', ' \t: :add-mask::a'],
    ['GitHub, in a second line', 'a\n::error::b\n ::c::', 'a\n: :error::b\n : :c::'],
    ['GitHub, with signs that .NET does not see', `${SOFT_HYPHEN}:\u200D:a::`, '\\u00ad:\\u200d:a::'],
    ['GitHub, out of what is dropped', '\r::stop-commands::x', ': :stop-commands::x'],
  ])('of %s', (_, text, shown) => {
    expect(dropCommands(text)).toBe(shown);
    expect(dropCommands(shown)).toBe(shown);
  });

  test('in Markdown, whose headings stay', () => {
    expect(dropCommandsInMarkdown('## Lead ##[error] time\n\n::error::x\n| `##vso[a.b]` |\n##[error]')).toBe(
      '## Lead # #[error] time\n\n: :error::x\n| `# #vso[a.b]` |\n# #[error]',
    );
  });

  test('in XML, whose value stays', () => {
    const text = '::error::a ##vso[a.b] ###\n ::c\n::';
    const xml = dropCommandsInXml(text);
    expect(xml).toBe(`&#58;:error::a &#35;#vso[a.b] &#35;&#35;#\n &#58;:c\n&#58;:`);
    expect(xml.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))).toBe(text);
    expect(dropCommands(xml)).toBe(xml);
  });

  test('in JSON, whose value stays', () => {
    const value = { '##vso[a.b]': ['###', 'C#', `#${SOFT_HYPHEN}#[error]`, '\\##vso[', '::add-mask::x'] };
    const json = dropCommandsInJson(JSON.stringify(value, undefined, 2));
    expect(JSON.parse(json)).toEqual(value);
    expect(json.replaceAll(SOFT_HYPHEN, '')).not.toContain('##');
    expect(json).not.toMatch(/^\s*::/m);
  });
});

test('what is no command stays', () => {
  const text = '@acme/ui#test: C#, a::b (see 0021) \u001b[32mgreen\u001b[39m\n: one\n\tindented\n';
  expect(dropCommands(text)).toBe(text);
});

test('signs without end cost no time without end', () => {
  for (const sign of ['\n', ' ', '\uFEFF', '#', ':', '\u00A0', SOFT_HYPHEN]) expect(dropCommands(sign.repeat(200_000))).not.toBe('');
});
