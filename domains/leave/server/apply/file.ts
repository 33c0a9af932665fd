import { leave_states } from '@campus/leave/contract'
import type { LeaveAct, LeaveFile } from '@campus/leave/contract'
import { sql } from 'kysely'
import type { Db, LeaveCtx } from '../db.ts'
import { shownProofs } from './attach.ts'
import { PlannedStep } from '../flow/approvers.ts'
import { namesOf } from '../people.ts'
import { KeptSpans, membersOf } from './store.ts'
import type { Leave } from './store.ts'
import { showSteps } from './submit.ts'
import { commonErrors, fail } from '@kit/contract'
import { z } from 'zod'

const detail_code = 'leave.apply.detail'
const { draft, asked, agreed, out, back, overdue, ended } = leave_states
const text = (instant: Date | null) => instant?.toISOString() ?? null

/** One leave whole. The reason, attachments and destination are for those whom it concerns and who may read them (chapter 70 L14). */
export async function readFile(ctx: LeaveCtx, leave_id: string, is_concerned: boolean): Promise<LeaveFile> {
  const { db, school_id, me, now } = ctx
  const leave = await db.selectFrom('leave_apply').selectAll().where('school_id', '=', school_id).where('leave_id', '=', leave_id).executeTakeFirst()
  if (!leave) throw fail(commonErrors.notFound)
  const tasks = await tasksOf(db, school_id, leave_id)
  const reads = is_concerned || me.codes.has(detail_code) || leave.apply_by === me.user_id || tasks.some(one => one.assignee === me.user_id)
  const versions = await db.selectFrom('leave_version').selectAll().where('school_id', '=', school_id).where('leave_id', '=', leave_id).orderBy('version').execute()
  const open = versions.find(one => one.state === 0)
  const shown = open ?? versions.findLast(one => z.array(z.unknown()).parse(one.plan).length > 0)
  const form = await db.selectFrom('leave_form').select('form_name').where('school_id', '=', school_id).where('form_id', '=', leave.form_id).executeTakeFirst()
  const reason = await db.selectFrom('leave_reason').select('reason_name').where('school_id', '=', school_id).where('reason_code', '=', leave.reason_code).executeTakeFirst()
  const members = await shownMembers(db, school_id, leave_id)
  const begin = Math.min(...members.flatMap(one => one.spans.map(span => Date.parse(span.begin_at))))
  const names = await namesOf(db, school_id, [leave.apply_by, leave.pickup_id, ...tasks.map(one => one.assignee), ...versions.map(one => one.by_user_id)])
  const nameOf = (user_id: string | null) => names.get(user_id ?? '') ?? ''
  return {
    ...leave,
    form_name: form?.form_name ?? '', reason_name: reason?.reason_name ?? '', pickup_name: leave.pickup_id === null ? null : nameOf(leave.pickup_id), apply_by_name: nameOf(leave.apply_by), submitted_at: leave.submitted_at.toISOString(),
    reason: reads ? leave.reason : null, dest: reads ? leave.dest : null, contact_mobile: reads ? leave.contact_mobile : null,
    attachments: reads ? shownProofs(ctx, leave.attach_keys) : null,
    members,
    steps: await showSteps(db, school_id, z.array(PlannedStep).parse(shown?.plan ?? [])),
    tasks: tasks.map(one => ({ ...one, user_name: nameOf(one.assignee), opinion: reads ? one.opinion : null, created_at: one.created_at.toISOString(), done_at: text(one.done_at), is_mine: one.assignee === me.user_id && one.state === 0 })),
    versions: versions.map(one => ({ version: one.version, kind: one.kind, state: one.state, reason: reads ? one.reason : null, by_name: one.by_user_id === null ? null : nameOf(one.by_user_id), at: one.at.toISOString(), spans: spansOfVersion(one.spans) })),
    effects: await effectsOf(db, school_id, leave_id),
    open_version: open?.version ?? null,
    allowed: allowedActs(leave, { has_change: open !== undefined && open.kind !== 1, has_begun: begin <= now.getTime() }),
  }
}

/** What was asked for, once: members of a group have the same. */
function spansOfVersion(kept: unknown): { begin_at: string; end_at: string }[] {
  const spans = KeptSpans.parse(kept)
  return spans.filter(one => one.user_id === spans[0]?.user_id).map(({ begin_at, end_at }) => ({ begin_at, end_at }))
}

function tasksOf(db: Db, school_id: number, leave_id: string) {
  return db.selectFrom('leave_task').select(['task_id', 'version', 'seq', 'assignee', 'via', 'state', 'opinion', 'created_at', 'done_at']).where('school_id', '=', school_id).where('leave_id', '=', leave_id).orderBy('version').orderBy('seq').orderBy('task_id').execute()
}

async function shownMembers(db: Db, school_id: number, leave_id: string): Promise<LeaveFile['members']> {
  const members = await membersOf(db, school_id, leave_id)
  const spans = await db.selectFrom('leave_span').selectAll().where('school_id', '=', school_id).where('leave_id', '=', leave_id).orderBy('no').execute()
  const names = await namesOf(db, school_id, members.map(one => one.user_id))
  const { rows } = await sql<{ id: string; dept_name: string }>`select d.id::text as id, d.dept_name from dept_now d where d.school_id = ${school_id} and d.id = any(${members.flatMap(one => one.dept_id ?? [])}::bigint[])`.execute(db)
  const depts = new Map(rows.map(row => [row.id, row.dept_name]))
  return members.map(({ user_id, dept_id, state, out_at, back_at, back_basis }) => ({
    user_id, state, back_basis, user_name: names.get(user_id) ?? '', dept_name: depts.get(dept_id ?? '') ?? null, out_at: text(out_at), back_at: text(back_at),
    spans: spans.filter(one => one.user_id === user_id).map(({ no, begin_at, end_at, minutes, school_days, lessons }) => ({ no, minutes, lessons, school_days: Number(school_days), begin_at: begin_at.toISOString(), end_at: end_at.toISOString() })),
  }))
}

/** The receipts of a leave, in the order in which they were wanted. */
export async function effectsOf(db: Db, school_id: number, leave_id: string): Promise<LeaveFile['effects']> {
  const rows = await db.selectFrom('leave_effect').select(['effect', 'title', 'text', 'count', 'state', 'undoable', 'done_at']).where('school_id', '=', school_id).where('leave_id', '=', leave_id).orderBy('effect').execute()
  return rows.map(row => ({ ...row, done_at: text(row.done_at) }))
}

/** What may be done with a leave in its state (chapter 70 §2.1); buttons show these, the guards of the acts decide. */
function allowedActs({ state }: Pick<Leave, 'state'>, { has_change, has_begun }: { has_change: boolean; has_begun: boolean }): LeaveAct[] {
  if (state === draft || state === asked) return ['withdraw']
  if (state === ended) return ['void']
  if (![agreed, out, back, overdue].some(one => one === state)) return []
  const changes: LeaveAct[] = has_change ? ['withdraw'] : ['change', 'extend']
  return has_begun ? [...changes, 'end_early', 'return', 'void'] : [...changes, 'cancel', 'void']
}
