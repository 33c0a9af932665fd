import { FormDesign, leaveErrors, leaveTypeName, lengthText } from '@campus/leave/contract'
import type { formApi, FormLine, LeaveForm } from '@campus/leave/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import { actOf } from '../db.ts'
import type { Db, LeaveCtx } from '../db.ts'
import { previewEffects } from '../effect/converge.ts'
import { liveOnes } from '../flow/approvers.ts'
import { findGap } from '../flow/flow.ts'
import { flowFacts, resolveSpans } from '../apply/prepare.ts'
import { factAsked, planSteps, showSteps } from '../apply/submit.ts'
import { namesOf, requireSubjects } from '../people.ts'

const [draft, in_use, disabled] = [0, 1, 2] as const
const [named, by_role] = [8, 9] as const

async function linesOf(db: Db, school_id: number, form_id: string | null): Promise<FormLine[]> {
  const { rows } = await sql<FormLine>`
    select f.form_id::text as form_id, f.form_name, f.person_kind::int as person_kind, f.status::int as status, f.current_version, f.draft is distinct from v.design as has_changes,
      (select count(*)::int from leave_apply a where a.school_id = ${school_id} and a.form_id = f.form_id and a.state = 1) as waiting
    from leave_form f left join leave_form_version v on v.school_id = ${school_id} and v.form_id = f.form_id and v.version = f.current_version
    where f.school_id = ${school_id} and ${form_id === null ? sql`true` : sql`f.form_id = ${form_id}`} order by f.person_kind, f.form_id`.execute(db)
  return rows
}

export async function listForms(ctx: LeaveCtx): Promise<Reply<typeof formApi.list>> {
  ctx.scoped()
  return { list: await linesOf(ctx.db, ctx.school_id, null) }
}

/** A form with its draft and versions, the newest first. @throws Refusal 404 */
export async function readForm(ctx: LeaveCtx, { form_id }: Input<typeof formApi.read>): Promise<LeaveForm> {
  const { db, school_id } = ctx
  ctx.scoped()
  const [line] = await linesOf(db, school_id, form_id)
  if (!line) throw fail(commonErrors.notFound)
  const own = await db.selectFrom('leave_form').select(['draft', 'row_version']).where('school_id', '=', school_id).where('form_id', '=', form_id).executeTakeFirstOrThrow()
  const versions = await db.selectFrom('leave_form_version').selectAll().where('school_id', '=', school_id).where('form_id', '=', form_id).orderBy('version', 'desc').execute()
  const design = FormDesign.parse(own.draft)
  const names = await namesOf(db, school_id, versions.map(one => one.published_by))
  return {
    ...line, draft: design, row_version: own.row_version,
    names: await namedIn(db, school_id, [design, ...versions.map(one => FormDesign.parse(one.design))]),
    versions: versions.map(one => ({
      version: one.version, design: FormDesign.parse(one.design), effective_from: one.effective_from.toISOString(), effective_to: one.effective_to?.toISOString() ?? null,
      published_by_name: names.get(one.published_by ?? '') ?? null, published_at: one.published_at.toISOString(),
    })),
  }
}

/** The names of persons and roles that designs name. */
async function namedIn(db: Db, school_id: number, designs: readonly FormDesign[]): Promise<LeaveForm['names']> {
  const steps = designs.flatMap(one => one.steps)
  const people = [...designs.flatMap(one => one.fallback_user_ids), ...steps.filter(one => one.resolver === named).flatMap(one => one.resolver_ids)]
  const roles = steps.filter(one => one.resolver === by_role).flatMap(one => one.resolver_ids)
  const found = await db.selectFrom('role_v').select(['role_id', 'name']).where('school_id', '=', school_id).where('role_id', 'in', ['0', ...roles]).execute()
  return [...[...(await namesOf(db, school_id, people))].map(([id, name]) => ({ id, name })), ...found.map(one => ({ id: one.role_id, name: one.name }))]
}

