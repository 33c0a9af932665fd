import type { Erase, MovedRow, Rekey, RekeyPair } from '@campus/people/server'
import { asTables } from '@kit/server/db'
import type { QueryExecutorProvider } from 'kysely'
import { z } from 'zod'
import type { PlacesDb } from './db.ts'
import { declareManagers } from './manager.service.ts'

const table_name = 'place_manager'
const title = '负责的场所'
const Row = z.object({ id: z.string(), place_id: z.string(), user_id: z.string(), valid_from: z.string(), valid_to: z.string().nullable() })
type Row = z.output<typeof Row>

function rowsOf(db: QueryExecutorProvider, school_id: number, user_id: string): Promise<Row[]> {
  return asTables<PlacesDb>(db).selectFrom('place_manager').select(['id', 'place_id', 'user_id', 'valid_from', 'valid_to']).where('school_id', '=', school_id).where('user_id', '=', user_id).orderBy('id').execute()
}

const meets = (a: Row, b: Row) => a.place_id === b.place_id && (b.valid_to === null || a.valid_from < b.valid_to) && (a.valid_to === null || b.valid_from < a.valid_to)
const latest = (a: string | null, b: string | null) => (a === null || b === null ? null : a > b ? a : b)

/** Both looked after one place at the same time: one interval that covers both. */
async function joinRows({ db, school_id }: RekeyPair, kept: Row, dropped: Row): Promise<MovedRow[]> {
  const own = asTables<PlacesDb>(db)
  await own.deleteFrom('place_manager').where('school_id', '=', school_id).where('id', '=', dropped.id).execute()
  const valid_from = kept.valid_from < dropped.valid_from ? kept.valid_from : dropped.valid_from
  await own.updateTable('place_manager').set({ valid_from, valid_to: latest(kept.valid_to, dropped.valid_to) }).where('school_id', '=', school_id).where('id', '=', kept.id).execute()
  return [kept, dropped].map(row => ({ table_name, row_key: row.id, column_name: 'user_id', old_user_id: row.user_id, before: row }))
}

/** Who looks after places, when two files turn out to be one person (chapter 20 rule 19). */
export const placesRekey: Rekey = {
  domain: 'places',
  title: '场所',
  tables: [table_name],
  stays: {},
  async preview({ db, school_id, drop_user_id }) {
    const { length: count } = await rowsOf(db, school_id, drop_user_id)
    return { moves: count > 0 ? [{ title, count }] : [], conflicts: [] }
  },
  async apply(step) {
    const { db, school_id, keep_user_id, drop_user_id } = step
    const moved: MovedRow[] = []
    for (const dropped of await rowsOf(db, school_id, drop_user_id)) {
      const kept = (await rowsOf(db, school_id, keep_user_id)).find(row => meets(row, dropped))
      if (kept) moved.push(...(await joinRows(step, kept, dropped)))
      else {
        await asTables<PlacesDb>(db).updateTable('place_manager').set({ user_id: keep_user_id }).where('school_id', '=', school_id).where('id', '=', dropped.id).execute()
        moved.push({ table_name, row_key: dropped.id, column_name: 'user_id', old_user_id: drop_user_id })
      }
    }
    await declareManagers(asTables<PlacesDb>(db), school_id, [keep_user_id, drop_user_id])
    return moved
  },
  async undo({ db, school_id, keep_user_id, drop_user_id }, rows, mark) {
    const own = asTables<PlacesDb>(db)
    for (const { row_key, old_user_id, before } of rows.toReversed()) {
      const row = before === undefined ? null : Row.parse(before)
      const { numUpdatedRows } = await own.updateTable('place_manager').set(row ? { valid_from: row.valid_from, valid_to: row.valid_to } : { user_id: old_user_id }).where('school_id', '=', school_id).where('id', '=', row_key).executeTakeFirstOrThrow()
      if (row && numUpdatedRows === 0n) await own.insertInto('place_manager').values({ school_id, ...row }).execute()
    }
    await declareManagers(own, school_id, [keep_user_id, drop_user_id])
    const known = BigInt(z.string().parse(mark))
    const count = (await rowsOf(db, school_id, keep_user_id)).filter(row => BigInt(row.id) > known).length
    return count > 0 ? [{ title, count, why: 'born' }] : []
  },
  async mark({ db, school_id, keep_user_id, drop_user_id }) {
    const ids = [...(await rowsOf(db, school_id, keep_user_id)), ...(await rowsOf(db, school_id, drop_user_id))].map(row => BigInt(row.id))
    return String(ids.reduce((most, id) => (id > most ? id : most), 0n))
  },
}

/** Nobody who is erased looks after a place. */
export const placesErase: Erase = {
  domain: 'places',
  title: '场所',
  stage: 'rows',
  tables: [table_name],
  stays: {},
  async erase({ db, school_id, user_id }) {
    const { numDeletedRows } = await asTables<PlacesDb>(db).deleteFrom('place_manager').where('school_id', '=', school_id).where('user_id', '=', user_id).executeTakeFirstOrThrow()
    return numDeletedRows === 0n ? [] : [{ store: 'db:places', title: '场所负责人', action: 'deleted', acked: true, evidence: `${numDeletedRows} 行` }]
  },
}
