import { foldFullWidth } from './text.ts'

const from = (first: number, last: number): string[] => Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at))
const capitals = [...from(0x41, 0x5a), ...from(0xc0, 0xde), ...from(0x100, 0x12f), ...from(0x132, 0x17e), ...from(0x391, 0x3ab), ...from(0x400, 0x42f)]
  .filter(sign => sign.toLowerCase() !== sign)
const wide = from(0xff01, 0xff5e)

/**
 * What the key of a name is made of, for both its writings: `nameKey` here and `nameKeyOf` of kit/server/db. `unseen`, `blanks` and `han` are insides of a
 * bracket expression, signs beyond U+FFFF as `\u{…}`.
 */
export const name_parts = {
  /** signs without a width, which a copied text carries along */
  unseen: '\\u00ad\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2064\\u2066-\\u2069\\ufeff\\ufe00-\\ufe0f',
  blanks: '\\t\\n\\r\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000 ',
  han: '\\u2e80-\\u2fdf\\u3005-\\u3007\\u3021-\\u3029\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\u{20000}-\\u{3ffff}',
  /** signs people type for the dot inside a name; `·` is the one of the key */
  dots: '\u2022\u30fb\u2027\u2219\u22c5\uff65\u0387\u2024\u25cf\u25e6\u2e31\u2e33\u318d\ua78f\u16eb',
  wide: wide.join(''),
  narrow: wide.map(sign => String.fromCharCode(sign.charCodeAt(0) - 0xfee0)).join(''),
  capitals: capitals.join(''),
  small: capitals.map(sign => sign.toLowerCase()).join(''),
}

const unseen = new RegExp(`[${name_parts.unseen}]`, 'gu')
const blanks = new RegExp(`[${name_parts.blanks}]+`, 'gu')
const point_in_han = new RegExp(`(?<=[${name_parts.han}]) ?\\. ?(?=[${name_parts.han}])`, 'gu')
const blank_in_han = new RegExp(`(?<=[${name_parts.han}]) (?=[${name_parts.han}])`, 'gu')
const folded = new Map([
  ...[...name_parts.dots].map(sign => [sign, '·'] as const),
  ...[...name_parts.wide].map((sign, at) => [sign, name_parts.narrow.charAt(at)] as const),
])
const lowered = new Map([...name_parts.capitals].map((sign, at) => [sign, name_parts.small.charAt(at)]))

/**
 * What names are compared and searched by; names stay as they are typed. Two that look the same have one key: composed, Latin without case and full width,
 * every dot `·`, no blanks between Han signs and beside a dot, other runs of blanks one blank.
 */
export function nameKey(text: string): string {
  // Most names are two or three Han signs with nothing to fold.
  if (/^[\u4e00-\u9fff]*$/.test(text)) return text
  return each(each(text.normalize('NFC').replace(unseen, ''), folded)
    .replace(blanks, ' ')
    .replace(/ ?· ?/g, '·')
    .replace(point_in_han, '·')
    .replace(blank_in_han, '')
    .replace(/^ | $/g, ''), lowered)
}

/** Do two names look the same? */
export function isSameName(name: string, other: string): boolean {
  return name === other || nameKey(name) === nameKey(other)
}

/** Does the name hold what somebody typed to find it? */
export function holdsName(name: string, typed: string): boolean {
  return nameKey(name).includes(nameKey(typed))
}

/** What numbers of people are compared by: those that differ in case or full width only are one. */
export function numberKey(text: string): string {
  return foldFullWidth(text).trim().toLowerCase()
}

/** What serial numbers of devices are compared by. */
export function serialKey(text: string): string {
  return foldFullWidth(text).trim().toUpperCase()
}

function each(text: string, signs: ReadonlyMap<string, string>): string {
  return [...text].map(sign => signs.get(sign) ?? sign).join('')
}
