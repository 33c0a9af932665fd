import { randomUUID } from 'node:crypto'
import { setTimer } from '@kit/server/event'
import type { App } from '@kit/server/http'
import type { QueryExecutorProvider } from 'kysely'

export const deliver_timer = 'message.deliver'

/** Has the deliveries of a school looked at in a moment. Every call is a timer of its own: one that is running would swallow its like. */
export async function wakeAt(desk: { app: App; db: QueryExecutorProvider; school_id: number }, due_at: Date): Promise<void> {
  await setTimer(desk, { kind: deliver_timer, ref: randomUUID(), due_at })
}