/** Saves the draft; what runs stays as it is. @throws Refusal 404 for unknown people and roles, stale, formTaken by its constraint */
export async function saveForm(ctx: LeaveCtx, { form_id, form_name, person_kind, design, row_version }: Input<typeof formApi.save>): Promise<Reply<typeof formApi.save>> {
  const { db, school_id, now } = ctx
  ctx.scoped()
  await requireNamed(db, school_id, design)
  checkLimits(design)
  const facts = { form_name, draft: JSON.stringify(design), updated_at: now }
  if (form_id === undefined) {
    const made = await db.insertInto('leave_form').values({ school_id, person_kind, status: draft, ...facts }).returning(['form_id', 'row_version']).executeTakeFirstOrThrow()
    ctx.note({ target_kind: 'leave.form', target_id: made.form_id, target_name: form_name })
    return made
  }
  const before = await db.selectFrom('leave_form').select(['form_name', 'row_version']).where('school_id', '=', school_id).where('form_id', '=', form_id).forUpdate().executeTakeFirst()
  if (!before) throw fail(commonErrors.notFound)
  if (before.row_version !== row_version) throw fail(commonErrors.stale)
  const saved = await db.updateTable('leave_form').set({ ...facts, row_version: before.row_version + 1 }).where('school_id', '=', school_id).where('form_id', '=', form_id).returning(['form_id', 'row_version']).executeTakeFirstOrThrow()
  ctx.note({ target_kind: 'leave.form', target_id: form_id, target_name: form_name, before: { form_name: before.form_name }, after: { form_name } })
  return saved
}

function checkLimits({ min_minutes, max_minutes, steps }: FormDesign): void {
  const at = (field: string, msg: string) => fail(commonErrors.invalid, { errors: [{ field, msg }] })
  if (min_minutes > max_minutes) throw at('max_minutes', '最长时长不能小于最短时长')
  for (const [nth, { when, resolver, resolver_ids }] of steps.entries()) {
    if (when.minutes_from !== undefined && when.minutes_to !== undefined && when.minutes_from >= when.minutes_to) throw at('steps', `第${nth + 1}步的时长条件前后矛盾`)
    if ((resolver === named || resolver === by_role) && resolver_ids.length === 0) throw at('steps', `第${nth + 1}步请选择审批人`)
  }
}

async function requireNamed(db: Db, school_id: number, design: FormDesign): Promise<void> {
  const people = [...new Set([...design.fallback_user_ids, ...design.steps.filter(one => one.resolver !== by_role).flatMap(one => one.resolver_ids)])]
  if ((await liveOnes(db, school_id, people)).length < people.length) throw fail(commonErrors.notFound)
  const roles = [...new Set(design.steps.filter(one => one.resolver === by_role).flatMap(one => one.resolver_ids))]
  const found = await db.selectFrom('role_v').select('role_id').where('school_id', '=', school_id).where('role_id', 'in', ['0', ...roles]).execute()
  if (found.length < roles.length) throw fail(commonErrors.notFound)
}

/**
 * The draft becomes a version that holds from now or later; leaves that run keep theirs (chapter 70 §2.1).
 * @throws Refusal 404, stale, flowGap, noFallback
 */
export async function publishForm(ctx: LeaveCtx, { form_id, row_version, effective_from }: Input<typeof formApi.publish>): Promise<Reply<typeof formApi.publish>> {
  const { db, school_id, now, me } = ctx
  ctx.scoped()
  const form = await db.selectFrom('leave_form').selectAll().where('school_id', '=', school_id).where('form_id', '=', form_id).forUpdate().executeTakeFirst()
  if (!form) throw fail(commonErrors.notFound)
  if (form.row_version !== row_version) throw fail(commonErrors.stale)
  const design = FormDesign.parse(form.draft)
  checkFlow(design, form.person_kind)
  const from = new Date(Math.max(now.getTime(), effective_from === undefined ? 0 : Date.parse(effective_from)))
  const version = (form.current_version ?? 0) + 1
  // A version that was to begin later than this one never does.
  await db.updateTable('leave_form_version').set({ effective_to: sql`greatest(effective_from, ${from}::timestamptz)` }).where('school_id', '=', school_id).where('form_id', '=', form_id)
    .where(eb => eb.or([eb('effective_to', 'is', null), eb('effective_to', '>', from)])).execute()
  await db.insertInto('leave_form_version').values({ school_id, form_id, version, effective_from: from, design: JSON.stringify(design), published_by: me.user_id, published_at: now }).execute()
  await db.updateTable('leave_form').set({ status: in_use, current_version: version, row_version: row_version + 1, updated_at: now }).where('school_id', '=', school_id).where('form_id', '=', form_id).execute()
  const [line] = await linesOf(db, school_id, form_id)
  ctx.note({ target_kind: 'leave.form', target_id: form_id, target_name: form.form_name, before: { version: form.current_version }, after: { version } })
  return { version, waiting: line?.waiting ?? 0 }
}

