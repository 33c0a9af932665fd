import { ensureUsers, offWords, userOffKept, userOn } from '@campus/identity/server'
import { peopleErrors } from '@campus/people/contract'
import { fail } from '@kit/contract'
import { asTables } from '@kit/server/db'
import { sql } from 'kysely'
import { z } from 'zod'
import { insertRows } from '../bulk.ts'
import { endRows, EndedUsers, withoutOthers } from '../change/ending.ts'
import type { ChangeEffect, EffectStep } from '../change/effect-port.ts'
import { restoreRows } from '../change/subject.rows.ts'
import { oneOf } from '../dated.ts'
import type { PeopleDb } from '../db.ts'
import { delegationEffect } from '../delegate/delegate.effect.ts'
import { declareDuties } from '../duty.declare.ts'
import { lockPeople } from '../student-file.queries.ts'

const other_kinds = [1, 3]

/** Moves to another department with position and rank, ends all of them, or begins one. */
const member: ChangeEffect = {
  domain: 'people',
  effect_code: 'staff_member',
  title: '部门归属',
  kinds: ['STAFF_MOVE', 'STAFF_OUT', 'STAFF_RETURN'],
  dated: true,
  undoable: true,
  preview: async ({ subjects }) => ({ count: subjects.length }),
  async apply(step) {
    const { kind, subjects } = step
    if (kind === 'STAFF_MOVE') await moveRows(step)
    if (kind === 'STAFF_OUT') await endRows(step, 'dept_member', { whose: sql`user_id`, changes: sql`valid_to = ${step.effective_on}`, also: sql`member_kind = 'staff'` })
    if (kind === 'STAFF_RETURN') await joinRows(step)
    return { count: subjects.length }
  },
  undo: step => restoreRows(step, 'dept_member'),
}

/** The row of the old department ends, its like begins in the new one; a row that begins on the very day is replaced (rule 1). */
async function moveRows({ db, school_id, effective_on, command_id, subjects }: EffectStep): Promise<void> {
  for (const { user_id, before, after } of subjects) {
    const from = sql`school_id = ${school_id} and user_id = ${user_id} and member_kind = 'staff' and dept_id = ${before.dept_id} and (valid_to is null or valid_to > ${effective_on}::date)`
    const { rows } = await sql<{ is_primary: boolean; position: string | null; valid_to: string | null }>`select is_primary, position, valid_to from dept_member where ${from}`.execute(db)
    await sql`delete from dept_member where ${from} and valid_from >= ${effective_on}::date`.execute(db)
    await sql`update dept_member set valid_to = ${effective_on} where ${from}`.execute(db)
    const [row] = rows
    await sql`
      insert into dept_member (school_id, user_id, dept_id, member_kind, dept_type, is_primary, position, valid_from, valid_to, command_id)
      select ${school_id}, ${user_id}, d.id, 'staff', d.dept_type, ${row?.is_primary ?? true}, ${row?.position ?? null}, ${effective_on}::date, ${row?.valid_to ?? null}::date, ${command_id}
      from dept d where d.school_id = ${school_id} and d.id = ${after.dept_id} returning 1`.execute(db)
  }
}

async function joinRows({ db, school_id, effective_on, command_id, subjects }: EffectStep): Promise<void> {
  for (const { user_id, after } of subjects) {
    await sql`
      insert into dept_member (school_id, user_id, dept_id, member_kind, dept_type, is_primary, valid_from, command_id)
      select ${school_id}, ${user_id}, d.id, 'staff', d.dept_type, true, ${effective_on}::date, ${command_id}
      from dept d where d.school_id = ${school_id} and d.id = ${after.dept_id} returning 1`.execute(db)
  }
}

/** Ends or begins the state; how and where to stands with the ended row. */
const span: ChangeEffect = {
  domain: 'people',
  effect_code: 'staff_span',
  title: '在职状态',
  kinds: ['STAFF_OUT', 'STAFF_RETURN'],
  dated: true,
  undoable: true,
  preview: async ({ subjects }) => ({ count: subjects.length }),
  async apply(step) {
    const { db, school_id, effective_on, kind, reason, leave_word, to_where, subjects, command_id } = step
    const changes = sql`valid_to = ${effective_on}, close_kind = ${kind}, reason = ${leave_word ?? reason}, to_where = ${to_where}`
    if (kind === 'STAFF_OUT') await endRows(step, 'staff_span', { whose: sql`user_id`, changes })
    const back = subjects.flatMap(({ user_id, after }) => (after.state === null ? [] : [{ school_id, user_id, state: after.state, valid_from: effective_on, open_kind: kind, command_id }]))
    await insertRows(asTables<PeopleDb>(db), 'staff_span', back)
    return { count: subjects.length }
  },
  undo: step => restoreRows(step, 'staff_span'),
}

const DutyRef = z.object({ opened: z.array(z.string()), people: z.array(z.string()) })

