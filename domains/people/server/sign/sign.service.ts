import { enqueueJob } from '@campus/jobs/server'
import { send } from '@campus/messages/server'
import { peopleTemplates } from '@campus/people/contract'
import type { signApi, SignGroup, SignRow } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { oneOf } from '../dated.ts'
import { schoolDay } from '../day.ts'
import type { PeopleCtx } from '../db.ts'
import { pathOn } from '../dept.queries.ts'
import { labelsOn, requireDept } from '../dept.service.ts'
import { deptScope } from '../scope.ts'
import { seenBy } from '../tag.service.ts'
import { guardiansOf, personSeen } from '../whitelist/whitelist.queries.ts'
import { countSigns, pageSigns, unsignedPeople } from './sign.queries.ts'
import type { SignCount, SignFilter, Who } from './sign.queries.ts'
import { signRow } from './sign.words.ts'
import { terminate_job } from './terminate.job.ts'

type Query = Input<typeof signApi.students>
const whole_staff = '全体教职工'

/** Contracts of pupils or staff, and whoever has none. @throws Refusal 404 for a department of another school */
export async function listSigns(ctx: PeopleCtx, who: Who, query: Query): Promise<{ list: SignRow[]; total: number }> {
  const { page_index, page_size } = query
  const filter = await filterOf(ctx, who, query)
  if (!filter) return { list: [], total: 0 }
  const { rows, total } = await pageSigns(ctx.db, filter, { limit: page_size, offset: (page_index - 1) * page_size })
  const labels = await labelsOn(ctx, rows.flatMap(row => row.home ?? []), filter.on)
  return { list: rows.map(row => signRow(row, labels)), total }
}

/** What was asked, as a filter of today; null when the department is not there today. */
async function filterOf(ctx: PeopleCtx, who: Who, { dept_id, keyword, channel, product, state }: Partial<Query>): Promise<SignFilter | null> {
  const on = schoolDay(ctx.now)
  const scope = await deptScope(ctx, who, on)
  await requireDept(ctx, dept_id)
  const path = dept_id === undefined ? undefined : await pathOn(ctx.db, ctx.school_id, dept_id, on)
  if (dept_id !== undefined && path === undefined) return null
  return { who, school_id: ctx.school_id, on, scope, path, keyword, channel, product, state }
}

/** How the people of each grade stand, in the order of the grades; staff are one group. */
export async function countGroups(ctx: PeopleCtx, who: Who): Promise<{ list: SignGroup[] }> {
  const filter = await filterOf(ctx, who, {})
  const rows = filter ? await countSigns(ctx.db, filter) : []
  if (who === 'staff') return { list: rows.map(row => groupOf(row, null, whole_staff)) }
  const grades = await ctx.db.selectFrom('dept_now').select(['id', 'dept_name']).where('school_id', '=', ctx.school_id).where('dept_type', '=', 3).orderBy('stage').orderBy('grade').orderBy('show_order').execute()
  return { list: grades.flatMap(({ id, dept_name }) => rows.filter(row => row.grade_dept_id === id).map(row => groupOf(row, id, dept_name))) }
}

function groupOf({ signed, terminating, unsigned }: SignCount, dept_id: string | null, name: string): SignGroup {
  return { dept_id, name, signed, terminating, unsigned }
}

/**
 * Asks for the end of contracts: a job with a result for each. Each stays 解约中 until its channel answers.
 * @throws Refusal 404 for a contract of another school or of somebody outside the scope
 */
export async function terminateSigns(ctx: PeopleCtx, { sign_ids, reason }: Input<typeof signApi.terminate>): Promise<Reply<typeof signApi.terminate>> {
  const ids = [...new Set(sign_ids)]
  const seen = await seenBy(ctx)
  const found = await ctx.db.selectFrom('sign_contract').select('id').where('school_id', '=', ctx.school_id).where(oneOf('id', ids)).where(personSeen('user_id', seen)).execute()
  if (found.length < ids.length) throw fail(commonErrors.notFound)
  const job_no = await enqueueJob(ctx, { kind: terminate_job, title: `解约（${ids.length}份）`, params: { sign_ids: ids, reason }, total: ids.length, keep_hours: 24 })
  ctx.note({ target_kind: 'people.sign_contract', target_id: ids[0] ?? '', target_name: `${ids.length}份`, job_no, reason })
  return { job_no }
}

/**
 * Reminds whoever has not signed, in their inbox: of a pupil the first contact, of staff themselves. The same people hear of it once a day.
 * @throws Refusal 404 for a department of another school
 */
export async function remindUnsigned(ctx: PeopleCtx, { who, dept_id }: Input<typeof signApi.remind>): Promise<Reply<typeof signApi.remind>> {
  const { db, school_id } = ctx
  const filter = await filterOf(ctx, who, { dept_id })
  const people = filter ? await unsignedPeople(db, filter) : []
  const told = filter && who === 'student' ? firstOf(await guardiansOf(db, school_id, people, filter.on)) : people
  if (told.length > 0) await send(ctx, { template: peopleTemplates.signReminder, source_ref: `sign/${who}/${dept_id ?? 'all'}/${ctx.me.user_id}/${schoolDay(ctx.now)}`, to: told.map(user_id => ({ user_id })), values: {}, level: 1 })
  ctx.note({ target_kind: 'people.sign_contract', target_name: `提醒未签约 ${people.length}人`, after: { people: people.length, told: told.length } })
  return { people: people.length, told: told.length }
}

function firstOf(guardians: readonly { student_user_id: string; user_id: string }[]): string[] {
  return [...new Set([...Map.groupBy(guardians, one => one.student_user_id).values()].flatMap(([first]) => first?.user_id ?? []))]
}
