import { content_state } from '@campus/publishing/contract'
import { sql } from 'kysely'
import type { Work } from '../db.ts'
import { compileBoards } from './plan.service.ts'

/** Ends living contents and makes the plans of all boards that have them without delay. @returns the boards */
export async function endContents(work: Work, content_ids: readonly string[], reason: string): Promise<string[]> {
  const { db, school_id, now } = work
  if (content_ids.length === 0) return []
  await db
    .updateTable('publishing_content')
    .set({ state: content_state.taken, take_reason: reason, updated_at: now, row_version: sql<number>`row_version + 1` })
    .where('school_id', '=', school_id)
    .where('content_id', 'in', [...content_ids])
    .execute()
  const rows = await db
    .selectFrom('publishing_delivery')
    .select('device_id')
    .distinct()
    .where('school_id', '=', school_id)
    .where('content_id', 'in', [...content_ids])
    .execute()
  const boards = rows.map(row => row.device_id)
  await compileBoards(work, boards, '下架内容')
  return boards
}