/** Ends the duties of who leaves; where he was head of a class somebody else is, from the same day on. */
const duty: ChangeEffect = {
  domain: 'people',
  effect_code: 'duty',
  title: '班主任与职务',
  kinds: ['STAFF_OUT'],
  dated: true,
  undoable: true,
  preview: async plan => ({ count: (await openDuties(plan)).length }),
  async apply(step) {
    const { school_id, effective_on: valid_from, command_id, successors = [] } = step
    const db = asTables<PeopleDb>(step.db)
    const ending = await openDuties(step)
    await endRows(step, 'dept_duty', { whose: sql`user_id`, changes: sql`valid_to = ${valid_from}` })
    const rows = ending.flatMap(({ dept_id, duty: held, valid_to }) => {
      const next = held === 'head' ? successors.find(one => one.dept_id === dept_id) : undefined
      return next ? [{ school_id, dept_id, user_id: next.user_id, duty: held, valid_from, valid_to, command_id }] : []
    })
    const opened = rows.length === 0 ? [] : await db.insertInto('dept_duty').values(rows).returning('id').execute()
    const people = [...new Set([...ending, ...rows].map(row => row.user_id))]
    await declareDuties(db, school_id, people)
    const detail = rows.length > 0 ? `${rows.length}个班级由接任人担任班主任` : undefined
    return { count: ending.length, ...(detail === undefined ? {} : { detail }), ref: { opened: opened.map(row => row.id), people } }
  },
  async undo(step, ref) {
    const { opened, people } = DutyRef.parse(ref)
    const db = asTables<PeopleDb>(step.db)
    await lockPeople(db, step.school_id, people)
    const gone = opened.length === 0 ? [] : await db.deleteFrom('dept_duty').where('school_id', '=', step.school_id).where(oneOf('id', opened)).where('command_id', '=', step.command_id).returning('id').execute()
    if (gone.length < opened.length) throw fail(peopleErrors.undoBlocked, { data: { command_ids: [] } })
    await restoreRows(step, 'dept_duty')
    await declareDuties(db, step.school_id, people)
  },
}

/** Ends roles and sessions of who leaves; a guardian of a pupil keeps them. The school keeps an administrator. */
const account: ChangeEffect = {
  domain: 'people',
  effect_code: 'staff_account',
  title: '登录账号',
  kinds: ['STAFF_OUT'],
  dated: false,
  undoable: true,
  preview: async plan => ({ count: (await withoutOthers(plan, other_kinds)).length, detail: '自生效日起不能登录本校' }),
  async apply(step) {
    const ended = await userOffKept(step, await withoutOthers(step, other_kinds))
    const more = offWords(ended)
    return { count: ended.length, detail: more === null ? '已不能登录本校' : `已不能登录本校：${more}`, ref: ended }
  },
  undo: (step, ref) => userOn(step, EndedUsers.parse(ref)),
}

/** Who comes back can be given roles again; those of before do not return by themselves. */
const back: ChangeEffect = {
  domain: 'people',
  effect_code: 'staff_back',
  title: '登录账号',
  kinds: ['STAFF_RETURN'],
  dated: false,
  undoable: true,
  preview: async ({ subjects }) => ({ count: subjects.length, detail: '账号恢复，角色需重新授予' }),
  async apply(step) {
    const people = await displayCopies(step)
    await ensureUsers(step.db, step.school_id, people)
    return { count: people.length, detail: '账号已恢复，请重新授予角色' }
  },
  async undo(step) {
    await userOffKept(step, await withoutOthers(step, other_kinds))
  },
}

/** Staff as identity keeps them for display. */
async function displayCopies({ db, school_id, subjects }: EffectStep) {
  const { rows } = await sql<{ user_id: string; user_no: string; user_name: string; user_kind: number; user_photo: string | null }>`
    select s.user_id, s.teacher_no as user_no, p.user_name, case when c.school_type = 1 then 2 when s.kind like '5%' then 7 else 6 end as user_kind, p.photo_file_key as user_photo
    from staff s join person p on p.school_id = s.school_id and p.user_id = s.user_id join school_v c on c.school_id = s.school_id
    where s.school_id = ${school_id} and ${oneOf('s.user_id', subjects.map(subject => subject.user_id))}`.execute(db)
  return rows
}

/** Duties of these people that reach beyond the day. */
async function openDuties({ db, school_id, subjects, effective_on }: Pick<EffectStep, 'db' | 'school_id' | 'subjects' | 'effective_on'>) {
  const { rows } = await sql<{ user_id: string; dept_id: string; duty: string; valid_to: string | null }>`
    select y.user_id, y.dept_id, y.duty, y.valid_to from dept_duty y
    where y.school_id = ${school_id} and ${oneOf('y.user_id', subjects.map(subject => subject.user_id))} and (y.valid_to is null or y.valid_to > ${effective_on}::date)
    order by y.dept_id, y.duty`.execute(db)
  return rows
}

/** What people itself does when staff move, leave or come back (chapter 20 §7). */
export const staff_effects: readonly ChangeEffect[] = [member, span, duty, delegationEffect, account, back]
