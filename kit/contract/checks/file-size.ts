const STEP = 1024
const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** A number of bytes (≥ 0) in steps of 1,024 with two decimals and no blank: 0.00B, 1.50KB, 20.00MB (platform rule F8). */
export function size(n: number): string {
  let value = n
  for (const unit of UNITS) {
    const text = value.toFixed(2)
    // Compared after rounding, so that 1,048,575 bytes read 1.00MB and never 1024.00KB.
    if (Number(text) < STEP || unit === 'TB') return text + unit
    value /= STEP
  }
  return `${value.toFixed(2)}TB`
}
