const secret_fields: readonly string[] = ['password', 'psk', 'code', 'faceBase64', 'featureBase64', 'fingerFeature', 'image', 'value']
const hidden = '***'

/** A copy without passwords, keys, codes and pictures, and without the fields named in `also`: the only form in which anything of a device is stored or logged (chapter 31 §5.7.7, §9.14). */
export function redact(value: unknown, { at_top = true, also = [] }: { at_top?: boolean; also?: readonly string[] } = {}): unknown {
  const below = { at_top: false, also }
  if (Array.isArray(value)) return value.map(one => redact(one, below))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, also.includes(name) || isSecret(name, one, at_top) ? hidden : redact(one, below)]))
}

/** The result code of an envelope is none; every other `code` is a card, a password or a picture. */
function isSecret(name: string, one: unknown, at_top: boolean): boolean {
  if (!secret_fields.includes(name) || one === '' || typeof one === 'number') return false
  return !(at_top && name === 'code')
}

/** The last four characters of a card. */
export function mask(code: string): string {
  return `****${code.slice(-4)}`
}
