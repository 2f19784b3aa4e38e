import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Annotation } from './engine-log.js';
import { githubLog } from './github-log.js';

interface Command {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly data: string;
}

/** Reads a line as the runner does: actions/runner, `ActionCommand.TryParseV2`. */
function parseCommand(line: string): Command | undefined {
  const [, info, data = ''] = /^\s*::(.*?)::(.*)$/s.exec(line) ?? [];
  if (info === undefined) return undefined;
  const space = info.indexOf(' ');
  const list = space === -1 ? [] : info.slice(space + 1).split(',');
  const plain = (text: string, more: string): string =>
    text.replace(new RegExp(`%(0D|0A|${more}25)`, 'g'), (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  const properties = list.map((one) => {
    const at = one.indexOf('=');
    return [one.slice(0, at), plain(one.slice(at + 1), '3A|2C|')];
  });
  return { name: space === -1 ? info : info.slice(0, space), properties: Object.fromEntries(properties), data: plain(data, '') };
}

const annotation: Annotation = { file: 'packages/ui/a.test.ts', line: 7, title: 'ui: adds', message: 'expected 1\nreceived 2' };

test('an annotation is a command with the place, the name and what was said', () => {
  expect(githubLog.annotate(annotation)).toBe('::error file=packages/ui/a.test.ts,line=7,title=ui%3A adds::expected 1%0Areceived 2');
  expect(githubLog.annotate({ ...annotation, line: null })).not.toContain('line=');
  expect(githubLog.annotate({ ...annotation, file: null })).toBe('::error title=ui%3A adds::expected 1%0Areceived 2');
});

describe('nothing in its texts', () => {
  test.each([
    ['::stop-commands::x', '\n::add-mask::a\n'],
    ['a,file=/etc/passwd', '%0A::error::b'],
    ['100%25', '\r\n##[error]x'],
  ])('is a command: %j', (title, message) => {
    const line = githubLog.annotate({ ...annotation, title, message });
    expect(line).not.toMatch(/[\r\n]/);
    expect(parseCommand(line)).toEqual({ name: 'error', properties: { file: annotation.file, line: '7', title }, data: message });
  });

  test('is lost or means anything, whatever it is', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('%', ':', ',', '=', '\n', '\r', '0A', '25', 'a', '#[') }),
    );
    fc.assert(
      fc.property(text, text, text, (file, title, message) => {
        const line = githubLog.annotate({ file, line: 1, title, message });
        expect(line).not.toMatch(/[\r\n]/);
        expect(parseCommand(line)).toEqual({ name: 'error', properties: { file, line: '1', title }, data: message });
      }),
    );
  });
});

test('commands are stopped, and obeyed again behind a line that was not ended', () => {
  expect(githubLog.mute('0a')).toEqual({ before: '::stop-commands::0a\n', after: '\n::0a::\n' });
});
