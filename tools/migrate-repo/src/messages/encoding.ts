import { isUtf8 } from 'node:buffer';

/** How far the bytes of a message can be changed: `utf-8`; `ascii`: only characters of ASCII may be added; `none`: its bytes are not what they look like. */
export type MessageEncoding = 'utf-8' | 'ascii' | 'none';

// In all of these a byte below 128 is the character of ASCII. In Shift_JIS, GBK, Big5 it can be the second half of another one, in ISO-2022, HZ and
// UTF-7 a part of anything.
const ASCII_SAFE =
  /^ansi_x3\.4-1968$|^mac(?:intosh|roman)$|^tis-620$|^cp(?:437|85\d|866)$|^(?:us-)?ascii$|^iso-?8859-?\d+$|^latin-?\d+$|^(?:windows|cp)-?125\d$|^koi8-[ru]$|^euc-(?:jp|kr|cn|tw)$|^gb2312$/i;

/** `name`: what the commit's header says; without one git takes the message for UTF-8. `message`: bytes as Latin-1 text. */
export function encodingOf(name: string | undefined, message: string): MessageEncoding {
  if (name !== undefined && !/^utf-?8$/i.test(name)) return ASCII_SAFE.test(name) ? 'ascii' : 'none';
  return isUtf8(Buffer.from(message, 'latin1')) ? 'utf-8' : 'ascii';
}