function checkFlow(design: FormDesign, person_kind: number): void {
  const gap = findGap(design)
  if (gap !== null) throw fail(leaveErrors.flowGap, { params: { type: leaveTypeName(person_kind, gap.leave_type), length: lengthText(gap.minutes) } })
  if (design.fallback_user_ids.length === 0) throw fail(leaveErrors.noFallback, { errors: [{ field: 'fallback_user_ids', msg: leaveErrors.noFallback.msg }] })
}

/** @throws Refusal 404, formTaken by its constraint */
export async function copyForm(ctx: LeaveCtx, { form_id, form_name }: Input<typeof formApi.copy>): Promise<Reply<typeof formApi.copy>> {
  const { db, school_id, now } = ctx
  ctx.scoped()
  const form = await db.selectFrom('leave_form').select(['person_kind', 'draft']).where('school_id', '=', school_id).where('form_id', '=', form_id).executeTakeFirst()
  if (!form) throw fail(commonErrors.notFound)
  const copy = { school_id, form_name, person_kind: form.person_kind, status: draft, draft: JSON.stringify(form.draft), updated_at: now }
  const made = await db.insertInto('leave_form').values(copy).returning(['form_id', 'row_version']).executeTakeFirstOrThrow()
  ctx.note({ target_kind: 'leave.form', target_id: made.form_id, target_name: form_name })
  return made
}

/** Takes a form out of use or back into it. @throws Refusal 404, formClosed for one that was never published */
export async function disableForm(ctx: LeaveCtx, { form_id, disabled: is_off }: Input<typeof formApi.disable>): Promise<Record<string, never>> {
  const { db, school_id, now } = ctx
  ctx.scoped()
  const form = await db.selectFrom('leave_form').select(['form_name', 'current_version', 'status']).where('school_id', '=', school_id).where('form_id', '=', form_id).forUpdate().executeTakeFirst()
  if (!form) throw fail(commonErrors.notFound)
  const back = form.current_version === null ? draft : in_use
  await db.updateTable('leave_form').set({ status: is_off ? disabled : back, updated_at: now }).where('school_id', '=', school_id).where('form_id', '=', form_id).execute()
  ctx.note({ target_kind: 'leave.form', target_id: form_id, target_name: form.form_name, before: { status: form.status }, after: { disabled: is_off } })
  return {}
}

/** 试算: who would decide a leave of a real person, by the design on the screen or by the saved draft; nothing is written. @throws Refusal 404, spanOrder, noHalf */
export async function simulateForm(ctx: LeaveCtx, { form_id, user_id, leave_type, begin, end, half, design: shown }: Input<typeof formApi.simulate>): Promise<Reply<typeof formApi.simulate>> {
  const act = actOf(ctx)
  const { db, school_id } = act
  ctx.scoped()
  const form = await db.selectFrom('leave_form').select(['form_id', 'form_name', 'person_kind', 'draft']).where('school_id', '=', school_id).where('form_id', '=', form_id).executeTakeFirst()
  if (!form) throw fail(commonErrors.notFound)
  const design = shown ?? FormDesign.parse(form.draft)
  await requireNamed(db, school_id, design)
  const subjects = await requireSubjects(db, school_id, [user_id], null)
  const spans = await resolveSpans(act, subjects, [{ begin, end, ...(half === undefined ? {} : { half }) }])
  const facts = await flowFacts(act, subjects, spans, leave_type)
  const plan = await planSteps(act, { design, person_kind: form.person_kind }, subjects, facts, subjects[0]?.person_kind === 1 ? 2 : 1)
  const [one] = spans.get(user_id) ?? []
  const asked = { form: { ...form, version: 0, design }, spans, draft: { form_id, leave_type, reason_code: '0', reason: '', spans: [], user_ids: [user_id], attach_keys: [] } }
  return {
    user_name: subjects[0]?.user_name ?? '', dept_id: subjects[0]?.dept_id ?? null,
    begin_at: new Date(one?.begin ?? 0).toISOString(), end_at: new Date(one?.end ?? 0).toISOString(), minutes: facts.minutes, school_days: one?.school_days ?? 0, lessons: one?.lessons ?? 0,
    steps: await showSteps(db, school_id, plan), no_approval: plan.length === 0 && design.no_approval, has_gap: plan.length === 0 ? !design.no_approval : plan.some(step => step.assignees.length === 0),
    effects: await previewEffects(act, factAsked(asked)),
  }
}
