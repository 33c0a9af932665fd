import { leaveErrors } from '@campus/leave/contract'
import type { LeaveSetting, mineApi, Subject as ShownSubject } from '@campus/leave/contract'
import { inScope } from '@campus/people/server'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import { cancelLeave, changeLeave, endEarly, withdrawLeave } from '../apply/acts.ts'
import { readOptions } from '../apply/apply.service.ts'
import { readFile } from '../apply/file.ts'
import { lockLeave, membersOf } from '../apply/store.ts'
import type { Leave } from '../apply/store.ts'
import { prepareLeave, previewLeave, submitLeave } from '../apply/submit.ts'
import { actOf } from '../db.ts'
import type { Act, LeaveCtx } from '../db.ts'
import type { Subject } from '../flow/approvers.ts'
import { ownSubjects, requireSubjects } from '../people.ts'
import { readSetting } from '../setting.ts'

const [oneself, guardian] = [1, 2] as const
const pupil = 1
const most_shown = 100

/** Why somebody may not ask for himself; null: he may. Pupils only from the grade that the school says (chapter 70 L7). */
function whyNot({ student_apply_from_grade }: LeaveSetting, { person_kind, grade }: Pick<Subject, 'person_kind' | 'grade'>, is_own: boolean): string | null {
  if (!is_own || person_kind !== pupil) return null
  const may = student_apply_from_grade !== null && grade !== null && grade >= student_apply_from_grade
  return may ? null : leaveErrors.notAllowed.msg
}

/** For whom somebody may ask, with which forms and reasons. */
export async function readMyOptions(ctx: LeaveCtx): Promise<Reply<typeof mineApi.options>> {
  const { db, school_id, now, me } = ctx
  const { own, children } = await ownSubjects(ctx)
  const setting = await readSetting(db, school_id)
  const { rows } = await sql<Subject & { dept_name: string | null }>`
    select l.user_id::text as user_id, case when l.person_kind = 7 then 2 else l.person_kind end::int as person_kind, l.user_name, l.label_dept_id::text as dept_id, s.grade, s.study_method, d.dept_name
    from live_person l left join live_student s on s.school_id = ${school_id} and s.user_id = l.user_id left join dept_now d on d.school_id = ${school_id} and d.id = l.label_dept_id
    where l.school_id = ${school_id} and l.user_id = any(${[...own, ...children]}::bigint[]) and l.person_kind in (1, 2, 6, 7) order by l.person_kind desc, l.user_id`.execute(db)
  const subjects = rows.map((row): ShownSubject => {
    const why_not = whyNot(setting, row, row.user_id === me.user_id)
    return { user_id: row.user_id, user_name: row.user_name, dept_name: row.dept_name, person_kind: row.person_kind, may_apply: why_not === null, why_not }
  })
  const pickups = await sql<{ child_id: string; user_id: string; user_name: string }>`
    select g.student_user_id::text as child_id, g.parent_user_id::text as user_id, p.display_name as user_name
    from guardian_span g join person_label p on p.school_id = ${school_id} and p.user_id = g.parent_user_id
    where g.school_id = ${school_id} and g.valid_to is null and g.can_pickup and g.student_user_id = any(${children}::bigint[]) order by g.order_no`.execute(db)
  return { ...(await readOptions(db, school_id, now, [...new Set(subjects.map(one => one.person_kind))])), subjects, pickups: pickups.rows }
}

