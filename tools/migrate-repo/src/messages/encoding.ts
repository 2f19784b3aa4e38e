import { isUtf8 } from 'node:buffer';

/**
 * How the bytes of a message may be changed. `utf-8`: freely. `ascii`: only ASCII characters may be added. `none`: not
 * at all, because a byte may not be the character it looks like.
 */
export type MessageEncoding = 'utf-8' | 'ascii' | 'none';

// In all of these encodings, a byte below 128 is an ASCII character. In Shift_JIS, GBK and Big5, it can be the second
// half of another character. In ISO-2022, HZ and UTF-7, it can be part of anything.
const ASCII_SAFE =
  /^ansi_x3\.4-1968$|^mac(?:intosh|roman)$|^tis-620$|^cp(?:437|85\d|866)$|^(?:us-)?ascii$|^iso-?8859-?\d+$|^latin-?\d+$|^(?:windows|cp)-?125\d$|^koi8-[ru]$|^euc-(?:jp|kr|cn|tw)$|^gb2312$/i;

/**
 * Returns the encoding of a message. `name` is the one in the commit's header; without it, git assumes UTF-8. `message`
 * has bytes as Latin-1 text.
 */
export function encodingOf(name: string | undefined, message: string): MessageEncoding {
  if (name !== undefined && !/^utf-?8$/i.test(name)) return ASCII_SAFE.test(name) ? 'ascii' : 'none';
  return isUtf8(Buffer.from(message, 'latin1')) ? 'utf-8' : 'ascii';
}
