import { release } from '@campus/files/server'
import type { Erase, Rekey } from '@campus/people/server'
import { asTables } from '@kit/server/db'
import { sql } from 'kysely'
import type { AccessDb, Step } from './db.ts'
import { derive } from './grant/derive.ts'
import type { PassDb } from './pass/db.ts'
import { dropPhotosOf } from './pass/photo.ts'

const title = '通行与访客'
/** What keeps the number it was made under, and why. */
const kept = {
  access_rule: '学校规则，只记修改人编号', access_rule_version: '规则版本不改写', dept_rule: '部门规则，只记修改人编号', temporary_rule: '临时规则不改写，只记操作人编号',
  access_abnormal: '异常记录不改写，只记编号',
  access_pass: '通行记录不改写，只记编号', access_user_day: '由通行记录重新计算，只记编号', door_command: '开门指令不改写，只记操作人编号', door_emergency: '疏散与封闭不改写，只记操作人编号', pickup_event: '接送记录不改写，只记编号',
  visitor_apply: '来访记录不改写，只记编号', visitor_audit: '审核记录不改写，只记编号', visitor_blacklist: '黑名单登记人只记编号', visitor_receiver_day: '当日接待计数，只记编号',
} as const
/** What ends with a person, and stays with its number when two people turn out to be one. */
const own = {
  access_grant: '由规则重新计算', user_rule: '历史规则不改写', temporary_rule_subject: '历史临时规则不改写', access_ban: '禁行记录不改写',
  access_pass_photo: '照片跟随通行记录，只记编号',
  access_presence: '在校状态由下一次通行更新', pickup_person: '接送登记属于原编号，合并后重新登记', visitor_receiver: '接待设置属于原编号，合并后重新设置',
} as const
const tables = [...Object.keys(kept), ...Object.keys(own)]
type Handle = Omit<Step, 'db'> & { db: Parameters<typeof asTables>[0] }
const stepOf = ({ app, db, school_id, now }: Handle): Step => ({ app, db: asTables<AccessDb>(db), school_id, now })

/** Two files of one person: rules, passes and visits keep the number they were made under (lists join by the merge, chapter 35 §7); the rights of the one that is dropped end with it. */
export const accessRekey: Rekey = {
  domain: 'access', title, tables, stays: { ...kept, ...own },
  preview: () => Promise.resolve({ moves: [], conflicts: [] }),
  async apply(step) {
    await derive(stepOf(step), [step.keep_user_id, step.drop_user_id])
    return []
  },
  undo: () => Promise.resolve([]),
  mark: () => Promise.resolve(null),
}

/** Who is erased has no rule of his own, no right at any door, is nowhere and receives nobody; passes and visits keep the bare number. */
export const accessErase: Erase = {
  domain: 'access', title, stage: 'rows', tables, stays: kept,
  async erase(erasing) {
    const { user_id } = erasing
    const step = stepOf(erasing)
    const { db, school_id } = step
    let count = 0
    for (const table of ['user_rule', 'temporary_rule_subject', 'access_ban', 'visitor_receiver'] as const) {
      const { numDeletedRows } = await db.deleteFrom(table).where('school_id', '=', school_id).where('user_id', '=', user_id).executeTakeFirstOrThrow()
      count += Number(numDeletedRows)
    }
    const presence = await db.deleteFrom('access_presence').where('school_id', '=', school_id).where('subject_id', '=', user_id).executeTakeFirstOrThrow()
    const fetching = await db.deleteFrom('pickup_person').where('school_id', '=', school_id)
      .where(eb => eb.or([eb('student_id', '=', user_id), eb('parent_id', '=', user_id)])).returning('pickup_id').execute()
    for (const { pickup_id } of fetching) await release(step, { ref_kind: 'access.pickup_person', ref_id: pickup_id })
    await db.updateTable('visitor_receiver').set({ delegate_user_id: null, delegate_until: null, row_version: sql<number>`row_version + 1` }).where('school_id', '=', school_id).where('delegate_user_id', '=', user_id).execute()
    await derive(step, [user_id])
    count += await dropPhotosOf({ ...step, db: asTables<PassDb>(erasing.db) }, user_id, 'person')
    count += Number(presence.numDeletedRows) + fetching.length
    return count === 0 ? [] : [{ store: 'db:access', title, action: 'deleted', acked: true, evidence: `${count} 行` }]
  },
}
