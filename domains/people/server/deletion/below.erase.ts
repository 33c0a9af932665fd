import { eraseLines } from '@campus/jobs/server'
import { eraseInbox } from '@campus/messages/server'
import { erasePrefs } from '@campus/school/server'
import { asTables } from '@kit/server/db'
import type { PeopleDb } from '../db.ts'
import { partKey } from '../import/image.ts'
import type { Erase } from './erase-port.ts'

/** Imports whose lines are one person each. */
const personal_templates = ['student', 'teacher', 'student_photo', 'teacher_photo']
const rows = (count: number) => `清除${count}行`

/** What the domains below people keep of somebody, which know no deletion of their own: his messages, his settings, the lines that brought him in. */
export const below_erasers: readonly Erase[] = [
  {
    domain: 'people',
    title: '消息',
    stage: 'rows',
    tables: [],
    stays: {},
    async erase({ db, school_id, user_id }) {
      return [{ store: 'db:messages', title: '消息', action: 'deleted', acked: true, evidence: rows(await eraseInbox(db, { school_id, user_id })) }]
    },
  },
  {
    domain: 'people',
    title: '个人设置',
    stage: 'rows',
    tables: [],
    stays: {},
    async erase({ db, school_id, user_id }) {
      return [{ store: 'db:school', title: '个人设置', action: 'deleted', acked: true, evidence: rows(await erasePrefs(db, { school_id, user_id })) }]
    },
  },
  {
    domain: 'people',
    title: '导入记录',
    stage: 'rows',
    tables: [],
    stays: {},
    async erase({ db, school_id, user_id }) {
      const own = await eraseLines(db, { school_id, templates: personal_templates, target_id: user_id, touched: [] })
      const links = await eraseLines(db, { school_id, templates: ['parent'], target_id: user_id, touched: [partKey('p', user_id)] })
      const applied = await asTables<PeopleDb>(db).selectFrom('freshmen_apply').select('id').where('school_id', '=', school_id).where('user_id', '=', user_id).execute()
      let applications = 0
      for (const { id } of applied) applications += await eraseLines(db, { school_id, templates: ['freshman'], target_id: id, touched: [] })
      return [{ store: 'db:jobs', title: '导入记录', action: 'deleted', acked: true, evidence: `${rows(own + links + applications)}，导入原件满180天自动清除` }]
    },
  },
]
