import { foldFullWidth } from '@kit/contract/checks'

/** What the name of a picture may say. */
export type PhotoName = {
  /** the name without what a copy adds to it */
  whole: string
  /** parts that may be a number or an identity document, the likeliest first; not the whole */
  numbers: string[]
  /** a class or department beside a name */
  pairs: { dept: string; user_name: string }[]
  /** what is left beside the numbers, in Chinese */
  words: string[]
}

const extension = /\.(?:jpe?g|png|gif|webp|heic|heif|bmp|tiff?)$/i
const copies = [/\s*[(（]\s*\d{1,3}\s*[)）]$/, /[\s_-]*(?:副本|复件|拷贝|copy)\s*\d{0,3}$/i, /^(?:复件|副本)\s*(?:[(（]\d{1,3}[)）])?\s*/, extension]
const separators = /[_\-—–+,，、.\s()（）【】[\]]+/
const between = /[_\-—–+\s]+/g
const number_alone = /^(?=.*\d)[0-9A-Za-z_-]+$/
/** Without a sign between number and name only a longer number is taken for one: 1班王子涵 is none. */
const glued = /^([0-9A-Za-z]{4,})(?=\p{Script=Han})|(?<=\p{Script=Han})([0-9A-Za-z]{4,})$/gu
/** A picture may say what it is. */
const plain_word = /照|相片|头像|学籍|寸|年级|班/

/** Takes the name of a picture apart: `20260101`, `20260101(1)`, `20260101_王子涵`, `王子涵20260101`, `一年级1班_王子涵`. */
export function photoName(who: string): PhotoName {
  const whole = withoutCopies(foldFullWidth(who).trim())
  const parts = whole.split(separators).filter(part => part !== '')
  const sides = [...whole.matchAll(between)].flatMap(({ index, 0: sign }) => [whole.slice(0, index).trim(), whole.slice(index + sign.length).trim()])
  const joined = [...whole.matchAll(glued)].map(([number]) => number)
  const numbers = new Set([...sides, ...parts, ...joined].filter(part => part !== whole && number_alone.test(part)))
  const pairs = [...whole.matchAll(between)].toReversed().flatMap(({ index, 0: sign }) => {
    const [left, right] = [whole.slice(0, index).trim(), whole.slice(index + sign.length).trim()]
    return left === '' || right === '' ? [] : [{ dept: left, user_name: right }, { dept: right, user_name: left }]
  })
  const words = parts.map(part => part.replace(glued, '')).filter(part => /\p{Script=Han}/u.test(part) && !plain_word.test(part))
  return { whole, numbers: [...numbers].toSorted((a, b) => b.length - a.length), pairs, words }
}

function withoutCopies(text: string): string {
  const shorter = copies.reduce((rest, copy) => rest.replace(copy, ''), text).trim()
  if (shorter === '') return text
  return shorter === text ? text : withoutCopies(shorter)
}

/** Pictures that say the same number or name are of one person. */
export function photoKey(who: string): string {
  const { whole, numbers } = photoName(who)
  return number_alone.test(whole) ? whole : (numbers.find(number => number.length >= 4) ?? whole)
}

/** Does a name that gives a number also give another person's name? */
export function isOtherName({ whole, words }: PhotoName, user_name: string, depts: ReadonlySet<string>): boolean {
  return !whole.includes(user_name) && words.some(word => !depts.has(word))
}

const by_brand = /^ftyp(heic|heix|hevc|hevx|heim|heis|mif1|msf1|avif|avis)/
const by_magic: readonly (readonly [format: string, sign: RegExp])[] = [['BMP', /^BM/], ['TIFF', /^(?:II\*\0|MM\0\*)/], ['PDF', /^%PDF/], ['PSD', /^8BPS/], ['SVG', /^\s*(?:<\?xml[^>]*>\s*)?<svg/]]

/** The format of a picture that is not taken, by its first bytes or its name; null when it has none of those. */
export function foreignFormat(file: string, bytes: Buffer | null): string | null {
  const head = bytes?.toString('latin1', 0, 200) ?? ''
  const brand = by_brand.exec(head.slice(4))?.[1]
  if (brand !== undefined) return brand.startsWith('avi') ? 'AVIF' : 'HEIC'
  const found = by_magic.find(([, sign]) => sign.test(head))
  if (found) return found[0]
  return /\.(heic|heif)$/i.test(file) ? 'HEIC' : null
}
