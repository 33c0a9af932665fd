/** Mobile or other phone number with its first 3 and last 4 signs: 169****0001 (people rule 25). */
export function maskMobile(value: string): string {
  return maskMiddle(value)
}

/** Identity number with its first 3 and last 4 signs: 370***********0014 (people rule 25). */
export function maskIdNo(value: string): string {
  return maskMiddle(value)
}

/** Person name with its first sign: 张*, 欧***; a name of one sign shows nothing. */
export function maskName(value: string): string {
  const signs = [...value]
  const [first = ''] = signs
  return signs.length <= 1 ? '*'.repeat(signs.length) : first + '*'.repeat(signs.length - 1)
}

// Up to 7 signs head and tail would show everything, so nothing is shown.
function maskMiddle(value: string): string {
  if (value.length <= 7) return '*'.repeat(value.length)
  return value.slice(0, 3) + '*'.repeat(value.length - 7) + value.slice(-4)
}
