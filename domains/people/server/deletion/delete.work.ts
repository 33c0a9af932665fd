import { addWork } from '@campus/jobs/server'
import type { WorkKind } from '@campus/jobs/server'
import { asTables } from '@kit/server/db'
import type { PeopleDb } from '../db.ts'
import { lockPeople } from '../student-file.queries.ts'
import { changeBatch, changeDetails, detailIds, holdBatch, settleBatch } from './batch.queries.ts'
import { batch_work, batchWork, person_work, personWork, readRef } from './batch-work.ts'
import { readDeleteConfig } from './delete-config.queries.ts'
import { erasePerson } from './erase-person.ts'
import { isBlocked, openItems, settleItems } from './open-items.ts'
import { rememberTombstone } from './tombstone.ts'
import { nextInWindow } from './window.ts'

const retries = [60, 300, 1800]

/**
 * The holding time of a batch is over: whoever has something unsettled by now is blocked, everybody else gets a line of his own on the due list. One
 * person is one transaction: a process that dies leaves whole people, and the lease brings the rest back.
 */
export const deleteBatch: WorkKind = {
  kind: batch_work,
  waits: retries,
  async run(handle, { school_id, ref, now, app }) {
    const db = asTables<PeopleDb>(handle)
    const { batch_no } = readRef(ref)
    const batch = await holdBatch(db, school_id, batch_no)
    if (batch?.state !== 'holding' || batch.hold_until === null || batch.hold_until > now) return
    const due_at = nextInWindow(now, (await readDeleteConfig(db, school_id)).window)
    if (due_at > now) {
      await changeBatch(db, school_id, batch_no, { hold_until: due_at })
      await addWork(db, batchWork(school_id, batch_no, due_at))
      return
    }
    const ids = await detailIds(db, school_id, batch_no, ['holding'])
    await lockPeople(db, school_id, ids)
    const desk = { db, app, school_id, now }
    await settleItems(desk, ids)
    const items = await openItems(desk, ids)
    const blocked = ids.filter(id => isBlocked(items.get(id) ?? []))
    for (const id of blocked) await changeDetails(db, school_id, batch_no, [id], { state: 'blocked', blocks: items.get(id) ?? [] })
    const free = ids.filter(id => !blocked.includes(id))
    await changeDetails(db, school_id, batch_no, free, { state: 'deleting' })
    for (const id of free) await addWork(db, personWork(school_id, batch_no, id, now))
    await settleBatch(db, school_id, batch_no, now)
  },
}

/** Erases one person. What he was is gone with the commit; his tombstone outlives the database that it is written in. */
export const deletePerson: WorkKind = {
  kind: person_work,
  waits: retries,
  async run(handle, { school_id, ref, now, app }) {
    const db = asTables<PeopleDb>(handle)
    const { batch_no, user_id } = readRef(ref)
    await holdBatch(db, school_id, batch_no)
    const [due] = await detailIds(db, school_id, batch_no, ['deleting'], [user_id])
    const stone = due === undefined ? null : await erasePerson({ db, app, school_id, now, user_id, batch_no })
    return stone === null ? undefined : () => rememberTombstone(app, stone)
  },
  async gaveUp(handle, { school_id, ref, now }) {
    const db = asTables<PeopleDb>(handle)
    const { batch_no, user_id } = readRef(ref)
    await holdBatch(db, school_id, batch_no)
    const [due] = await detailIds(db, school_id, batch_no, ['deleting'], [user_id])
    if (due === undefined) return
    await changeDetails(db, school_id, batch_no, [user_id], { state: 'error', error_code: 'erase_failed' })
    await settleBatch(db, school_id, batch_no, now)
  },
}
