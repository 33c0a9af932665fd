import type { Erase, Rekey } from '@campus/people/server'
import { asTables } from '@kit/server/db'
import { sql } from 'kysely'
import { z } from 'zod'
import type { PublishingDb } from './db.ts'

const title = '通知与荣誉'
const authors = '记录谁发布，不改写'
const stays = {
  publishing_post: authors, publishing_post_rev: authors, publishing_crowd: authors, publishing_remind: authors, publishing_honour: authors, publishing_submission: '提交与签名按当时的人保存', publishing_crowd_member: '手动成员由管理员调整',
} as const
const Key = z.object({ sent_month: z.string(), post_id: z.string(), subject_user_id: z.string() })

/** What was sent to two files of one human being: the kept one reads on (chapter 60 rule 15). */
export const publishingRekey: Rekey = {
  domain: 'publishing',
  title,
  tables: ['publishing_recipient', ...Object.keys(stays)],
  stays,
  async preview({ db, school_id, drop_user_id }) {
    const { rows: [row] } = await sql<{ n: number }>`select count(*)::int as n from publishing_recipient where school_id = ${school_id} and user_id = ${drop_user_id}`.execute(db)
    return { moves: row && row.n > 0 ? [{ title: '收到的通知', count: row.n }] : [], conflicts: [] }
  },
  async apply({ db, school_id, keep_user_id, drop_user_id }) {
    const own = asTables<PublishingDb>(db)
    const rows = await own.selectFrom('publishing_recipient').select(['sent_month', 'post_id', 'subject_user_id']).where('school_id', '=', school_id).where('user_id', '=', drop_user_id).execute()
    const kept = await own.selectFrom('publishing_recipient').select(['post_id', 'subject_user_id']).where('school_id', '=', school_id).where('user_id', '=', keep_user_id).execute()
    const taken = new Set(kept.map(row => `${row.post_id} ${row.subject_user_id}`))
    const free = rows.filter(row => !taken.has(`${row.post_id} ${row.subject_user_id}`))
    for (const row of free) {
      await own.updateTable('publishing_recipient').set({ user_id: keep_user_id }).where('school_id', '=', school_id).where('sent_month', '=', row.sent_month).where('post_id', '=', row.post_id).where('subject_user_id', '=', row.subject_user_id).where('user_id', '=', drop_user_id).execute()
    }
    return free.map(row => ({ table_name: 'publishing_recipient', row_key: JSON.stringify(row), column_name: 'user_id', old_user_id: drop_user_id }))
  },
  async undo({ db, school_id, keep_user_id, drop_user_id }, rows) {
    for (const { row_key } of rows) {
      const row = Key.parse(JSON.parse(row_key))
      await asTables<PublishingDb>(db).updateTable('publishing_recipient').set({ user_id: drop_user_id }).where('school_id', '=', school_id).where('sent_month', '=', row.sent_month).where('post_id', '=', row.post_id).where('subject_user_id', '=', row.subject_user_id).where('user_id', '=', keep_user_id).execute()
    }
    return []
  },
  mark: () => Promise.resolve(null),
}

/** Who is erased leaves bare numbers in the receipts; what he has written or signed goes (chapter 60 §7). */
export const publishingErase: Erase = {
  domain: 'publishing',
  title,
  stage: 'rows',
  tables: ['publishing_recipient', ...Object.keys(stays)],
  stays: { ...stays, publishing_recipient: '回执只剩编号，用于统计' },
  async erase({ db, school_id, user_id }) {
    const own = asTables<PublishingDb>(db)
    const { numUpdatedRows } = await own.updateTable('publishing_submission').set({ answers: '{}', content: '', signature: null, note: null }).where('school_id', '=', school_id)
      .where(({ or, eb }) => or([eb('user_id', '=', user_id), eb('subject_user_id', '=', user_id)])).executeTakeFirstOrThrow()
    const { numDeletedRows } = await own.deleteFrom('publishing_crowd_member').where('school_id', '=', school_id).where('user_id', '=', user_id).executeTakeFirstOrThrow()
    const count = Number(numUpdatedRows) + Number(numDeletedRows)
    return count === 0 ? [] : [{ store: 'db:publishing', title, action: 'anonymised', acked: true, evidence: `${count} 行` }]
  },
}
