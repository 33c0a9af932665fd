import type { Erase, Rekey } from '@campus/people/server'
import { asTables } from '@kit/server/db'
import { sql } from 'kysely'
import type { PassDb } from './db.ts'

const title = '出入与访客'
const stays = {
  access_pass: '通行记录不改写，只记编号', access_user_day: '由通行记录重新计算，只记编号', visitor_apply: '来访记录不改写，只记编号', visitor_audit: '审核记录不改写，只记编号', visitor_blacklist: '黑名单登记人只记编号', visitor_receiver_day: '当日接待计数，只记编号',
} as const
const moved = { access_presence: '在校状态由下一次通行更新', visitor_receiver: '接待设置属于原编号，合并后重新设置' } as const
const tables = [...Object.keys(stays), ...Object.keys(moved)]

/** Passes and visits, when two files turn out to be one person: they keep the number they were made under, lists join by the merge (chapter 35 §7). */
export const passRekey: Rekey = {
  domain: 'access_pass', title, tables, stays: { ...stays, ...moved },
  preview: () => Promise.resolve({ moves: [], conflicts: [] }),
  apply: () => Promise.resolve([]),
  undo: () => Promise.resolve([]),
  mark: () => Promise.resolve(null),
}

/** Who is erased is nowhere and receives nobody; passes and visits keep the bare number. */
export const passErase: Erase = {
  domain: 'access_pass', title, stage: 'rows', tables, stays,
  async erase({ db: handle, school_id, user_id }) {
    const db = asTables<PassDb>(handle)
    const presence = await db.deleteFrom('access_presence').where('school_id', '=', school_id).where('subject_id', '=', user_id).executeTakeFirstOrThrow()
    const receiver = await db.deleteFrom('visitor_receiver').where('school_id', '=', school_id).where('user_id', '=', user_id).executeTakeFirstOrThrow()
    await db.updateTable('visitor_receiver').set({ delegate_user_id: null, delegate_until: null, row_version: sql<number>`row_version + 1` }).where('school_id', '=', school_id).where('delegate_user_id', '=', user_id).execute()
    const count = Number(presence.numDeletedRows) + Number(receiver.numDeletedRows)
    return count === 0 ? [] : [{ store: 'db:access', title, action: 'deleted', acked: true, evidence: `${count} 行` }]
  },
}
