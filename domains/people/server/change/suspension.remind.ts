import { peopleTemplates } from '@campus/people/contract'
import { send } from '@campus/messages/server'
import type { Sender } from '@campus/messages/server'
import { sql } from 'kysely'
import { addDays, schoolDay } from '../day.ts'

/** How long before its end a suspension is spoken of (chapter 20 §2). */
const ahead_days = 14
const most_named = 8
type Ending = { user_name: string; state_until: string; teachers: string[] }

/**
 * Tells class teachers, and whoever gave the command, of suspensions whose end has come within 14 days since the day `first`. The same pupils and day
 * are one message, however often the day turns.
 */
export async function remindSuspensions(desk: Sender, first: string): Promise<void> {
  const until = addDays(schoolDay(desk.now), ahead_days)
  const rows = await endings(desk, addDays(first, ahead_days), until)
  const told = rows.flatMap(row => row.teachers.map(teacher => ({ ...row, teacher })))
  for (const [key, list] of Map.groupBy(told, one => `${one.teacher}/${one.state_until}`)) {
    const [one] = list
    if (!one) continue
    const names = list.slice(0, most_named).map(row => row.user_name.slice(0, 6)).join('、') + (list.length > most_named ? `等${list.length}人` : '')
    await send(desk, { template: peopleTemplates.suspensionEnding, source_ref: `suspension/${key}`, to: [{ user_id: one.teacher }], values: { names, day: one.state_until }, link: '/ParentsRecord?state=02', level: 2 })
  }
}

async function endings({ db, school_id }: Sender, from: string, to: string): Promise<Ending[]> {
  const { rows } = await sql<Ending>`
    select p.user_name, t.state_until::text as state_until, array(
        select y.user_id from dept_member m join dept_duty y on y.school_id = m.school_id and y.dept_id = m.dept_id and y.duty in ('head', 'vice_head') and y.valid_to is null
        where m.school_id = ${school_id} and m.user_id = t.user_id and m.member_kind = 'student' and m.valid_to is null
        union select c.created_by from change_command c join live_staff l on l.school_id = c.school_id and l.user_id = c.created_by
        where c.school_id = ${school_id} and c.id = t.command_id) as teachers
    from student_span t join person p on p.school_id = t.school_id and p.user_id = t.user_id
    where t.school_id = ${school_id} and p.school_id = ${school_id} and t.state = '02' and t.valid_to is null and t.state_until between ${from}::date and ${to}::date
    order by t.state_until, p.name_py`.execute(db)
  return rows
}
