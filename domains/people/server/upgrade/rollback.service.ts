import { archive } from '@campus/audit/server'
import { CHANGE_KIND, most_told, peopleErrors, peopleEvents } from '@campus/people/contract'
import type { upgradeApi } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { publish } from '@kit/server/event'
import { sql } from 'kysely'
import { chunks } from '../bulk.ts'
import { commandEffects, lockCommand, updateCommand, updateEffect, updateSubjectState } from '../change/command.queries.ts'
import type { Command } from '../change/command.queries.ts'
import type { EffectStep } from '../change/effect-port.ts'
import { changedSince } from '../change/subject.rows.ts'
import { oneOf } from '../dated.ts'
import { schoolDay } from '../day.ts'
import type { PeopleCtx } from '../db.ts'
import { namesOf } from '../dept.edit.queries.ts'
import { lockTree } from '../dept.lock.ts'
import { tellDepts } from '../dept.told.ts'
import { requireRecheck } from '../merge/merge.service.ts'
import { operatorOf } from '../operator.ts'
import { lockPeople } from '../student-file.queries.ts'
import { effectBehind, storedSteps } from './parts.ts'
import type { Part } from './parts.ts'
import { changePlan, lockPlan, planJson, pupilNumbers } from './plan.queries.ts'
import type { PlanRow } from './plan.queries.ts'
import { shown } from './plan.service.ts'
import { restoreCohorts, RunImage, versionsBeyond } from './write.ts'

const op_undo = 14
const irreversible_msg = '不可撤销'

type Run = { plan: PlanRow; command: Command; image: RunImage; steps: readonly { part: Part; step: EffectStep }[] }

/**
 * Takes a promotion back within thirty days: all of it, or with `skip_conflicts` all but the pupils who were changed since (chapter 20 rule 8).
 * @throws Refusal 409 upgradeState, undoLate, undoBlocked with the people or departments in `data`; 403 recheck
 */
export async function rollbackPlan(ctx: PeopleCtx, { id, reason, skip_conflicts, recheck_token }: Input<typeof upgradeApi.rollback>): Promise<Reply<typeof upgradeApi.rollback>> {
  const run = await takeRun(ctx, id, recheck_token)
  await refuseChangedDepts(ctx, run)
  const conflicts = await conflictsOf(ctx, run)
  const names = await namesOf(ctx.db, ctx.school_id, conflicts)
  const skipped = conflicts.map(user_id => ({ user_id, user_name: names.get(user_id) ?? '' }))
  if (skipped.length > 0 && !skip_conflicts) throw fail(peopleErrors.undoBlocked, { data: { people: skipped } })
  const back = run.steps.map(({ part, step }) => ({ part, step: { ...step, subjects: step.subjects.filter(subject => !conflicts.includes(subject.user_id)) } }))
  await undoLines(ctx, run.command, back, new Set(conflicts))
  await restoreCohorts(writeStep(ctx, run), run.image, await stillUsed(ctx, run.image.made))
  await closeRollback(ctx, run, back, reason)
  ctx.note({ target_kind: 'people.upgrade', target_id: id, target_name: `${run.plan.school_year}学年升级回滚`, reason, after: { event: 'people.upgrade.rollback', subject_count: conflicts.length } })
  return { plan: await shown(ctx, id), skipped }
}

function writeStep({ db, school_id, now, me }: PeopleCtx, { plan, command }: Run) {
  return { db, school_id, now, on: plan.effective_on, by: me.user_id, command_id: command.id }
}

async function takeRun(ctx: PeopleCtx, id: string, recheck_token: string): Promise<Run> {
  const { db, app, school_id, now } = ctx
  const plan = await lockPlan(db, school_id, id)
  if (!plan) throw fail(commonErrors.notFound)
  if ((plan.state !== 'running' && plan.state !== 'done') || plan.command_id === null || plan.rollback_until === null) throw fail(peopleErrors.upgradeState)
  if (plan.rollback_until <= now) throw fail(peopleErrors.undoLate)
  await requireRecheck(ctx, recheck_token)
  const command = await lockCommand(db, school_id, plan.command_id)
  if (!command) throw fail(commonErrors.notFound)
  const image = RunImage.parse((await planJson(db, school_id, id)).image)
  const steps = await storedSteps({ db, app, school_id, now }, command)
  await lockPeople(db, school_id, [...steps.flatMap(({ step }) => step.subjects.map(subject => subject.user_id)), ...image.duties.map(duty => duty.user_id)])
  await lockTree(db, school_id, { whole: cohortIds(image), alone: [] })
  return { plan, command, image, steps }
}

function cohortIds({ before, made }: RunImage): string[] {
  return [...new Set([...before.map(row => row.dept_id), ...made])]
}

/** @throws Refusal 409 when a name, a parent or an end of these departments was changed since */
async function refuseChangedDepts({ db, school_id }: PeopleCtx, { plan, image }: Run): Promise<void> {
  const now = await versionsBeyond(db, school_id, cohortIds(image), plan.effective_on)
  const known = new Set(image.after.map(row => JSON.stringify(sorted(row))))
  const changed = now.filter(row => !known.has(JSON.stringify(sorted(row)))).map(row => row.dept_id)
  const gone = now.length < image.after.length
  if (changed.length > 0 || gone) throw fail(peopleErrors.undoBlocked, { data: { dept_ids: [...new Set(changed)] } })
}

function sorted(row: object): [string, unknown][] {
  return Object.entries(row).toSorted(([a], [b]) => a.localeCompare(b))
}

