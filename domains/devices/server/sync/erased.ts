import { holdsErased } from '@campus/people/server'
import { sql } from 'kysely'
import type { Line } from '../link/line.ts'
import { terminalStore } from '../person.follow.ts'

/**
 * Of people whom a device holds and should not, those who have been erased: their erasure waits for this device too, whether it was asked before or not.
 * It may have been told of them in the very moment in which they were erased, or come back with an old memory.
 */
export async function askErased({ app, db, school_id, device_id, now }: Line, user_ids: readonly string[]): Promise<void> {
  if (user_ids.length === 0) return
  const { rows } = await sql<{ user_id: string; device_name: string }>`
    select u.user_id::text, d.device_name from unnest(${[...user_ids]}::bigint[]) u(user_id) join device d on d.school_id = ${school_id} and d.device_id = ${device_id}
    where not exists (select from subject s where s.school_id = ${school_id} and s.user_id = u.user_id) order by 1`.execute(db)
  for (const { user_id, device_name } of rows) await holdsErased({ app, db, school_id, now }, user_id, { store: terminalStore(device_id), title: device_name })
}
