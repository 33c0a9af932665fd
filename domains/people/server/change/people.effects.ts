import { offWords, userOff, userOn } from '@campus/identity/server'
import { leave_kinds, move_kinds } from '@campus/people/contract'
import { asTables } from '@kit/server/db'
import { sql } from 'kysely'
import { insertRows } from '../bulk.ts'
import { oneOf } from '../dated.ts'
import type { PeopleDb } from '../db.ts'
import type { ChangeEffect, EffectPlan } from './effect-port.ts'
import { EndedUsers, endRows, withoutOthers } from './ending.ts'
import { return_effects } from './return.effects.ts'
import { restoreRows } from './subject.rows.ts'

const class_type = 4
/** Graduates leave like everybody else, though never by a command of their own. */
const leaving = [...leave_kinds, 'GRAD'] as const

const other_kinds = [2, 3, 6, 7]

/** Moves to the new class, or ends the class of who leaves. */
const member: ChangeEffect = {
  domain: 'people',
  effect_code: 'member',
  title: '班级归属',
  kinds: [...move_kinds, 'RESUME', 'RETURN', ...leaving],
  dated: true,
  undoable: true,
  preview: async ({ subjects }) => ({ count: moved(subjects).length }),
  async apply(step) {
    const { db, school_id, effective_on, command_id } = step
    const subjects = moved(step.subjects)
    await endRows({ ...step, subjects }, 'dept_member', { whose: sql`user_id`, changes: sql`valid_to = ${effective_on}`, also: sql`member_kind = 'student'` })
    const rows = subjects.flatMap(({ user_id, after: { dept_id } }) => {
      return dept_id === null ? [] : [{ school_id, user_id, dept_id, member_kind: 'student', dept_type: class_type, valid_from: effective_on, command_id }]
    })
    await insertRows(asTables<PeopleDb>(db), 'dept_member', rows)
    return { count: subjects.length }
  },
  undo: step => restoreRows(step, 'dept_member'),
}

/** Ends the state on the roll, and begins the new one of who stays or returns; how, why and where to stands with the ended row. */
const span: ChangeEffect = {
  domain: 'people',
  effect_code: 'span',
  title: '学籍状态',
  kinds: [...leaving, 'SUSPEND', 'RESUME', 'RETURN'],
  dated: true,
  undoable: true,
  preview: async ({ subjects }) => ({ count: subjects.length }),
  async apply(step) {
    const { db, school_id, effective_on, kind, reason, to_where, until = null, command_id, subjects } = step
    await endRows(step, 'student_span', { whose: sql`user_id`, changes: sql`valid_to = ${effective_on}, close_kind = ${kind}, reason = ${reason}, to_where = ${to_where}` })
    const opened = subjects.flatMap(({ user_id, after: { state } }) => (state === null ? [] : [{ school_id, user_id, state, valid_from: effective_on, state_until: until, open_kind: kind, reason, command_id }]))
    await insertRows(asTables<PeopleDb>(db), 'student_span', opened)
    return { count: subjects.length }
  },
  undo: step => restoreRows(step, 'student_span'),
}

/** Ends the links to guardians on the day itself, so that guardians entered until then end with the others; one link by a LINK of its own (`unlink.ts`). */
export const links: ChangeEffect = {
  domain: 'people',
  effect_code: 'links',
  title: '监护关系',
  kinds: [...leaving, 'LINK'],
  dated: false,
  undoable: true,
  preview: async plan => ({ count: await openLinks(plan) }),
  async apply(step) {
    const count = await openLinks(step)
    await endRows(step, 'guardian_link', { whose: sql`student_user_id`, changes: sql`valid_to = ${step.effective_on}` })
    return { count }
  },
  undo: step => restoreRows(step, 'guardian_link'),
}

/** Ends roles and sessions of who leaves; who is here as a guardian or member of staff besides keeps them. */
const account: ChangeEffect = {
  domain: 'people',
  effect_code: 'account',
  title: '登录账号',
  kinds: leaving,
  dated: false,
  undoable: true,
  preview: async plan => ({ count: (await withoutOthers(plan, other_kinds)).length, detail: '自生效日起不能登录本校' }),
  async apply(step) {
    const ended = await userOff(step, await withoutOthers(step, other_kinds))
    const more = offWords(ended)
    return { count: ended.length, detail: more === null ? '已不能登录本校' : `已不能登录本校：${more}`, ref: ended }
  },
  undo: (step, ref) => userOn(step, EndedUsers.parse(ref)),
}

/** What an enrolment writes besides the file itself. */
export const enrolment_effects: readonly ChangeEffect[] = [member, span, links, account]
/** What people itself does when somebody moves, leaves, pauses or returns (chapter 20 §7). */
export const people_effects: readonly ChangeEffect[] = [...enrolment_effects, ...return_effects]

function moved(subjects: EffectPlan['subjects']) {
  return subjects.filter(({ before, after }) => before.dept_id !== after.dept_id)
}

async function openLinks({ db, school_id, subjects, effective_on }: EffectPlan): Promise<number> {
  const { rows } = await sql<{ links: number }>`
    select count(*)::int as links from guardian_link g
    where g.school_id = ${school_id} and ${oneOf('g.student_user_id', subjects.map(subject => subject.user_id))}
      and (g.valid_to is null or g.valid_to > ${effective_on}::date)`.execute(db)
  return rows[0]?.links ?? 0
}