/** Pupils of these classes who were changed by a later command, whose rows are no longer what the run left, or who came into a class it made. */
async function conflictsOf({ db, school_id }: PeopleCtx, { command, image, steps }: Run): Promise<string[]> {
  const cohorts = cohortIds(image)
  const later = await sql<{ user_id: string }>`
    select distinct s.user_id from change_subject s join change_command c on c.school_id = s.school_id and c.id = s.command_id
    where s.school_id = ${school_id} and c.school_id = ${school_id} and c.id > ${command.id} and c.state in ('scheduled', 'applied', 'settled') and c.kind not in ('IN', 'ENROL')
      and exists (select from dept_member m where m.school_id = ${school_id} and m.user_id = s.user_id and ${oneOf('m.dept_id', cohorts)})`.execute(db)
  const newcomers = await sql<{ user_id: string }>`
    select distinct m.user_id from dept_member m
    where m.school_id = ${school_id} and ${oneOf('m.dept_id', image.made)} and m.command_id is distinct from ${command.id}`.execute(db)
  const touched: string[] = []
  for (const { step } of steps) touched.push(...(await changedSince(step)))
  return [...new Set([...later.rows, ...newcomers.rows].map(row => row.user_id).concat(touched))].toSorted((a, b) => Number(a) - Number(b))
}

/** Undoes the lines, the last one first; what was only planned will not happen. */
async function undoLines({ db, school_id, now }: PeopleCtx, command: Command, steps: Run['steps'], skipped: ReadonlySet<string>): Promise<void> {
  for (const line of (await commandEffects(db, school_id, command.id)).toReversed()) {
    if (line.state === 'planned') await updateEffect(db, school_id, line.id, { state: 'skipped', detail: null, done_at: now })
    if (line.state !== 'done' && line.state !== 'waiting') continue
    const own = steps.flatMap(({ part, step }) => ({ step, effect: effectBehind(step, part, line) })).find(one => one.effect !== undefined)
    if (own?.effect?.undoable && own.step.subjects.length > 0) await own.effect.undo(own.step, withoutPeople(line.ref, skipped))
    await updateEffect(db, school_id, line.id, line.undoable ? { state: 'undone', detail: null, done_at: now } : { state: 'done', detail: irreversible_msg })
  }
}

/** The memory of an effect that lists people, without those who are left as they are. */
function withoutPeople(ref: unknown, skipped: ReadonlySet<string>): unknown {
  if (!Array.isArray(ref)) return ref
  return ref.filter(one => typeof one !== 'object' || one === null || !('user_id' in one) || !skipped.has(String(one.user_id)))
}

/** Departments that the run made and that somebody needs: pupils in them, or a head; their grade stays with them. */
async function stillUsed({ db, school_id }: PeopleCtx, made: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ dept_id: string; parent_id: string | null }>`
    select v.dept_id, v.parent_id from dept_version v
    where v.school_id = ${school_id} and ${oneOf('v.dept_id', made)} and (
      exists (select from dept_member m where m.school_id = ${school_id} and m.dept_id = v.dept_id)
      or exists (select from dept_duty y where y.school_id = ${school_id} and y.dept_id = v.dept_id))`.execute(db)
  const used = rows.flatMap(row => [row.dept_id, row.parent_id ?? row.dept_id])
  return new Set(used.filter(id => made.includes(id)))
}

async function closeRollback(ctx: PeopleCtx, { plan, command, image, steps: whole }: Run, back: Run['steps'], reason: string): Promise<void> {
  const { db, school_id, me } = ctx
  const was_due = command.state !== 'scheduled'
  const state = was_due ? 'undone' : 'cancelled'
  await updateCommand(db, school_id, command.id, { state, undone_by: me.user_id, undo_reason: reason })
  if (whole.length > 0) await updateSubjectState(db, school_id, command.id, state)
  await changePlan(db, school_id, plan.id, { state: 'rolled_back' })
  const people = back.flatMap(({ step }) => step.subjects.map(subject => subject.user_id))
  const names = await namesOf(db, school_id, people)
  const numbers = await pupilNumbers(db, school_id, people)
  const changes = [{ field: 'change', label: '学籍变动', before: CHANGE_KIND.names.UPGRADE, after: '已回滚' }]
  const rows = people.map(user_id => ({ person_kind: 1, person_id: user_id, person_no: numbers.get(user_id), person_name: names.get(user_id) ?? '', op_type: op_undo, source: 'undo' as const, command_id: command.id, changes }))
  await archive(db, operatorOf(ctx), rows)
  if (was_due) await tellRolledBack(ctx, image, command.id, back)
}

async function tellRolledBack(ctx: PeopleCtx, image: RunImage, command_id: string, back: Run['steps']): Promise<void> {
  const on = schoolDay(ctx.now)
  await tellDepts(ctx, cohortIds(image), on)
  for (const { part, step } of back) {
    const moves = step.subjects.map(({ user_id, before, after }) => ({ user_id, from: after.dept_id, to: before.dept_id }))
    if (part === 'CLASS') for (const people of chunks(moves, most_told)) await publish(ctx, peopleEvents.personMoved, { people, on })
    else for (const some of chunks(moves, most_told)) await publish(ctx, peopleEvents.personRestored, { user_ids: some.map(move => move.user_id), on })
  }
  await publish(ctx, peopleEvents.changeUndone, { command_id, kind: 'UPGRADE' })
}
