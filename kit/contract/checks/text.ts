import { matches } from './verdict.ts'
import type { Verdict } from './verdict.ts'

const SPECIAL = '不能包含特殊字符'
const COMMA = '不能包含逗号'
const REQUIRED = '必填项不能为空'
const NAME_MAX = 50
const DEPT_NAME_MAX = 30

// Half, full-width, small and vertical comma: all of them would split a cell or a list somewhere.
const comma = /[,，﹐︐]/
const labelSigns = /^[\p{L}\p{M}\p{N}()（）_·. -]*$/u
const deptSigns = /^[\p{L}\p{M}\p{N}()（）_· -]*$/u
// A blacklist on purpose: names hold letters that no table of this engine knows yet (new CJK extensions, private use).
const notInNames = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Extended_Pictographic}\p{Regional_Indicator}\u20e3\ufe0f<>"&%$^*#@!?;:=+~`|/\\[\]{}]/u

/** Labels and short texts: letters of any script, digits, space and `()（）_-·.` (platform rule V1, general variant). */
export function checkNoSpecial(value: string): Verdict {
  return labelSigns.test(value) ? null : SPECIAL
}

/** No comma, half or full width (platform rule V1). */
export function checkNoComma(value: string): Verdict {
  return comma.test(value) ? COMMA : null
}

/** Department name: 1–30 letters, digits, `()（）-_·` and space (people rule 12). */
export function checkDeptName(value: string): Verdict {
  if (value.trim() === '') return REQUIRED
  if (longer(value, DEPT_NAME_MAX)) return tooLong(DEPT_NAME_MAX)
  return deptSigns.test(value) ? null : SPECIAL
}

/**
 * Person name: 1–50 signs after trimming, no comma, no emoji, no control or markup sign; `·` `.` apostrophe, brackets
 * and inner space stay, and so do four-byte CJK signs, each counting as one (people rule 12).
 */
export function checkPersonName(value: string): Verdict {
  const name = value.trim()
  if (name === '') return REQUIRED
  if (longer(name, NAME_MAX)) return tooLong(NAME_MAX)
  return checkNoComma(name) ?? (notInNames.test(name) ? SPECIAL : null)
}

/** Student number: 1–50 letters, digits, `-` or `_`; comma, special signs and Chinese have their own sentences (people rule 13). */
export function checkStudentNo(value: string): Verdict {
  if (value === '') return REQUIRED
  if (longer(value, NAME_MAX)) return tooLong(NAME_MAX)
  if (comma.test(value)) return COMMA
  if (!/^[\p{Script=Han}A-Za-z0-9_-]*$/u.test(value)) return SPECIAL
  return /\p{Script=Han}/u.test(value) ? '不能包含汉字' : null
}

/** Digits only, at least one (product §5; the product names no sentence, this one is ours). */
export const checkDigits = matches(/^[0-9]+$/, '只能输入数字', Infinity)

/** 1–50 ASCII letters and digits; also the rule of staff numbers (platform rule V1, people rule 13). */
export const checkAlnum1to50 = matches(/^[A-Za-z0-9]{1,50}$/, '不允许输入特殊字符')

/** Username: letters, digits, underscores, not starting with a digit (platform rule V1). */
export const checkUsername = matches(/^[A-Za-z_][A-Za-z0-9_]*$/, '用户名或账号不合法')

/** Recognition password: 4–6 digits not starting with 0 (platform rule V1). */
export const checkRecognitionPassword = matches(/^[1-9][0-9]{3,5}$/, '识别密码不符合')

/** A name without blanks at its ends, no-break and ideographic space included, and without invisible signs. Inner blanks stay. */
export function trimName(value: string): string {
  return dropInvisible(value).trim()
}

// Format signs, fillers, variation selectors and the braille blank. Selectors of Han variants (U+E0100 on) show and stay.
const invisibles = '\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb'
const anyInvisible = new RegExp(`[${invisibles}\\udb40\\ud82f\\ud834]`)
// Emoji and Mongolian letters need the joiners and selectors after them: such a run is kept whole.
const invisible = new RegExp(
  '(\\p{Extended_Pictographic}(?:[\\ufe0e\\ufe0f\\u{1f3fb}-\\u{1f3ff}\\u{e0020}-\\u{e007f}]|\\u200d\\p{Extended_Pictographic})*|[\\u1820-\\u18aa][\\u180b-\\u180f\\u200c\\u200d]+)'
  + `|[${invisibles}\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e00ff}]`, 'gu')

/** A text without the signs that show nothing, as they come along when a number is copied from a chat or a web page. */
export function dropInvisible(value: string): string {
  // Nearly no text has one.
  return anyInvisible.test(value) ? value.replace(invisible, '$1') : value
}

/**
 * Full-width digits, letters, `+`, `-`, `.`, `@`, `_` and blanks of any width to ASCII, invisible signs away: for ids, phones and
 * numbers, never for names (people rule 13).
 */
export function foldFullWidth(value: string): string {
  // Nearly every text of a sheet has nothing to fold.
  if (!/[\u00a0\u2000-\u200a\u202f\u205f\u3000\uff0b-\uff5a]/.test(value)) return dropInvisible(value)
  return dropInvisible(value)
    .replace(/[０-９Ａ-Ｚａ-ｚ＋－．＠＿]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replace(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, ' ')
}

// Counts code points; the first test spares the counting of pasted books.
function longer(value: string, max: number): boolean {
  return value.length > max * 2 || [...value].length > max
}

function tooLong(max: number): string {
  return `超过${max}个字`
}
