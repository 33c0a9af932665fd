import { createHash } from 'node:crypto'
import { change_codes, grave_kinds } from '@campus/people/contract'
import type { ChangeDraft, ChangePreview, PupilChange } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import { schoolDay } from '../day.ts'
import type { PeopleCtx } from '../db.ts'
import { labelsOn } from '../dept.service.ts'
import { deptScope } from '../scope.ts'
import type { DeptScope } from '../scope.ts'
import { lockPeople } from '../student-file.queries.ts'
import { isStaffDraft, planStaff } from '../staff/plan.ts'
import { effectsOf } from './effect-port.ts'
import type { EffectPlan } from './effect-port.ts'
import { homeOf, judge } from './judge.ts'
import type { ChangeBlock, Judged, Verdict } from './judge.ts'
import { targetsOf } from './pupil.target.ts'
import { classFacts, lockDepts, subjectFacts } from './subject.facts.ts'
import type { SubjectFacts } from './subject.facts.ts'

/** A judged command: what it would do, what forbids it, and a hash over everything the decision rests on. */
export type Plan = { draft: ChangeDraft; subjects: Judged[]; blocks: ChangeBlock[]; preview: ChangePreview }

/**
 * Plans a command without writing. `lock` keeps its people and the classes they come to until the transaction ends, in the one order
 * that all writers keep (rule 2).
 * @throws Refusal 404 for a person or department outside scope or school, 403 for a grave command without its permission
 */
export async function planChange(ctx: PeopleCtx, draft: ChangeDraft, lock: 'lock' | 'look'): Promise<Plan> {
  const { subjects, blocks } = isStaffDraft(draft) ? await planStaff(ctx, draft, lock) : await planPupils(ctx, draft, lock)
  return { draft, subjects, blocks, preview: await previewOf(ctx, draft, subjects, blocks) }
}

async function planPupils(ctx: PeopleCtx, draft: PupilChange, lock: 'lock' | 'look'): Promise<Verdict> {
  const { db, school_id, me } = ctx
  const today = schoolDay(ctx.now)
  const scope = await deptScope(ctx, 'student', today)
  if (isGrave(draft.kind) && !me.codes.has(change_codes.grave)) throw fail(commonErrors.forbidden)
  const user_ids = draft.subjects.map(subject => subject.user_id)
  const to = targetsOf(draft)
  if (lock === 'lock') {
    await lockPeople(db, school_id, user_ids)
    await lockDepts(db, school_id, to)
  }
  const facts = await subjectFacts(db, school_id, user_ids, today)
  const homes = facts.flatMap(one => homeOf(one, today) ?? [])
  const classes = await classFacts(db, school_id, [...new Set([...to, ...homes])], draft.effective_on)
  refuseStrangers(draft, { facts, today, scope }, to.filter(dept_id => !classes.has(dept_id)))
  const may = { overfill: me.codes.has(change_codes.overfill), backdate: me.codes.has(change_codes.backdate) }
  return judge(draft, { today, facts, classes, may })
}

function isGrave(kind: ChangeDraft['kind']): boolean {
  return grave_kinds.some(grave => grave === kind)
}

/** Everybody named must be a pupil inside the scope, and every class a department inside it. */
function refuseStrangers(draft: PupilChange, seen: { facts: readonly SubjectFacts[]; today: string; scope: DeptScope }, unknown_classes: readonly string[]): void {
  const { facts, today, scope } = seen
  const to = targetsOf(draft)
  const outside = (dept_id: string | null) => scope !== 'all' && (dept_id === null || !scope.includes(dept_id))
  const is_strange = facts.length < draft.subjects.length || unknown_classes.length > 0 || facts.some(one => outside(homeOf(one, today))) || to.some(outside)
  if (is_strange) throw fail(commonErrors.notFound)
}

async function previewOf(ctx: PeopleCtx, draft: ChangeDraft, subjects: readonly Judged[], blocks: readonly ChangeBlock[]): Promise<ChangePreview> {
  const label = await sideLabels(ctx, subjects, draft.effective_on)
  const effects = await plannedEffects(ctx, draft, subjects)
  const shown = blocks.map(({ failure, user_id, link }) => ({ code: failure.id, title: failure.msg, user_id, link }))
  const basis = [ctx.school_id, draft.kind, draft.effective_on, subjects.map(subjectBasis), effects.map(one => [one.domain, one.effect_code, one.count]), shown]
  return {
    plan_hash: createHash('sha256').update(JSON.stringify(basis)).digest('base64url'),
    subjects: subjects.map(one => ({ user_id: one.user_id, user_name: one.user_name, user_no: one.user_no, before: label(one.before), after: label(one.after), warnings: one.warnings })),
    effects,
    blocks: shown,
  }
}

/** Names are no part of the plan: a corrected name changes nothing of it. */
function subjectBasis({ user_id, rests_on, before, after, warnings }: Judged): unknown[] {
  return [user_id, rests_on, before.dept_id, before.state, after.dept_id, after.state, warnings]
}

async function plannedEffects(ctx: PeopleCtx, draft: ChangeDraft, subjects: readonly Judged[]): Promise<ChangePreview['effects']> {
  const plan = effectPlan(ctx, draft, subjects)
  const planned: ChangePreview['effects'] = []
  for (const effect of effectsOf(ctx.app, draft.kind)) {
    const { domain, effect_code, title, undoable } = effect
    const { count, detail = null } = await effect.preview(plan)
    planned.push({ domain, effect_code, title, count, undoable, detail })
  }
  return planned
}

/** The command as the registered effects see it. */
export function effectPlan({ db, app, school_id, now }: PeopleCtx, { kind, effective_on }: ChangeDraft, subjects: readonly Judged[]): EffectPlan {
  const sided = subjects.map(({ user_id, before, after }) => ({ user_id, before: { ...before, rows: {} }, after: { ...after, rows: {} } }))
  return { db, app, school_id, now, kind, effective_on, subjects: sided }
}

/** How a side is shown: the label of its class on the day. A class that does not stand on the day has the label of today. */
export async function sideLabels(ctx: Pick<PeopleCtx, 'db' | 'school_id' | 'me' | 'now'>, subjects: readonly Pick<Judged, 'before' | 'after'>[], on: string) {
  const dept_ids = [...new Set(subjects.flatMap(({ before, after }) => [before.dept_id ?? [], after.dept_id ?? []].flat()))]
  const then = await labelsOn(ctx, dept_ids, on)
  const now = await labelsOn(ctx, dept_ids.filter(dept_id => !then.has(dept_id)), schoolDay(ctx.now))
  return ({ dept_id, state }: Judged['before']) => ({ dept_id, dept_name: dept_id === null ? null : (then.get(dept_id) ?? now.get(dept_id) ?? null), state })
}