/** Leaves of mine and of my children, the latest first. */
export async function listMine(ctx: LeaveCtx): Promise<Reply<typeof mineApi.list>> {
  const { db, school_id } = ctx
  const { own, children } = await ownSubjects(ctx)
  const { rows } = await sql<Reply<typeof mineApi.list>['list'][number] & { begin_at: Date | string; end_at: Date | string }>`
    select m.leave_id::text as leave_id, a.leave_no, m.user_id::text as user_id, p.display_name as user_name, a.person_kind::int as person_kind, a.leave_type, r.reason_name, x.begin_at, x.end_at, x.school_days, x.lessons, m.state::int as state,
      exists (select 1 from leave_version v where v.school_id = ${school_id} and v.leave_id = m.leave_id and v.state = 0 and v.kind <> 1) as changing
    from leave_member m
    join leave_apply a on a.school_id = ${school_id} and a.leave_id = m.leave_id
    join leave_reason r on r.school_id = ${school_id} and r.reason_code = a.reason_code
    join person_label p on p.school_id = ${school_id} and p.user_id = m.user_id
    join lateral (select min(s.begin_at) as begin_at, max(s.end_at) as end_at, sum(s.school_days)::float8 as school_days, sum(s.lessons)::int as lessons from leave_span s where s.school_id = ${school_id} and s.leave_id = m.leave_id and s.user_id = m.user_id) x on true
    where m.school_id = ${school_id} and m.user_id = any(${[...own, ...children]}::bigint[]) order by x.begin_at desc, m.leave_id desc limit ${most_shown}`.execute(db)
  return { list: rows.map(row => ({ ...row, begin_at: new Date(row.begin_at).toISOString(), end_at: new Date(row.end_at).toISOString() })) }
}

/** The people of an application on the phone, and how they ask. @throws Refusal 404, notAllowed */
async function subjectsOf(ctx: LeaveCtx, user_ids: readonly string[]): Promise<{ subjects: Subject[]; apply_as: number }> {
  const { db, school_id, me } = ctx
  const { own, children } = await ownSubjects(ctx)
  const known = new Set([...own, ...children])
  if (user_ids.length !== 1 || !user_ids.every(user_id => known.has(user_id))) throw fail(commonErrors.notFound)
  const subjects = await requireSubjects(db, school_id, user_ids, null)
  const is_own = user_ids[0] === me.user_id
  const [subject] = subjects
  if (subject && whyNot(await readSetting(db, school_id), subject, is_own) !== null) throw fail(leaveErrors.notAllowed)
  return { subjects, apply_as: is_own ? oneself : guardian }
}

/** @throws Refusal as `prepareLeave` */
export async function previewMine(ctx: LeaveCtx, draft: Input<typeof mineApi.preview>): Promise<Reply<typeof mineApi.preview>> {
  const act = actOf(ctx)
  const { subjects, apply_as } = await subjectsOf(ctx, draft.user_ids)
  return previewLeave(act, await prepareLeave(act, draft, subjects, apply_as))
}

/** @throws Refusal as `submitLeave` */
export async function addMine(ctx: LeaveCtx, draft: Input<typeof mineApi.add>): Promise<Reply<typeof mineApi.add>> {
  const act = actOf(ctx)
  const { subjects, apply_as } = await subjectsOf(ctx, draft.user_ids)
  const made = await submitLeave(act, await prepareLeave(act, draft, subjects, apply_as), apply_as)
  ctx.note({ target_kind: 'leave.apply', target_id: made.leave_id, target_name: made.leave_no, after: { leave_type: draft.leave_type } })
  return made
}

/** @throws Refusal 404 for a leave of nobody of mine */
async function requireMine(ctx: LeaveCtx, leave_id: string): Promise<void> {
  const { own, children } = await ownSubjects(ctx)
  const members = await membersOf(ctx.db, ctx.school_id, leave_id)
  if (!members.some(one => own.includes(one.user_id) || children.includes(one.user_id))) throw fail(commonErrors.notFound)
}

export async function readMine(ctx: LeaveCtx, { leave_id }: Input<typeof mineApi.read>): Promise<Reply<typeof mineApi.read>> {
  await requireMine(ctx, leave_id)
  return readFile(ctx, leave_id, true)
}

