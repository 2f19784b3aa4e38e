/**
 * Characters that change the direction of the text around them or take no room: a name with one looks like another name. A joiner within an
 * emoji stays.
 */
const INVISIBLE =
  /(?<!\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)\u200d|\u200d(?!\p{Extended_Pictographic})|[\u00ad\u061c\u115f\u1160\u180e\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\u{e0000}-\u{e007f}]/gu;

/** Returns a text in which characters that nobody sees are written as escapes, such as `\u202e`. */
export function showInvisible(text: string): string {
  return text.replace(INVISIBLE, escapesOf);
}

function escapesOf(text: string): string {
  return [...Array(text.length).keys()].map((at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');
}
