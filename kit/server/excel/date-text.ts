const day = 86_400
const lastSerial = 2_958_465
/** A midnight that another program wrote is off by up to 43 seconds: local mean time of Shanghai before 1901 against UTC+8. */
const nearMidnight = 60

/**
 * The text of a date or time: `YYYY-MM-DD`, with ` HH:mm` (and seconds when there are any) after it when the cell holds a time
 * too, `HH:mm` alone for a time of day. Undefined when the number lies outside the calendar.
 * Source: ECMA-376 part 1, 18.17.4; day 60 of the 1900 system is the 29 February 1900 that never was.
 */
export function dateText(serial: number, format: 'date' | 'time', date_1904: boolean): string | undefined {
  const seconds = Math.round(serial * day)
  if (seconds < 0 || seconds >= (lastSerial + 1) * day) return undefined
  if (format === 'time' && seconds < day) return timeText(seconds)
  const { days, time } = daysOf(seconds)
  return joined(date_1904 ? isoDate(Date.UTC(1904, 0, 1), days) : date1900(days), time)
}

const isoCell = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?(?:Z|[+-]\d{2}:?\d{2})?$/
const isoTime = /^T?(\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?Z?$/

/** The same of a cell that holds its date as ISO 8601. It has no zone of its own: what is written is what Excel shows. */
export function isoDateText(iso: string): string | undefined {
  const clock = isoTime.exec(iso)
  if (clock) return timeText(secondsOf(clock[1], clock[2], clock[3]))
  const found = isoCell.exec(iso)
  const epoch = Date.parse(found?.[1] ?? '')
  if (!found || Number.isNaN(epoch)) return undefined
  const { days, time } = daysOf(secondsOf(found[2], found[3], found[4]))
  return joined(isoDate(epoch, days), time)
}

function secondsOf(hour = '0', minute = '0', second = '0'): number {
  return (Number(hour) * 60 + Number(minute)) * 60 + Number(second)
}

function daysOf(seconds: number): { days: number; time: number } {
  const days = Math.floor(seconds / day)
  const time = seconds - days * day
  if (time > day - nearMidnight) return { days: days + 1, time: 0 }
  return { days, time: time < nearMidnight ? 0 : time }
}

function joined(date: string, time: number): string {
  return time === 0 ? date : `${date} ${timeText(time)}`
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
