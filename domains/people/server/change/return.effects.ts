import { ensureUsers, userOff, userOn } from '@campus/identity/server'
import { asTables } from '@kit/server/db'
import { sql } from 'kysely'
import { oneOf } from '../dated.ts'
import type { PeopleDb } from '../db.ts'
import type { ChangeEffect, EffectPlan, EffectStep } from './effect-port.ts'
import { EndedUsers } from './ending.ts'
import { restoreRows } from './subject.rows.ts'

const pupil_kind = 1

/** The guardians whom a pupil had when he left are his again, as they were then. */
const links: ChangeEffect = {
  domain: 'people',
  effect_code: 'links',
  title: '监护关系',
  kinds: ['RETURN'],
  dated: false,
  undoable: true,
  preview: async plan => ({ count: await guardiansThen(plan), detail: '恢复离校前的监护人' }),
  async apply(step) {
    const { db, effective_on, command_id } = step
    const { numAffectedRows = 0n } = await sql`
      insert into guardian_link (school_id, student_user_id, parent_user_id, relation, is_first, is_guardian, can_pickup, order_no, valid_from, command_id)
      select g.school_id, g.student_user_id, g.parent_user_id, g.relation, g.is_first, g.is_guardian, g.can_pickup, g.order_no, ${effective_on}::date, ${command_id}
      ${ofThen(step)} returning 1`.execute(db)
    return { count: Number(numAffectedRows) }
  },
  undo: step => restoreRows(step, 'guardian_link'),
}

/** Whoever returns may sign in again, with the roles and bindings that his departure ended. */
const account: ChangeEffect = {
  domain: 'people',
  effect_code: 'account',
  title: '登录账号',
  kinds: ['RETURN'],
  dated: false,
  undoable: true,
  preview: async ({ subjects }) => ({ count: subjects.length, detail: '自生效日起可以登录本校' }),
  async apply(step) {
    await userOn(step, await endedBefore(step))
    await ensureUsers(step.db, step.school_id, await displayCopies(step))
    return { count: step.subjects.length, detail: '已可以登录本校' }
  },
  async undo(step) {
    await userOff(step, step.subjects.map(subject => subject.user_id))
  },
}

/** What follows from a return besides class and state. */
export const return_effects: readonly ChangeEffect[] = [links, account]

/** Links that ended with the last state of these pupils before the day, to people who are still known. */
function ofThen({ school_id, subjects, effective_on }: EffectPlan) {
  return sql`
    from guardian_link g join person p on p.school_id = g.school_id and p.user_id = g.parent_user_id
    where g.school_id = ${school_id} and p.school_id = ${school_id} and p.status = 'live' and ${oneOf('g.student_user_id', subjects.map(subject => subject.user_id))}
      and g.valid_to = (select max(t.valid_to) from student_span t where t.school_id = ${school_id} and t.user_id = g.student_user_id and t.valid_to <= ${effective_on}::date)
      and not exists (select from guardian_link o where o.school_id = ${school_id} and o.student_user_id = g.student_user_id and o.valid_to is null)`
}

async function guardiansThen(plan: EffectPlan): Promise<number> {
  const { rows } = await sql<{ links: number }>`select count(*)::int as links ${ofThen(plan)}`.execute(plan.db)
  return rows[0]?.links ?? 0
}

/** What the last departure of each of them ended at identity, as its receipt keeps it; nothing of those who left without a command. */
async function endedBefore({ db, school_id, subjects, command_id }: EffectStep) {
  const ids = subjects.map(subject => subject.user_id)
  const rows = await asTables<PeopleDb>(db)
    .selectFrom('change_effect as e')
    .innerJoin('change_subject as s', join => join.onRef('s.school_id', '=', 'e.school_id').onRef('s.command_id', '=', 'e.command_id'))
    .select(['s.user_id', 'e.ref'])
    .where('e.school_id', '=', school_id)
    .where('s.school_id', '=', school_id)
    .where(oneOf('s.user_id', ids))
    .where('e.domain', '=', 'people')
    .where('e.effect_code', '=', 'account')
    .where('e.state', '=', 'done')
    .where('e.command_id', '<>', command_id)
    .where('e.ref', 'is not', null)
    .orderBy('e.id')
    .execute()
  const last = new Map(rows.map(row => [row.user_id, row.ref]))
  return [...last].flatMap(([user_id, ref]) => (EndedUsers.safeParse(ref).data ?? []).filter(person => person.user_id === user_id))
}

async function displayCopies({ db, school_id, subjects }: EffectStep) {
  const people = await asTables<PeopleDb>(db)
    .selectFrom('student as s')
    .innerJoin('person as p', join => join.onRef('p.school_id', '=', 's.school_id').onRef('p.user_id', '=', 's.user_id'))
    .select(['s.user_id', 's.student_no as user_no', 'p.user_name'])
    .where('s.school_id', '=', school_id)
    .where('p.school_id', '=', school_id)
    .where(oneOf('s.user_id', subjects.map(subject => subject.user_id)))
    .execute()
  return people.map(person => ({ ...person, user_kind: pupil_kind }))
}
