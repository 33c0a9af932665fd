import type { Erase, Rekey } from '@campus/people/server'
import { asTables } from '@kit/server/db'
import type { AccessDb, Step } from '../db.ts'
import { derive } from './derive.ts'

const tables = ['user_rule', 'temporary_rule_subject', 'access_ban', 'access_grant', 'access_rule', 'access_rule_version', 'dept_rule', 'temporary_rule'] as const
const title = '通行规则'
const stays = {
  access_rule: '学校规则，只记修改人编号', access_rule_version: '规则版本不改写', dept_rule: '部门规则，只记修改人编号', temporary_rule: '临时规则不改写，只记操作人编号',
  access_grant: '由规则重新计算', user_rule: '历史规则不改写', temporary_rule_subject: '历史临时规则不改写', access_ban: '禁行记录不改写',
} as const
type Handle = Omit<Step, 'db'> & { db: Parameters<typeof asTables>[0] }
const stepOf = ({ app, db, school_id, now }: Handle): Step => ({ app, db: asTables<AccessDb>(db), school_id, now })

/** Two files of one person: what was said of either stays with its number; the rights of the one that is dropped end with it. */
export const grantRekey: Rekey = {
  domain: 'access',
  title,
  tables: [...tables],
  stays,
  preview: () => Promise.resolve({ moves: [], conflicts: [] }),
  async apply(step) {
    await derive(stepOf(step), [step.keep_user_id, step.drop_user_id])
    return []
  },
  undo: () => Promise.resolve([]),
  mark: () => Promise.resolve(null),
}

/** Who is erased has no rule of his own and no right at any door. */
export const grantErase: Erase = {
  domain: 'access',
  title,
  stage: 'rows',
  tables: [...tables],
  stays: { access_rule: stays.access_rule, access_rule_version: stays.access_rule_version, dept_rule: stays.dept_rule, temporary_rule: stays.temporary_rule },
  async erase({ app, db: handle, school_id, now, user_id }) {
    const db = asTables<AccessDb>(handle)
    let count = 0
    for (const table of ['user_rule', 'temporary_rule_subject', 'access_ban'] as const) {
      const { numDeletedRows } = await db.deleteFrom(table).where('school_id', '=', school_id).where('user_id', '=', user_id).executeTakeFirstOrThrow()
      count += Number(numDeletedRows)
    }
    await derive({ app, db, school_id, now }, [user_id])
    return count === 0 ? [] : [{ store: 'db:access', title, action: 'deleted', acked: true, evidence: `${count} 行` }]
  },
}
