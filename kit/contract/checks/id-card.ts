import type { Verdict } from './verdict.ts'

const BAD_FORM = '身份证号格式不正确'
const MONTH_DAY = '(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])'
const shape18 = new RegExp(`^[0-9]{6}(?:18|19|20)[0-9]{2}${MONTH_DAY}[0-9]{3}[0-9Xx]$`)
const shape15 = new RegExp(`^[0-9]{8}${MONTH_DAY}[0-9]{3}$`)
const digits = /^(?:[0-9]{15}|[0-9]{17}[0-9Xx])$/

const WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
const CHECK_SIGNS = '10X98765432'
const PROVINCES = new Set(
  '11 12 13 14 15 21 22 23 31 32 33 34 35 36 37 41 42 43 44 45 46 50 51 52 53 54 61 62 63 64 65 71 81 82 83'.split(' '))

/** Which lengths a field takes: registration and freshmen forms ask for the 18-sign form. */
export type IdCardForm = '15_or_18' | '18_only'

/** What a resident number says about itself. Parsed for every 15- or 18-sign number, whether or not its parts make sense. */
export interface IdCard {
  /** Code of SEX (GB/T 2261.1): '1' 男, '2' 女. */
  sex: '1' | '2'
  /** `YYYY-MM-DD`; null when the date part is no real day, or lies after `today`. */
  birthday: string | null
  /** As typed, with `X` in upper case: what is stored. */
  normalised: string
  /** The 18-sign form: what is compared and indexed, so that both forms of one number meet. */
  normalised18: string
  /** False = wrong check sign. A 15-digit number has none, so nothing contradicts it. */
  checksum_ok: boolean
  /** False = the first digits name no province, or no prefecture that the standard could have given. */
  region_ok: boolean
}

/** Form of a resident number: 15 or 18 signs with a date part (product §5; verdicts of the shared vectors, 30 February passes). */
export function checkIdCard(value: string, form: IdCardForm = '15_or_18'): Verdict {
  if (shape18.test(value)) return null
  return form === '15_or_18' && shape15.test(value) ? null : BAD_FORM
}

/**
 * What forms and imports ask of a resident number: the form, and a date part that is a real day not after `today`
 * (`YYYY-MM-DD`; absent = the future is not looked at). People rule 14, platform rule V1.
 */
export function checkResidentId(value: string, form: IdCardForm = '15_or_18', today?: string): Verdict {
  const refused = checkIdCard(value, form)
  if (refused) return refused
  return parseIdCard(value, today)?.birthday ? null : BAD_FORM
}

/** The warning to confirm when check sign or region look wrong: never a refusal, old numbers exist (people rule 14). */
export function warnResidentId(value: string): Verdict {
  const card = parseIdCard(value)
  return !card || (card.checksum_ok && card.region_ok) ? null : '身份证号校验位不符，请核对'
}

/** Reads a resident number (GB 11643); null when it is not 15 digits, or 17 digits and a check sign. */
export function parseIdCard(value: string, today?: string): IdCard | null {
  if (!digits.test(value)) return null
  const normalised = value.toUpperCase()
  const body = normalised.length === 15 ? `${normalised.slice(0, 6)}19${normalised.slice(6)}` : normalised.slice(0, 17)
  const checkSign = checkSignOf(body)
  return {
    sex: Number(body[16]) % 2 === 1 ? '1' : '2',
    birthday: realDay(body.slice(6, 14), today),
    normalised,
    normalised18: normalised.length === 15 ? body + checkSign : normalised,
    checksum_ok: normalised.length === 15 || normalised[17] === checkSign,
    region_ok: regionOk(body),
  }
}

function checkSignOf(body: string): string {
  const sum = WEIGHTS.reduce((total, weight, i) => total + weight * Number(body[i]), 0)
  return CHECK_SIGNS.charAt(sum % 11)
}

function realDay(yyyymmdd: string, today: string | undefined): string | null {
  const day = `${yyyymmdd.slice(0, 4)}-${yyyymmdd.slice(4, 6)}-${yyyymmdd.slice(6)}`
  const time = Date.parse(`${day}T00:00:00Z`)
  // Engines differ on 30 February: some roll it over to March, so the day is compared with what came out.
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== day) return null
  return today !== undefined && day > today ? null : day
}

// GB/T 2260 gives prefectures 01–70 and 90 (directly governed counties); 00 stands for the province itself. No list of
// counties: numbers keep the code of their day, and abolished codes are as good as living ones.
function regionOk(body: string): boolean {
  if (!PROVINCES.has(body.slice(0, 2))) return false
  const prefecture = Number(body.slice(2, 4))
  if (prefecture === 0) return body.slice(4, 6) === '00'
  return prefecture <= 70 || prefecture === 90
}
