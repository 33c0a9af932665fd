import { peopleErrors, UpgradeDiff } from '@campus/people/contract'
import type { upgradeApi, UpgradePlan } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { schoolDay, schoolYearStart } from '../day.ts'
import type { PeopleCtx } from '../db.ts'
import { deptsById } from '../dept.edit.queries.ts'
import { requireRecheck } from '../merge/merge.service.ts'
import type { Choice } from './decide.ts'
import { diffOf } from './diff.ts'
import { draftPlan, gradesOf } from './plan.create.ts'
import { changePlan, isPromoted, latestPlan, lockPlan, planById, planChoices, planJson, pupilNumbers, saveChoices, savePeople } from './plan.queries.ts'
import type { PlanRow } from './plan.queries.ts'
import { baseOf, decidedOf, isOpen, showPlan } from './plan.read.ts'
import { simulate } from './simulate.ts'
import { readSnapshot } from './snapshot.ts'

const note_kind = 'people.upgrade'
const last_day = '08-31'

/** The newest plan, and what the next one would be for. */
export async function currentPlan(ctx: PeopleCtx): Promise<Reply<typeof upgradeApi.current>> {
  await requireGrades(ctx)
  const { db, school_id, now } = ctx
  const plan = await latestPlan(db, school_id)
  const year = Number(schoolYearStart(schoolDay(now)).slice(0, 4))
  const first = (await isPromoted(db, school_id, `${year}-${year + 1}`)) ? year + 1 : year
  return { plan: plan ? await showPlan(ctx, plan) : null, next: { school_year: `${first}-${first + 1}`, effective_on: `${first + 1}-${last_day}` } }
}

/**
 * Draws up a plan in which everything goes where it goes by itself.
 * @throws Refusal 409 upgradeOpen while another one is not carried out, upgradeDone when the year is done
 */
export async function createPlan(ctx: PeopleCtx, { school_year, effective_on }: Input<typeof upgradeApi.create>): Promise<UpgradePlan> {
  await requireGrades(ctx)
  const { db, school_id, me, now } = ctx
  if (Number(school_year.slice(5)) !== Number(school_year.slice(0, 4)) + 1) throw fail(commonErrors.invalid, { errors: [{ field: 'school_year', msg: '学年格式为2026-2027' }] })
  if (await isPromoted(db, school_id, school_year)) throw fail(peopleErrors.upgradeDone)
  const plan_id = await draftPlan(db, school_id, { school_year, effective_on, created_by: me.user_id, created_at: now })
  ctx.note({ target_kind: note_kind, target_id: plan_id, target_name: `${school_year}学年升级方案`, after: { school_year, effective_on } })
  return shown(ctx, plan_id)
}

/**
 * Changes a plan that was not carried out; what was simulated and signed before counts no longer, and whoever changed it is its drafter.
 * @throws Refusal 404 for another school's department or pupil, 409 staleRow, upgradeState
 */
export async function updatePlan(ctx: PeopleCtx, { id, row_version, effective_on, items, people }: Input<typeof upgradeApi.update>): Promise<UpgradePlan> {
  const { db, school_id, me } = ctx
  const plan = await openPlan(ctx, id)
  if (plan.row_version !== row_version) throw fail(peopleErrors.staleRow)
  if (items) await saveItems(ctx, plan, items)
  if (people) {
    const chosen = people.map(person => ({ ...person, target_dept_id: person.target_dept_id ?? null }))
    await requireKnown(ctx, chosen.flatMap(person => person.target_dept_id ?? []), chosen.map(person => person.user_id))
    await savePeople(db, school_id, id, chosen)
  }
  const change = { state: 'draft', row_version: row_version + 1, created_by: me.user_id, signed_by: null, signed_at: null, base_hash: null, plan_hash: null }
  await changePlan(db, school_id, id, { ...change, effective_on: effective_on ?? plan.effective_on })
  ctx.note({ target_kind: note_kind, target_id: id, target_name: `${plan.school_year}学年升级方案`, after: { effective_on, event: 'people.upgrade.plan' } })
  return shown(ctx, id)
}

async function saveItems(ctx: PeopleCtx, plan: PlanRow, items: NonNullable<Input<typeof upgradeApi.update>['items']>): Promise<void> {
  const { db, school_id } = ctx
  await requireKnown(ctx, items.map(item => item.dept_id), [])
  const known = new Map((await planChoices(db, school_id, plan.id)).map(choice => [choice.dept_id, choice]))
  const snapshot = await readSnapshot(db, school_id, plan.effective_on)
  const choices = items.map(({ dept_id, action, new_name, is_pool }): Choice => {
    const before = known.get(dept_id)
    return { dept_id, action, new_name: new_name === undefined ? (before?.new_name ?? null) : new_name, is_pool: is_pool ?? before?.is_pool ?? false }
  })
  await saveChoices(db, school_id, plan.id, choices, gradesOf(snapshot))
}

