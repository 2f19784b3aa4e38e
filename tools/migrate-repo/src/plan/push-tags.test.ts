import { expect, test } from '@jest/globals';
import { pushTagsCommand } from './push-tags.js';

const many = (name: string): readonly string[] => [1, 2, 3, 4, 5, 6].map((at) => `${name}@${at}.0.0`);

test('tags are pushed by name, and those of nobody are no command', () => {
  expect(pushTagsCommand('origin', [['left-pad@1.0.0', 'left-pad@1.1.0'], ['@acme/ui@2.0.0']], [])).toBe(
    'git push origin refs/tags/left-pad@1.0.0 refs/tags/left-pad@1.1.0 refs/tags/@acme/ui@2.0.0',
  );
  expect(pushTagsCommand('origin', [[], []], ['other'])).toBe(undefined);
});

test('many become a pattern only where it takes no other tag along', () => {
  const tags = many('left-pad');
  expect(pushTagsCommand('origin', [tags], [...tags, 'other'])).toBe("git push origin 'refs/tags/left-pad@*'");
  expect(pushTagsCommand('origin', [tags], [...tags, 'left-pad@draft'])).toBe(
    `git push origin ${tags.map((tag) => `refs/tags/${tag}`).join(' ')}`,
  );
  expect(pushTagsCommand('origin', [[...tags, 'v1']], [])).toContain('refs/tags/v1');
});

test('what a shell would read is quoted', () => {
  expect(pushTagsCommand("o'r", [["a'b;$(x)"]], [])).toBe("git push 'o'\\''r' 'refs/tags/a'\\''b;$(x)'");
});
