const joined = /^(\d{4})(\d{2})(\d{2})$/
const parted = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/
const february = 2
const short_months: ReadonlySet<number> = new Set([4, 6, 9, 11])

/** `20180512`, `2018-05-12`, `2018/5/12`, `2018.5.12` as `YYYY-MM-DD`; null when the calendar has no such day. */
export function dayOf(text: string): string | null {
  const [, year = '', month = '', day = ''] = partsOf(text) ?? []
  if (!isDay(Number(year), Number(month), Number(day))) return null
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

/** Does the text look like a day, whether or not there is one? */
export function isDayShaped(text: string): boolean {
  return partsOf(text) !== null
}

function partsOf(text: string): RegExpExecArray | null {
  return joined.exec(text) ?? parted.exec(text)
}

function isDay(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false
  if (month === february) return day <= (isLeap(year) ? 29 : 28)
  return day <= (short_months.has(month) ? 30 : 31)
}

function isLeap(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
}
