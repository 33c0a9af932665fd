import { day_ms, zone_ms } from '../judge/window.ts'

/** Staff of a school are judged together; pupils by the department of their grade. */
export const staff_shard = '0'

/** Who is judged together on a date: a shard, or one person when his row is explained. */
export type Group = { date: string; shard: string; user_id?: string }

/** The first instant of a date in Shanghai. */
export function dayStart(date: string): Date {
  return new Date(Date.parse(`${date}T00:00:00Z`) - zone_ms)
}

/** The first instant after a date; clock slots over midnight may end the next day. */
export function dayEnd(date: string): Date {
  return new Date(dayStart(date).getTime() + day_ms)
}

export function dayAfter(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + day_ms).toISOString().slice(0, 10)
}
