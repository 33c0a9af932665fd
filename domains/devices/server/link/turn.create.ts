import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'

/** A turn of a line that has happened; `reason` is told where one was lost. */
export type PastTurn = { device_id: string; at: Date; kind: 'online' | 'offline'; reason?: 'keepalive' | 'broker' }

/** Writes what lines went through in days gone by, for a school that is made with a past. What devices are now they say themselves. */
export async function createTurns(db: QueryExecutorProvider, school_id: number, turns: readonly PastTurn[]): Promise<void> {
  const rows = turns.map(turn => ({ ...turn, at: turn.at.toISOString() }))
  await sql`
    insert into device_link_event (school_id, device_id, at, kind, reason)
    select ${school_id}::int, t.device_id, t.at, t.kind, t.reason from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) t(device_id bigint, at timestamptz, kind text, reason text) returning 1`.execute(db)
}
