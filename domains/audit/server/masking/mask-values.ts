import { maskIdNo, maskMobile } from '@kit/contract/checks'

type Values = Record<string, unknown>

/** Names whose values are never written to a log, whatever they hold. */
const secret_name = /(^|_)(pass|password|passwd|pwd|hash|token|secret|captcha|cap_value|ticket|refresh|recheck|cipher|authorization|cookie|face)$/i
const mobile = /(?<!\d)1[3-9]\d{9}(?!\d)/g
const id_no = /(?<![\dA-Za-z])(?:\d{17}[\dXx]|\d{15})(?![\dA-Za-z])/g

/** A text without readable phone or identity numbers. */
export function maskText(text: string): string {
  return text.replace(id_no, maskIdNo).replace(mobile, maskMobile)
}

/** A value of any depth, masked; under a secret name it becomes a dot. */
export function maskValue(value: unknown, name = ''): unknown {
  if (secret_name.test(name)) return '●'
  if (typeof value === 'string') return maskText(value)
  if (typeof value === 'number' || typeof value === 'bigint') return maskNumber(value)
  if (Array.isArray(value)) return value.map(item => maskValue(item, name))
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'object' && value !== null) return maskEach(Object.entries(value))
  return value
}

/** Before and after of a change: the changed fields only, masked (chapter 10 A1). One side alone is kept whole. */
export function maskChange(before: Values | undefined, after: Values | undefined): { before: Values | null; after: Values | null } {
  if (!before || !after) return { before: maskSide(before), after: maskSide(after) }
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const changed = names.filter(name => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  const pick = (side: Values) => maskEach(changed.filter(name => name in side).map(name => [name, side[name]]))
  return { before: pick(before), after: pick(after) }
}

function maskSide(side: Values | undefined): Values | null {
  return side ? maskEach(Object.entries(side)) : null
}

function maskEach(entries: [string, unknown][]): Values {
  return Object.fromEntries(entries.map(([name, value]) => [name, maskValue(value, name)]))
}

/** A number of 11, 15 or 18 digits may be a phone or an identity number. */
function maskNumber(value: number | bigint): unknown {
  const text = String(value)
  const masked = maskText(text)
  return masked === text ? value : masked
}
