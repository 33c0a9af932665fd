import { eraseFile } from '@campus/files/server'
import type { Erase, Erased, MovedRow, Rekey } from '@campus/people/server'
import { asTables } from '@kit/server/db'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import { z } from 'zod'
import type { DevicesDb } from '../db.ts'
import { StoredImages } from './merge.ts'

type Of = { db: QueryExecutorProvider; school_id: number }
const tables = ['ai_warning', 'ai_decision', 'ai_image_export'] as const
const title = 'AI预警'
const Mark = z.object({ warning_id: z.string() })

function warningsOf({ db, school_id }: Of, user_id: string) {
  return asTables<DevicesDb>(db).selectFrom('ai_warning').select(['warning_id', 'images']).where('school_id', '=', school_id).where('person_ref', '=', user_id).orderBy('warning_id').execute()
}

async function give({ db, school_id }: Of, ids: readonly string[], user_id: string): Promise<void> {
  await sql`update ai_warning set person_ref = ${user_id} where school_id = ${school_id} and warning_id = any(${[...ids]}::bigint[])`.execute(db)
}

/** Whom boxes have recognised, when two files turn out to be one person. */
export const warningRekey: Rekey = {
  domain: 'devices.ai',
  title,
  tables: [...tables],
  stays: { ai_decision: '处理记录不改写', ai_image_export: '导出记录不改写' },
  async preview(pair) {
    const { length } = await warningsOf(pair, pair.drop_user_id)
    return { moves: length > 0 ? [{ title, count: length }] : [], conflicts: [] }
  },
  async apply(step) {
    const { keep_user_id, drop_user_id } = step
    const ids = (await warningsOf(step, drop_user_id)).map(row => row.warning_id)
    await give(step, ids, keep_user_id)
    return ids.map((row_key): MovedRow => ({ table_name: 'ai_warning', row_key, column_name: 'person_ref', old_user_id: drop_user_id }))
  },
  async undo(step, rows, mark) {
    await give(step, rows.map(row => row.row_key), step.drop_user_id)
    const last = BigInt(Mark.parse(mark).warning_id)
    const count = (await warningsOf(step, step.keep_user_id)).filter(row => BigInt(row.warning_id) > last).length
    return count > 0 ? [{ title, count, why: 'born' as const }] : []
  },
  async mark({ db, school_id }) {
    const { rows } = await sql<{ warning_id: string }>`select coalesce(max(warning_id), 0)::text as warning_id from ai_warning where school_id = ${school_id}`.execute(db)
    return { warning_id: rows[0]?.warning_id ?? '0' }
  },
}

/** Of who is erased no warning knows any more, and the pictures on which he was recognised go. */
export const warningErase: Erase = {
  domain: 'devices',
  title,
  stage: 'object',
  tables: [...tables],
  stays: { ai_decision: '处理记录保留编号，姓名显示为已注销人员', ai_image_export: '导出记录保留编号，姓名显示为已注销人员' },
  async erase(step) {
    const { db, school_id, user_id } = step
    const proofs: Erased[] = []
    for (const { images } of await warningsOf(step, user_id)) {
      for (const { file_key } of StoredImages.parse(images)) {
        const store = file_key === null ? null : await eraseFile(step, file_key)
        if (store !== null && file_key !== null) proofs.push({ store: `object:${store}`, title: 'AI预警图片', ref: file_key, action: 'deleted', acked: false })
      }
    }
    await sql`update ai_warning set person_ref = null, images = '[]' where school_id = ${school_id} and person_ref = ${user_id}`.execute(db)
    return proofs
  },
}
