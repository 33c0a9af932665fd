import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import { z } from 'zod'

/** Tells every node, once the transaction is committed, that something is to be done at a line that it may hold. */
export const notice_channel = 'campus_devices'

const Notice = z.object({ school_id: z.number().int(), kick: z.array(z.string()) })
export type Notice = z.output<typeof Notice>

/** Ends the sessions of these clients, on whichever node they are (chapter 30 §2.1: within five seconds). */
export async function kickClients({ db, school_id }: { db: QueryExecutorProvider; school_id: number }, client_ids: readonly string[]): Promise<void> {
  if (client_ids.length === 0) return
  const notice: Notice = { school_id, kick: [...client_ids] }
  await sql`select pg_notify(${notice_channel}, ${JSON.stringify(notice)})`.execute(db)
}

/** A notice as it was sent; null when it is none. */
export function readNotice(payload: string): Notice | null {
  try {
    return Notice.safeParse(JSON.parse(payload)).data ?? null
  } catch {
    return null
  }
}
