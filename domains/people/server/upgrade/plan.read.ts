import { effect_states, upgrade_states } from '@campus/people/contract'
import type { UpgradePlan, UpgradeTotals } from '@campus/people/contract'
import { z } from 'zod'
import { actorNames } from '../change/change.queries.ts'
import { commandEffects } from '../change/command.queries.ts'
import type { PeopleCtx } from '../db.ts'
import { namesOf } from '../dept.edit.queries.ts'
import { cohortsOf } from './decide.ts'
import type { Choice, Decided, PersonChoice } from './decide.ts'
import { gradeAfter } from './grade.ts'
import { planChoices, planPeople, pupilNumbers } from './plan.queries.ts'
import type { PlanRow } from './plan.queries.ts'
import { hashOf, readSnapshot } from './snapshot.ts'
import type { Snapshot } from './snapshot.ts'

const State = z.enum(upgrade_states)
const EffectState = z.enum(effect_states)
const count = z.number().int()
const Totals = z.object({ before: count, after: count, graduated: count, continued: count, repeated: count, skipped: count, moved: count, left: count, suspended: count })
const open_states = ['draft', 'simulated', 'signed']

/** A plan that may still be changed. */
export function isOpen({ state }: Pick<PlanRow, 'state'>): boolean {
  return open_states.includes(state)
}

/** How many pupils do what, as the simulation counted them. */
export function totalsOf(counts: unknown): UpgradeTotals | null {
  return counts === null ? null : Totals.parse(counts)
}

/** The hash of the school as a plan would find it. */
export function baseOf({ school_id, on, depts, pupils }: Snapshot): string {
  return hashOf([school_id, on, depts, pupils])
}

/** What was decided so far. */
export async function decidedOf({ db, school_id }: Pick<PeopleCtx, 'db' | 'school_id'>, { id, school_year }: PlanRow): Promise<Decided> {
  return { school_year, items: await planChoices(db, school_id, id), people: await planPeople(db, school_id, id) }
}

/** A plan as the page shows it. Once it has run, its grades and classes are told by the comparison alone. */
export async function showPlan(ctx: PeopleCtx, plan: PlanRow): Promise<UpgradePlan> {
  const { db, school_id, me } = ctx
  const decided = await decidedOf(ctx, plan)
  const snapshot = isOpen(plan) ? await readSnapshot(db, school_id, plan.effective_on) : undefined
  const actors = await actorNames(db, school_id, [plan.created_by, plan.signed_by ?? []].flat())
  const effects = plan.command_id === null ? [] : await commandEffects(db, school_id, plan.command_id)
  return {
    plan_id: plan.id,
    school_year: plan.school_year,
    effective_on: plan.effective_on,
    state: State.parse(plan.state),
    row_version: plan.row_version,
    plan_hash: plan.plan_hash,
    is_stale: snapshot !== undefined && plan.state !== 'draft' && baseOf(snapshot) !== plan.base_hash,
    totals: totalsOf(plan.counts),
    created_by: actors.get(plan.created_by) ?? null,
    is_mine: plan.created_by === me.user_id,
    signed_by: plan.signed_by === null ? null : (actors.get(plan.signed_by) ?? null),
    signed_at: plan.signed_at?.toISOString() ?? null,
    ran_at: plan.ran_at?.toISOString() ?? null,
    rollback_until: plan.rollback_until?.toISOString() ?? null,
    command_id: plan.command_id,
    items: snapshot ? itemsOf(snapshot, decided.items) : [],
    people: await peopleOf(ctx, decided.people, snapshot),
    effects: effects.map(({ domain, effect_code, title, state, detail }) => ({ domain, effect_code, title, state: EffectState.parse(state), detail })),
  }
}

function itemsOf(snapshot: Snapshot, choices: readonly Choice[]): UpgradePlan['items'] {
  const chosen = new Map(choices.map(choice => [choice.dept_id, choice]))
  const home = Map.groupBy(snapshot.pupils, pupil => pupil.dept_id)
  const parents = new Map(snapshot.depts.map(dept => [dept.dept_id, dept.parent_id]))
  const in_grade = Map.groupBy(snapshot.pupils, pupil => parents.get(pupil.dept_id) ?? '')
  return cohortsOf(snapshot).map(({ dept_id, parent_id, dept_type, dept_name, stage, grade }) => {
    const { action = null, new_name = null, is_pool = false } = chosen.get(dept_id) ?? {}
    const pupils = (home.get(dept_id) ?? in_grade.get(dept_id) ?? []).length
    return { dept_id, parent_id, dept_type, dept_name, stage, from_grade: grade, to_grade: gradeAfter(action, grade), action, new_name, is_pool, pupils }
  })
}

async function peopleOf({ db, school_id }: PeopleCtx, people: readonly PersonChoice[], snapshot: Snapshot | undefined): Promise<UpgradePlan['people']> {
  if (people.length === 0) return []
  const ids = people.map(person => person.user_id)
  const names = await namesOf(db, school_id, ids)
  const numbers = await pupilNumbers(db, school_id, ids)
  const homes = new Map((snapshot?.pupils ?? []).map(pupil => [pupil.user_id, pupil.dept_id]))
  const depts = new Map((snapshot?.depts ?? []).map(dept => [dept.dept_id, dept.dept_name]))
  return people.map(person => {
    const dept_id = homes.get(person.user_id) ?? null
    const target_name = person.target_dept_id === null ? null : (depts.get(person.target_dept_id) ?? null)
    return { ...person, user_name: names.get(person.user_id) ?? '', student_no: numbers.get(person.user_id) ?? '', dept_id, dept_name: depts.get(dept_id ?? '') ?? '', target_name }
  })
}
