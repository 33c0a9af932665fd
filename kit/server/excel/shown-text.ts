import type { CellFormat } from './number-format.ts'

/** What a cell shows of a value under a format code; undefined where that cannot be told. */
export type ShowValue = (code: string, value: number | string) => string | undefined

/** Renders format codes. The library is loaded only for a workbook with a format that needs it: templates of ours have none. */
export async function valueShower(formats: readonly CellFormat[]): Promise<ShowValue> {
  if (formats.every(({ number, text }) => number !== 'code' && text !== 'code')) return () => undefined
  const { format } = await import('numfmt')
  return (code, value) => {
    if (isUntold(code)) return undefined
    try {
      const shown = format(code, value, { locale: 'zh-CN' }).trim()
      return shown === '' || isCutShort(shown) ? undefined : shown
    } catch {
      return undefined
    }
  }
}

/** Chinese numerals, digits of other scripts, and signs repeated over the width of the column are unknown to the library. */
function isUntold(code: string): boolean {
  const bare = code.replace(/"[^"]*"|\\./gs, '')
  return /\[(?:dbnum|natnum)|\[\$[^\]-]*-[0-9a-f]{7,8}\]/i.test(bare) || /\*[^ ]/.test(bare)
}

/** `General` beside other signs gives long numbers as 3.702E+11: Excel does so by the width of the column. */
function isCutShort(shown: string): boolean {
  return /\dE[+-]\d/.test(shown) && !/^-?[\d.]+E[+-]\d+$/.test(shown)
}
