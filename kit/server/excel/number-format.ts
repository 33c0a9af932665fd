/** How the number of a cell is to be read; everything that is no date (money, percent, fractions) gives the plain number. */
export type NumberFormat = 'plain' | 'date' | 'time' | 'scientific'

const timeIds = new Set([18, 19, 20, 21, 32, 33, 45, 47])
const scientificIds = new Set([11, 48])

/** Reads a number format: a built-in one by its id, or an own one by its code. Ids 27–36 and 50–58 are the Chinese dates. */
export function readNumberFormat(id: number, code: string | undefined): NumberFormat {
  if (code !== undefined) return readCode(code)
  if (timeIds.has(id)) return 'time'
  if (scientificIds.has(id)) return 'scientific'
  const date = (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58)
  return date ? 'date' : 'plain'
}

function readCode(code: string): NumberFormat {
  // Hours counted beyond a day ([h]:mm) are a quantity, not a time of day.
  if (/\[[hms]+\]/i.test(code)) return 'plain'
  const bare = code
    .replace(/"[^"]*"|\\.|_.|\*.|\[[^\]]*\]/g, '')
    .split(';', 1)
    .join('')
  if (/[0#?]E[+-]/i.test(bare)) return 'scientific'
  if (/general/i.test(bare)) return 'plain'
  if (/[yd年月日]/i.test(bare) || /^[^hs]*m[^hs]*$/i.test(bare)) return 'date'
  return /[hs]/i.test(bare) ? 'time' : 'plain'
}

const day = 86_400
const lastSerial = 2_958_465

/**
 * The text of a number as a person wrote it: no exponent up to 15 digits, at most 15 significant digits (Excel keeps no more).
 * From 10^15 on digits are lost: the text is then scientific, `3.7020020180512E+17`, as for cells formatted that way.
 */
export function numberText(value: number, format: NumberFormat): string {
  if (format === 'scientific' || Math.abs(value) >= 1e15) return scientific(value)
  const rounded = Number(value.toPrecision(15))
  const text = String(rounded)
  return text.includes('e') ? rounded.toFixed(20).replace(/\.?0+$/, '') : text
}

function scientific(value: number): string {
  const [mantissa = '', exponent = ''] = value.toExponential().split('e')
  return `${mantissa}E${exponent}`
}

/**
 * The text of a date or time: `YYYY-MM-DD`, with ` HH:mm` (and seconds when there are any) after it when the cell holds a time
 * too, `HH:mm` alone for a time of day. Undefined when the number lies outside the calendar.
 * Source: ECMA-376 part 1, 18.17.4; day 60 of the 1900 system is the 29 February 1900 that never was.
 */
export function dateText(serial: number, format: 'date' | 'time', date_1904: boolean): string | undefined {
  const seconds = Math.round(serial * day)
  const days = Math.floor(seconds / day)
  if (seconds < 0 || days > lastSerial) return undefined
  const time = timeText(seconds - days * day)
  if (format === 'time' && days === 0) return time
  const date = date_1904 ? isoDate(Date.UTC(1904, 0, 1), days) : date1900(days)
  return seconds % day === 0 ? date : `${date} ${time}`
}

function date1900(days: number): string {
  if (days === 60) return '1900-02-29'
  return isoDate(Date.UTC(1899, 11, days < 60 ? 31 : 30), days)
}

function isoDate(epoch: number, days: number): string {
  return new Date(epoch + days * day * 1000).toISOString().slice(0, 10)
}

function timeText(seconds: number): string {
  const text = new Date(seconds * 1000).toISOString().slice(11, 19)
  return text.endsWith(':00') ? text.slice(0, 5) : text
}