/** An act of the phone on a leave of one's own; of a group leave nobody but the school changes anything. */
function onMine<I extends { leave_id: string }, R>(change: (act: Act, leave: Leave, input: I) => Promise<R>): (ctx: LeaveCtx, input: I) => Promise<R> {
  return async (ctx, input) => {
    await requireMine(ctx, input.leave_id)
    const act = actOf(ctx)
    const leave = await lockLeave(act.db, act.school_id, input.leave_id)
    if (leave.group_leave) throw fail(leaveErrors.badState)
    const reply = await change(act, leave, input)
    ctx.note({ target_kind: 'leave.apply', target_id: leave.leave_id, target_name: leave.leave_no, before: { state: leave.state } })
    return reply
  }
}

/** What one may do with one's own leave. @throws Refusal as each says */
export const mineActs = {
  withdraw: onMine<Input<typeof mineApi.withdraw>, Reply<typeof mineApi.withdraw>>(withdrawLeave),
  cancel: onMine<Input<typeof mineApi.cancel>, Reply<typeof mineApi.cancel>>(cancelLeave),
  change: onMine<Input<typeof mineApi.change>, Reply<typeof mineApi.change>>((act, leave, input) => changeLeave(act, leave, input, false)),
  endEarly: onMine<Input<typeof mineApi.endEarly>, Reply<typeof mineApi.endEarly>>(endEarly),
}

/** 班级今日: the classes that the caller leads, who of them is on leave today. */
export async function readClassToday(ctx: LeaveCtx): Promise<Reply<typeof mineApi.today>> {
  const { db, school_id, me, now } = ctx
  ctx.scoped()
  const on = schoolDay(now)
  const classes = await sql<{ dept_id: string; dept_name: string }>`
    select d.id::text as dept_id, d.dept_name from duty_span y join dept_now d on d.school_id = ${school_id} and d.id = y.dept_id
    where y.school_id = ${school_id} and y.user_id = ${me.user_id} and y.duty = 'head' and y.valid_from <= ${on}::date and (y.valid_to is null or y.valid_to > ${on}::date) order by d.node_path`.execute(db)
  const ids = classes.rows.map(row => row.dept_id)
  const pupils = await sql<{ dept_id: string; user_id: string; user_name: string }>`
    select s.dept_id::text as dept_id, s.user_id::text as user_id, s.user_name from live_student s where s.school_id = ${school_id} and ${inScope('s.dept_id', ids)} order by s.student_no`.execute(db)
  const [begin, end] = [new Date(`${on}T00:00:00+08:00`), new Date(Date.parse(`${on}T00:00:00+08:00`) + 86_400_000)]
  const leaves = await sql<{ dept_id: string; leave_id: string; user_id: string; user_name: string; leave_type: string; begin_at: Date; end_at: Date; state: number }>`
    select m.dept_id::text as dept_id, m.leave_id::text as leave_id, m.user_id::text as user_id, p.display_name as user_name, a.leave_type, min(s.begin_at) as begin_at, max(s.end_at) as end_at, m.state::int as state
    from leave_span s
    join leave_member m on m.school_id = ${school_id} and m.leave_id = s.leave_id and m.user_id = s.user_id
    join leave_apply a on a.school_id = ${school_id} and a.leave_id = s.leave_id
    join person_label p on p.school_id = ${school_id} and p.user_id = m.user_id
    where s.school_id = ${school_id} and s.live and s.begin_at < ${end}::timestamptz and s.end_at > ${begin}::timestamptz and ${inScope('m.dept_id', ids)} and m.state in (1, 2, 5, 6, 7, 8)
    group by 1, 2, 3, 4, 5, 8 order by 6`.execute(db)
  return {
    classes: classes.rows.map(({ dept_id, dept_name }) => ({
      dept_id, dept_name,
      pupils: pupils.rows.filter(row => row.dept_id === dept_id).map(({ user_id, user_name }) => ({ user_id, user_name })),
      leaves: leaves.rows.filter(row => row.dept_id === dept_id).map(({ dept_id: _dept, begin_at, end_at, ...row }) => ({ ...row, begin_at: begin_at.toISOString(), end_at: end_at.toISOString() })),
    })),
  }
}
