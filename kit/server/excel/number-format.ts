/** How a value is shown by the style of its cell. */
export interface CellFormat {
  /** `plain` as it was typed, `code` by the format code, dates and times in a form of our own. */
  number: 'plain' | 'date' | 'time' | 'code'
  /** Texts go through the code too: `@"班"` shows 一 as 一班. */
  text: 'plain' | 'code'
  code: string
}

export const generalFormat: CellFormat = { number: 'plain', text: 'plain', code: 'General' }

/** Built-in formats that a workbook names by number alone, as Excel has them in China. Source: ECMA-376 part 1, 18.8.30. */
const builtIn = new Map([
  [1, '0'], [2, '0.00'], [3, '#,##0'], [4, '#,##0.00'], [5, '"¥"#,##0;"¥"\\-#,##0'], [6, '"¥"#,##0;[Red]"¥"\\-#,##0'], [7, '"¥"#,##0.00;"¥"\\-#,##0.00'],
  [8, '"¥"#,##0.00;[Red]"¥"\\-#,##0.00'], [9, '0%'], [10, '0.00%'], [11, '0.00E+00'], [12, '# ?/?'], [13, '# ??/??'], [37, '#,##0_ ;\\-#,##0\\ '],
  [38, '#,##0_ ;[Red]\\-#,##0\\ '], [39, '#,##0.00_ ;\\-#,##0.00\\ '], [40, '#,##0.00_ ;[Red]\\-#,##0.00\\ '],
  [41, '_ * #,##0_ ;_ * \\-#,##0_ ;_ * "-"_ ;_ @_ '], [42, '_ "¥"* #,##0_ ;_ "¥"* \\-#,##0_ ;_ "¥"* "-"_ ;_ @_ '],
  [43, '_ * #,##0.00_ ;_ * \\-#,##0.00_ ;_ * "-"??_ ;_ @_ '], [44, '_ "¥"* #,##0.00_ ;_ "¥"* \\-#,##0.00_ ;_ "¥"* "-"??_ ;_ @_ '],
  [46, '[h]:mm:ss'], [48, '##0.0E+0'], [49, '@'],
])
const timeIds = new Set([18, 19, 20, 21, 32, 33, 45, 47])

/** Reads a number format: a built-in one by its id, or an own one by its code. Ids 27–36 and 50–58 are the Chinese dates. */
export function readNumberFormat(id: number, own: string | undefined): CellFormat {
  const code = own ?? builtIn.get(id)
  if (code !== undefined) return readCode(code)
  if (timeIds.has(id)) return { number: 'time', text: 'plain', code: 'h:mm' }
  const date = (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58)
  return date ? { number: 'date', text: 'plain', code: 'yyyy-mm-dd' } : generalFormat
}

const quotedParts = /"[^"]*"|[\\!]./gs
const paddings = /[_*]./gs

function readCode(given: string): CellFormat {
  // A sign after `!` is shown as it is, as after a backslash; numfmt knows the backslash only.
  const code = given.replaceAll('G/通用格式', 'General').replace(/"[^"]*"|\\.|!(.)/gs, (all, sign?: string) => (sign === undefined ? all : `\\${sign}`))
  return { number: numberKind(code), text: textKind(code), code }
}

function numberKind(code: string): CellFormat['number'] {
  // Hours counted beyond a day ([h]:mm) are a quantity, not a time of day.
  if (/\[[hms]+\]/i.test(code)) return 'code'
  if (/^(?:\[(?!dbnum|natnum)[^\]<>=]*\])*(?:general|@)$/i.test(code)) return 'plain'
  const bare = code.replace(quotedParts, '').replace(paddings, '').replace(/\[[^\]]*\]|am\/pm|a\/p|上午\/下午/gi, '').split(';', 1).join('')
  if (/general|[0#?]E[+-]/i.test(bare) || (/[0#?]/.test(bare) && !/[ymdhs]/i.test(bare))) return 'code'
  if (/[ydeag]/i.test(bare) || /^[^hs]*m[^hs]*$/i.test(bare)) return 'date'
  return /[hs]/i.test(bare) ? 'time' : 'code'
}

/** Texts are changed by a fourth section, or by the only one that holds `@`, unless it is `@` alone. */
function textKind(code: string): CellFormat['text'] {
  const sections = code.replace(quotedParts, part => 'x'.repeat(part.length)).split(';')
  const section = sections.length > 3 ? sections[3] : sections.find(one => one.includes('@'))
  if (section === undefined) return 'plain'
  return section.replace(paddings, '').replace(/\[[^\]]*\]/g, '').trim() === '@' ? 'plain' : 'code'
}

/** A number as it was typed: no exponent up to 15 digits, at most 15 significant digits (Excel keeps no more). */
export function numberText(value: number): string {
  if (losesDigits(value)) return scientific(value)
  const rounded = Number(value.toPrecision(15))
  const text = String(rounded)
  return text.includes('e') ? rounded.toFixed(20).replace(/\.?0+$/, '') : text
}

/** From 10^15 on the last digits are lost, whatever the format shows in their place; the text is then `3.7020020180512E+17`. */
export function losesDigits(value: number): boolean {
  return Math.abs(value) >= 1e15
}

function scientific(value: number): string {
  const [mantissa = '', exponent = ''] = value.toExponential().split('e')
  return `${mantissa}E${exponent}`
}