/** Simulates the plan on the school as it is (chapter 20 rule 6); a signature given before counts no longer. */
export async function simulatePlan(ctx: PeopleCtx, { id }: Input<typeof upgradeApi.simulate>): Promise<UpgradeDiff> {
  const { db, school_id } = ctx
  const plan = await openPlan(ctx, id)
  const snapshot = await readSnapshot(db, school_id, plan.effective_on)
  const decided = await decidedOf(ctx, plan)
  const outcome = simulate(snapshot, decided)
  const diff = await diffOf(ctx, snapshot, decided, outcome)
  const is_same = plan.state === 'signed' && plan.plan_hash === outcome.plan_hash
  const { base_hash, plan_hash, totals } = outcome
  await changePlan(db, school_id, id, is_same ? {} : { state: 'simulated', base_hash, plan_hash, signed_by: null, signed_at: null }, { counts: totals, diff })
  ctx.note({ target_kind: note_kind, target_id: id, target_name: `${plan.school_year}学年升级方案`, after: { event: 'people.upgrade.plan', subject_count: totals.before } })
  return diff
}

/** What the last simulation found. @throws Refusal 404 before the first one */
export async function readDiff(ctx: PeopleCtx, { id }: Input<typeof upgradeApi.diff>): Promise<UpgradeDiff> {
  const { diff } = await planJson(ctx.db, ctx.school_id, id)
  if (diff === null) throw fail(commonErrors.notFound)
  return UpgradeDiff.parse(diff)
}

/**
 * Signs a simulated plan: another person than the one who drew it up, with a proof of the own password.
 * @throws Refusal 403 signSame, recheck; 409 upgradeStale, upgradeState; 422 upgradeUnmapped
 */
export async function signPlan(ctx: PeopleCtx, { id, plan_hash, recheck_token }: Input<typeof upgradeApi.sign>): Promise<UpgradePlan> {
  const { db, school_id, me, now } = ctx
  const plan = await openPlan(ctx, id)
  if (plan.created_by === me.user_id) throw fail(peopleErrors.signSame)
  if (plan.state === 'draft') throw fail(peopleErrors.upgradeState)
  await requireRecheck(ctx, recheck_token)
  const snapshot = await readSnapshot(db, school_id, plan.effective_on)
  if (plan.plan_hash !== plan_hash || plan.base_hash !== baseOf(snapshot)) throw fail(peopleErrors.upgradeStale)
  const { unmapped } = await readDiff(ctx, { id })
  if (unmapped.length > 0) throw fail(peopleErrors.upgradeUnmapped, { data: { unmapped } })
  await changePlan(db, school_id, id, { state: 'signed', signed_by: me.user_id, signed_at: now })
  ctx.note({ target_kind: note_kind, target_id: id, target_name: `${plan.school_year}学年升级方案`, after: { event: 'people.upgrade.sign' } })
  return shown(ctx, id)
}

/** The plan as it stands now. */
export async function shown(ctx: PeopleCtx, id: string): Promise<UpgradePlan> {
  const plan = await planById(ctx.db, ctx.school_id, id)
  if (!plan) throw fail(commonErrors.notFound)
  return showPlan(ctx, plan)
}

async function openPlan({ db, school_id }: PeopleCtx, id: string): Promise<PlanRow> {
  const plan = await lockPlan(db, school_id, id)
  if (!plan) throw fail(commonErrors.notFound)
  if (!isOpen(plan)) throw fail(peopleErrors.upgradeState)
  return plan
}

async function requireKnown({ db, school_id }: PeopleCtx, dept_ids: readonly string[], user_ids: readonly string[]): Promise<void> {
  const depts = await deptsById(db, school_id, dept_ids)
  const pupils = await pupilNumbers(db, school_id, user_ids)
  if (dept_ids.some(id => !depts.has(id)) || user_ids.some(id => !pupils.has(id))) throw fail(commonErrors.notFound)
}

/** @throws Refusal 404 in an enterprise, which has no grades */
async function requireGrades({ db, school_id }: PeopleCtx): Promise<void> {
  const school = await db.selectFrom('school_v').select('school_type').where('school_id', '=', school_id).executeTakeFirst()
  if (school?.school_type !== 1) throw fail(commonErrors.notFound)
}
