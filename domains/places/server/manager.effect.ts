import type { ChangeEffect, EffectPlan } from '@campus/people/server'
import { asTables } from '@kit/server/db'
import { z } from 'zod'
import type { PlacesDb } from './db.ts'
import { declareManagers, endRows, openManagersOf } from './manager.service.ts'

const Ref = z.array(z.object({ id: z.string(), place_id: z.string(), user_id: z.string(), valid_from: z.string(), valid_to: z.string().nullable() }))

/** Whoever leaves the school looks after no place from that day on; taken back, he does again. */
export const managerEffect: ChangeEffect = {
  domain: 'places',
  effect_code: 'place_manager',
  title: '场所负责人',
  kinds: ['STAFF_OUT'],
  dated: false,
  undoable: true,
  preview: async plan => ({ count: (await heldBy(plan)).length }),
  async apply(step) {
    const rows = await heldBy(step)
    const db = asTables<PlacesDb>(step.db)
    await endRows(db, step.school_id, rows, step.effective_on)
    await declareManagers(db, step.school_id, rows.map(row => row.user_id))
    return { count: rows.length, ref: rows }
  },
  async undo({ db: handle, school_id }, ref) {
    const db = asTables<PlacesDb>(handle)
    const rows = Ref.parse(ref)
    for (const { id, valid_to, ...row } of rows) {
      const { numUpdatedRows } = await db.updateTable('place_manager').set({ valid_to }).where('school_id', '=', school_id).where('id', '=', id).executeTakeFirstOrThrow()
      if (numUpdatedRows === 0n) await db.insertInto('place_manager').values({ school_id, id, valid_to, ...row }).execute()
    }
    await declareManagers(db, school_id, rows.map(row => row.user_id))
  },
}

function heldBy({ db, school_id, subjects, effective_on }: Pick<EffectPlan, 'db' | 'school_id' | 'subjects' | 'effective_on'>) {
  return openManagersOf(asTables<PlacesDb>(db), school_id, subjects.map(subject => subject.user_id), effective_on)
}
