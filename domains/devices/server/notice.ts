import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import { z } from 'zod'

/** Tells every node, once the transaction is committed, that something is to be done at a line that it may hold. */
export const notice_channel = 'campus_devices'

const Notice = z.object({ school_id: z.number().int(), kick: z.array(z.string()).optional(), plan: z.literal(true).optional(), send: z.array(z.string()).optional(), command: z.string().optional(), shot: z.object({ recorder_id: z.string(), camera_id: z.string() }).optional(), left: z.string().optional(), watched: z.string().optional(), taken: z.object({ client_id: z.string(), node: z.string() }).optional() })
export type Notice = z.output<typeof Notice>

type Teller = { db: QueryExecutorProvider; school_id: number }

/** Ends the sessions of these clients, on whichever node they are (chapter 30 §2.1: within five seconds). */
export async function kickClients({ db, school_id }: Teller, client_ids: readonly string[]): Promise<void> {
  if (client_ids.length > 0) await tell(db, { school_id, kick: [...client_ids] })
}

/** A client is gone from an outside broker, as it tells itself. */
export async function tellLeft({ db, school_id }: Teller, client_id: string): Promise<void> {
  await tell(db, { school_id, left: client_id })
}

/** A client has come to a node: wherever else it was, it is not any more (chapter 31 §1.3). */
export async function tellTaken({ db, school_id }: Teller, client_id: string, node: string): Promise<void> {
  await tell(db, { school_id, taken: { client_id, node } })
}

/** Something is to be derived in a school. */
export async function wakePlanner({ db, school_id }: Teller): Promise<void> {
  await tell(db, { school_id, plan: true })
}

/** These devices have rows that are to be sent. */
export async function wakeSenders({ db, school_id }: Teller, device_ids: readonly string[]): Promise<void> {
  if (device_ids.length > 0) await tell(db, { school_id, send: [...device_ids] })
}

/** A command waits for a device: the node that holds its line sends it. */
export async function tellCommand({ db, school_id }: Teller, device_id: string): Promise<void> {
  await tell(db, { school_id, command: device_id })
}

/** A fresh picture of a camera is wanted: the node that holds the line of its recorder asks for it. */
export async function tellShot({ db, school_id }: Teller, shot: { recorder_id: string; camera_id: string }): Promise<void> {
  await tell(db, { school_id, shot })
}

/** Somebody looks at the line of a device: the node that holds it tells what is said there. */
export async function tellWatched({ db, school_id }: Teller, device_id: string): Promise<void> {
  await tell(db, { school_id, watched: device_id })
}

async function tell(db: QueryExecutorProvider, notice: Notice): Promise<void> {
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
