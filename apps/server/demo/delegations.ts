import { createDelegations } from '@campus/people/server'
import { sql } from 'kysely'
import { demo_accounts } from './accounts.ts'
import { startOfDay } from './school-year.ts'
import type { Work } from './school-work.ts'

const day_ms = 86_400_000
/** First day and the day after the last one, counted from the demo day, and why. */
const spans = [
  { from: -40, to: -26, reason: '外出培训' },
  { from: -5, to: 9, reason: '骨干教师研修' },
  { from: -2, to: 28, reason: '病假' },
  { from: -12, to: 48, reason: '产假' },
  { from: 7, to: 21, reason: '外出参赛' },
] as const

type Head = { dept_id: string; user_id: string }

/** Five delegations between heads of grades, one of them over (chapter 20 §8): each acts for the grade beside his own. Demo accounts see what their roles say, no more. */
export async function fillDelegations({ db, school_id, today }: Work): Promise<void> {
  const { rows } = await sql<Head>`
    select y.dept_id, y.user_id from dept_duty y join dept_now d on d.school_id = y.school_id and d.id = y.dept_id
    where y.school_id = ${school_id} and d.school_id = ${school_id} and y.duty = 'grade_head' and y.valid_to is null and d.dept_type = 3
      and not exists (select from account a where a.user_id = y.user_id and a.username = any(${demo_accounts.map(one => one.account)}::text[]))
    order by d.grade desc, y.dept_id`.execute(db)
  const start = startOfDay(today).getTime()
  const made = spans.flatMap(({ from, to, reason }, at) => {
    const [head, other] = [rows[at * 2], rows[at * 2 + 1]]
    if (!head || !other || head.user_id === other.user_id) return []
    return [{ dept_id: head.dept_id, from_user_id: head.user_id, to_user_id: other.user_id, valid_from: new Date(start + from * day_ms), valid_to: new Date(start + to * day_ms), reason }]
  })
  await createDelegations(db, school_id, made)
}
