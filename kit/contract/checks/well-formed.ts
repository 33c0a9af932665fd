/** Whether a text is one that every store gives back as it was: no half of a surrogate pair, no U+0000. */
export function isWellFormedText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

/** The text as a store holds it: what is no text becomes U+FFFD. */
function wellFormedText(text: string): string {
  return isWellFormedText(text) ? text : text.toWellFormed().replaceAll('\0', '\ufffd')
}

/** The same with every text and every key of a value of JSON; what is well formed already is answered as it is. */
export function wellFormedValue(value: unknown): unknown {
  return illFormedAt(value) === null ? value : mended(value)
}

function mended(value: unknown): unknown {
  if (typeof value === 'string') return wellFormedText(value)
  if (Array.isArray(value)) return value.map(mended)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [wellFormedText(name), mended(part)]))
}

/** The path of the first ill-formed text or key in a value of any depth; null when there is none. */
export function illFormedAt(value: unknown): string | null {
  const open: { at: string; part: unknown }[] = [{ at: '', part: value }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { at, part } = next
    if (typeof part === 'string' && !isWellFormedText(part)) return at
    if (typeof part !== 'object' || part === null) continue
    const inner = Object.entries(part)
    if (!inner.every(([name]) => isWellFormedText(name))) return at
    for (const [name, value_of] of inner) open.push({ at: at === '' ? name : `${at}.${name}`, part: value_of })
  }
  return null
}
