const giga = 1024
const zone = 'Asia/Shanghai'
const parts = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' })

/** `2026-11-24 07:21:03` at the school. */
export function dateTimeOf(at: string): string {
  return parts.format(new Date(at))
}

/** `07:21:03` at the school. */
export function clockOf(at: string): string {
  return dateTimeOf(at).slice(-8)
}

/** Room on a disk in gigabytes, or megabytes where there are few. */
export function megabytes(count: number): string {
  return count < giga ? `${count} MB` : `${(count / giga).toFixed(1)} GB`
}
