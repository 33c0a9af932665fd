const joined = /^(\d{4})(\d{2})(\d{2})$/
const parted = /^(\d{4}) ?([-/.]|年) ?(\d{1,2}) ?(?:[-/.]|月) ?(\d{1,2}) ?[日号]?$/
const monthParted = /^(\d{4})(?: ?(?:[-/.]|年) ?(\d{1,2}) ?月?|(\d{2}))$/
const midnight = /(?:T| |([日号]))(?:0?0:00(?::00(?:\.0+)?)?|12:00(?::00)? ?AM|(?:上午|凌晨) ?(?:12|0?0):00(?::00)?)(?: ?Z| ?[+-]\d{2}:?\d{2})?$/i
const clock = /(?:T| |([日号]))(?:(?:上午|下午|凌晨) ?)?\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?: ?[AP]M)?(?: ?Z| ?[+-]\d{2}:?\d{2})?$/i
const weekday = / ?\(?(?:星期|周|礼拜)[一二三四五六日天]\)?$/
const hanDay = /^([〇零○一二三四五六七八九]{4})年([一二三四五六七八九十]{1,3})月(?:([一二三四五六七八九十]{1,3})[日号])?$/
const february = 2
const short_months: ReadonlySet<number> = new Set([4, 6, 9, 11])

/**
 * `20180512`, `2018-05-12`, `2018/5/12`, `2018.5.12`, `2018年5月12日`, `二〇一八年五月十二日`, with a weekday or a midnight after it or
 * without, as `YYYY-MM-DD`; null when the calendar has no such day.
 */
export function dayOf(text: string): string | null {
  const parts = partsOf(plain(text).replace(midnight, '$1'))
  if (parts === null || !isDay(...parts)) return null
  const [year, month, day] = parts
  return `${year}-${twoDigits(month)}-${twoDigits(day)}`
}

/** `202509`, `2025-09`, `2025/9`, `2025年9月` and the first day of a month, which is what Excel makes of it, as `YYYYMM`; else null. */
export function monthOf(text: string): string | null {
  const folded = withDigits(plain(text))
  const [, year, parted_month, joined_month = ''] = monthParted.exec(folded) ?? []
  if (year !== undefined) return year + (parted_month ?? joined_month).padStart(2, '0')
  const day = dayOf(text)
  return day?.endsWith('-01') ? day.slice(0, 7).replace('-', '') : null
}

/** Does the text look like a day, whether or not there is one? */
export function isDayShaped(text: string): boolean {
  return partsOf(plain(text).replace(midnight, '$1')) !== null
}

/** Is the text a day with a time after it, other than midnight? */
export function hasTime(text: string): boolean {
  const folded = plain(text)
  return clock.test(folded) && isDayShaped(folded.replace(clock, '$1'))
}

/** Full-width signs as ASCII, runs of blanks as one, no weekday. */
function plain(text: string): string {
  return text.normalize('NFKC').replace(/\s+/g, ' ').trim().replace(weekday, '')
}

function partsOf(text: string): [number, number, number] | null {
  const folded = withDigits(text)
  const [, year, month, day] = joined.exec(folded) ?? []
  if (year !== undefined) return [Number(year), Number(month), Number(day)]
  const found = parted.exec(folded)
  return found ? [Number(found[1]), Number(found[3]), Number(found[4])] : null
}

/** A date in Chinese numerals, in digits; any other text as it is. */
function withDigits(text: string): string {
  const [, year, month = '', day] = hanDay.exec(text) ?? []
  if (year === undefined) return text
  return `${[...year].map(hanDigit).join('')}年${hanNumber(month)}月${day === undefined ? '' : `${hanNumber(day)}日`}`
}

function hanDigit(sign: string): number {
  return Math.max(0, '〇一二三四五六七八九'.indexOf(sign))
}

/** 一 to 三十一. */
function hanNumber(text: string): number {
  const [tens = '', ones] = text.split('十')
  return ones === undefined ? hanDigit(tens) : (tens === '' ? 1 : hanDigit(tens)) * 10 + (ones === '' ? 0 : hanDigit(ones))
}

function twoDigits(part: number): string {
  return String(part).padStart(2, '0')
}

function isDay(year: number, month: number, day: number): boolean {
  if (year === 0 || month < 1 || month > 12 || day < 1) return false
  if (month === february) return day <= (isLeap(year) ? 29 : 28)
  return day <= (short_months.has(month) ? 30 : 31)
}

function isLeap(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
}
