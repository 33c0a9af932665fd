import { addWork } from '@campus/jobs/server'
import type { WorkKind } from '@campus/jobs/server'
import { most_deleted } from '@campus/people/contract'
import { asTables } from '@kit/server/db'
import type { QueryExecutorProvider } from 'kysely'
import { chunks } from '../bulk.ts'
import { addDays, schoolDay, schoolTime } from '../day.ts'
import type { PeopleDb } from '../db.ts'
import { insertBatch } from './batch.queries.ts'
import { readDeleteConfig } from './delete-config.queries.ts'
import { duePeople } from './due.queries.ts'
import { listedPeople } from './listed-people.ts'
import { openItems } from './open-items.ts'

const search_at = '00:40'
const auto_reason = '按人员删除设置自动提出'

/** Puts the next nightly search of a school on the due list; every school always has one line there. */
export async function planDeleteSearch(db: QueryExecutorProvider, school_id: number, now: Date): Promise<void> {
  const today = schoolDay(now)
  const ref = now < schoolTime(today, search_at) ? today : addDays(today, 1)
  await addWork(db, { school_id, kind: deleteSearch.kind, ref, due_at: schoolTime(ref, search_at) })
}

/** Proposes whoever has been gone long enough: batches that somebody has to confirm, never one that runs by itself (rule 21). */
export const deleteSearch: WorkKind = {
  kind: 'people_delete_search',
  gaveUp: (db, { school_id, now }) => planDeleteSearch(db, school_id, now),
  async run(handle, { school_id, now, app }) {
    await planDeleteSearch(handle, school_id, now)
    const db = asTables<PeopleDb>(handle)
    const config = await readDeleteConfig(db, school_id)
    if (!config.auto_enabled) return
    const due = await duePeople(db, school_id, now, config)
    const desk = { db, app, school_id, now }
    for (const part of chunks(due, most_deleted)) {
      const ids = part.map(person => person.user_id)
      const items = await openItems(desk, ids)
      const people = await listedPeople(db, school_id, ids)
      const batch = { source: 'auto', state: 'checking', reason: auto_reason, hold_until: null, created_by: null, confirmed_by: null, at: now } as const
      await insertBatch(db, school_id, batch, people.map(({ user_id, snapshot }) => ({ user_id, snapshot, state: 'checking', blocks: items.get(user_id) ?? [] })))
    }
  },
}
