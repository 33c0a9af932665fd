import { addWork } from '@campus/jobs/server'
import type { WorkKind } from '@campus/jobs/server'
import { peopleEvents } from '@campus/people/contract'
import { asTables } from '@kit/server/db'
import type { Boot } from '@kit/server/http'
import { oneOf } from '../dated.ts'
import type { Db, PeopleDb } from '../db.ts'
import { tellPeople } from '../told.ts'
import { holdBatch } from './batch.queries.ts'
import { readRef } from './batch-work.ts'
import { eraseEverywhere, erasePerson } from './erase-person.ts'
import { enterTombstone, rememberedTombstones, rememberTombstone } from './tombstone.ts'
import type { Tombstone } from './tombstone.ts'

/**
 * After a restore people who were deleted since the backup are there again: at every start of the server each tombstone whose person is not a shell
 * gets a line on the due list. @returns how many there are
 */
export async function replayTombstones({ app, database }: Boot): Promise<number> {
  const now = app.clock.now()
  const stones = Map.groupBy(await rememberedTombstones(app), stone => stone.school_id)
  let risen = 0
  for (const [school_id, own] of stones) {
    risen += await database.tenant<PeopleDb, number>(school_id, async db => {
      const people = await notPurged(db, school_id, own.map(stone => stone.user_id))
      for (const { user_id, batch_no } of own.filter(stone => people.includes(stone.user_id))) await addWork(db, { school_id, kind: replayPerson.kind, ref: `${batch_no}/${user_id}@${now.getTime()}`, due_at: now })
      return people.length
    })
  }
  if (risen > 0) app.log.warn({ people: risen }, 'people who had been deleted came back with a restore and are deleted again')
  return risen
}

/** Erases again somebody whom a restore has brought back. His batch may have been made after the backup: then the tombstone alone says so. */
export const replayPerson: WorkKind = {
  kind: 'people_delete_replay',
  waits: [60, 300, 1800],
  async run(handle, { school_id, ref, now, app }) {
    const db = asTables<PeopleDb>(handle)
    const { batch_no, user_id } = readRef(ref)
    const [person] = await notPurged(db, school_id, [user_id])
    if (person === undefined) return
    const stone: Tombstone = { school_id, user_id, batch_no, purged_at: now }
    const step = { db, app, school_id, now, user_id, batch_no }
    if (await isListed(db, stone)) {
      await erasePerson(step)
    } else {
      await enterTombstone(db, stone)
      await eraseEverywhere(step)
      await tellPeople({ app, db, school_id, now }, peopleEvents.personPurged, [user_id])
    }
    return () => rememberTombstone(app, stone)
  },
}

async function notPurged(db: Db, school_id: number, user_ids: readonly string[]): Promise<string[]> {
  const rows = await db.selectFrom('person').select('user_id').where('school_id', '=', school_id).where('status', '<>', 'purged').where(oneOf('user_id', user_ids)).execute()
  return rows.map(row => row.user_id)
}

async function isListed(db: Db, { school_id, batch_no, user_id }: Tombstone): Promise<boolean> {
  if (!(await holdBatch(db, school_id, batch_no))) return false
  const row = await db.selectFrom('user_delete_detail').select('user_id').where('school_id', '=', school_id).where('batch_no', '=', batch_no).where('user_id', '=', user_id).executeTakeFirst()
  return row !== undefined
}
