const day_ms = 86_400_000

/** The day before: the last one on which somebody who left on `day` was here. */
export function dayBefore(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - day_ms).toISOString().slice(0, 10)
}
