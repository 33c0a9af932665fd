import { addWork } from '@campus/jobs/server'
import { asTables } from '@kit/server/db'
import type { App } from '@kit/server/http'
import type { QueryExecutorProvider } from 'kysely'
import type { PeopleDb } from '../db.ts'
import { changeBatch, changeDetails, insertBatch, settleBatch } from './batch.queries.ts'
import type { Source } from './batch.queries.ts'
import { batchWork } from './batch-work.ts'
import { readDeleteConfig } from './delete-config.queries.ts'
import { erasePerson } from './erase-person.ts'
import { listedPeople } from './listed-people.ts'
import { isBlocked, openItems } from './open-items.ts'
import { nextInWindow } from './window.ts'

const day_ms = 86_400_000

/** A batch that somebody confirmed at a moment; `done`: its people are erased a holding time later, at once. */
export type NewDeletion = { source: Source; reason: string; by: string; at: Date; user_ids: readonly string[]; done: boolean }

/** Makes a batch as if it had been confirmed then, without a word in the journal about who asked: for schools that are made whole. @returns its number */
export async function makeDeletion({ db: handle, app, school_id }: { db: QueryExecutorProvider; app: App; school_id: number }, { source, reason, by, at, user_ids, done }: NewDeletion): Promise<string> {
  const db = asTables<PeopleDb>(handle)
  const { hold_days, window } = await readDeleteConfig(db, school_id)
  const hold_until = nextInWindow(new Date(at.getTime() + hold_days * day_ms), window)
  const people = await listedPeople(db, school_id, user_ids)
  const items = await openItems({ db, app, school_id, now: at }, user_ids)
  const batch = { source, state: 'holding', reason, hold_until, created_by: by, confirmed_by: by, at } as const
  const batch_no = await insertBatch(db, school_id, batch, people.map(({ user_id, snapshot }) => {
    const blocks = items.get(user_id) ?? []
    return { user_id, snapshot, state: isBlocked(blocks) ? 'blocked' : 'holding', blocks }
  }))
  const state = await settleBatch(db, school_id, batch_no, at)
  if (state !== 'holding') return batch_no
  if (!done) {
    await addWork(db, batchWork(school_id, batch_no, hold_until))
    return batch_no
  }
  await changeBatch(db, school_id, batch_no, { state: 'deleting' })
  await changeDetails(db, school_id, batch_no, user_ids, { state: 'deleting' })
  for (const user_id of user_ids) await erasePerson({ db, app, school_id, now: hold_until, user_id, batch_no })
  return batch_no
}
