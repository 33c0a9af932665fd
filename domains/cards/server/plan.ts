import { setTimer } from '@kit/server/event'
import type { Act } from './db.ts'

export const [expire_kind, watch_kind] = ['cards.expire', 'cards.watch_lost'] as const
const day_ms = 86_400_000
/** After midnight, so that the day is surely over. */
const after_ms = 300_000
const first_look_ms = 60_000

/** Plans the end of cards with a last day, one timer a day of a school. */
export async function planExpiry({ app, db, school_id }: Pick<Act, 'app' | 'db' | 'school_id'>, valid_to: string | null): Promise<void> {
  if (valid_to === null) return
  await setTimer({ app, db, school_id }, { kind: expire_kind, ref: valid_to, due_at: new Date(Date.parse(`${valid_to}T00:00:00+08:00`) + day_ms + after_ms) })
}

/** Plans the next look for uses of a lost card. */
export async function planWatch({ app, db, school_id, now }: Pick<Act, 'app' | 'db' | 'school_id' | 'now'>, op_id: string, in_ms: number = first_look_ms): Promise<void> {
  await setTimer({ app, db, school_id }, { kind: watch_kind, ref: op_id, due_at: new Date(now.getTime() + in_ms) })
}

