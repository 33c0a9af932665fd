import { peopleEvents } from '@campus/people/contract'
import { asTables } from '@kit/server/db'
import { archive } from '@campus/audit/server'
import type { PeopleDb } from '../db.ts'
import { tellPeople } from '../told.ts'
import { changeDetails, settleBatch, Snapshot } from './batch.queries.ts'
import { erasers } from './erase-port.ts'
import type { Erased, EraseStep } from './erase-port.ts'
import { addProofs, proofsWait } from './proof.queries.ts'
import { purged_name } from './purge.ts'
import type { Tombstone } from './tombstone.ts'
import { enterTombstone } from './tombstone.ts'

const erase_op = 5

/** Everything registered forgets him, in order (chapter 20 rule 23). @returns every store with what became of him there */
export async function eraseEverywhere(step: EraseStep): Promise<Erased[]> {
  const erased: Erased[] = []
  for (const { erase } of erasers(step.app)) erased.push(...(await erase(step)))
  return erased
}

/** Erases one person of a batch, with the proof of each store, in the caller's transaction. */
export async function erasePerson(step: EraseStep): Promise<Tombstone> {
  const { app, school_id, now, user_id, batch_no } = step
  const db = asTables<PeopleDb>(step.db)
  const { snapshot } = await db.selectFrom('user_delete_detail').select('snapshot').where('school_id', '=', school_id).where('batch_no', '=', batch_no).where('user_id', '=', user_id).executeTakeFirstOrThrow()
  const { person_kind } = Snapshot.parse(snapshot)
  const stone = await enterTombstone(db, { school_id, user_id, batch_no, purged_at: now })
  await addProofs(db, step, await eraseEverywhere(step))
  const state = (await proofsWait(db, school_id, batch_no, user_id)) ? 'waiting_proof' : 'deleted'
  await changeDetails(db, school_id, batch_no, [user_id], { state, error_code: null, purged_at: now })
  await settleBatch(db, school_id, batch_no, now)
  await archive(db, { school_id, at: now }, [{ person_kind, person_id: user_id, person_name: purged_name, op_type: erase_op, source: 'command', batch_no, changes: [{ field: 'deletion', label: '人员删除', before: null, after: '已注销' }] }])
  await tellPeople({ app, db, school_id, now }, peopleEvents.personPurged, [user_id])
  return stone
}
