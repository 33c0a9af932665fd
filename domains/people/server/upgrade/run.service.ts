import { archive } from '@campus/audit/server'
import type { ArchiveRow } from '@campus/audit/server'
import { holdImports } from '@campus/jobs/server'
import { CHANGE_KIND, peopleErrors } from '@campus/people/contract'
import type { UpgradeReceipt, upgradeRunApi } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input } from '@kit/contract'
import { insertCommand, insertEffects } from '../change/command.queries.ts'
import type { EffectSubject } from '../change/effect-port.ts'
import { sideLabels } from '../change/plan.ts'
import { schoolDay } from '../day.ts'
import type { PeopleCtx } from '../db.ts'
import { namesOf } from '../dept.edit.queries.ts'
import { lockTree } from '../dept.lock.ts'
import { refuseFarDay } from '../dept.rules.ts'
import { peopleOnDuty } from '../duty.change.ts'
import { requireRecheck } from '../merge/merge.service.ts'
import { operatorOf } from '../operator.ts'
import { lockPeople } from '../student-file.queries.ts'
import { cohortsOf } from './decide.ts'
import type { Decided } from './decide.ts'
import { startEffects } from './finish.ts'
import { payloadOf, stepsOf, subjectsOf, writeParts } from './parts.ts'
import { changePlan, isPromoted, lockPlan, pupilNumbers } from './plan.queries.ts'
import type { PlanRow } from './plan.queries.ts'
import { decidedOf, totalsOf } from './plan.read.ts'
import { simulate } from './simulate.ts'
import type { Outcome } from './simulate.ts'
import { readSnapshot } from './snapshot.ts'
import type { Snapshot } from './snapshot.ts'
import { tellCohorts, tellUpgraded } from './upgrade.told.ts'
import { writeCohorts } from './write.ts'
import type { RunImage } from './write.ts'

const pupil_template = 'student'
const op_change = 4
const window_ms = 30 * 86_400_000

/**
 * Carries a signed plan out in one transaction; a second call of the same plan answers the same (chapter 20 rule 7). What acts on the present
 * (accounts, guardians, other domains) follows line by line, on the effective day.
 * @throws Refusal 409 upgradeUnsigned, upgradeStale, upgradeDone, upgradeImporting; 422 upgradeUnmapped, a day too far; 403 recheck
 */
export async function runPlan(ctx: PeopleCtx, { plan_id, plan_hash, recheck_token }: Input<typeof upgradeRunApi.run>): Promise<UpgradeReceipt> {
  const { db, school_id, now } = ctx
  const plan = await lockPlan(db, school_id, plan_id)
  if (!plan) throw fail(commonErrors.notFound)
  await requireRecheck(ctx, recheck_token)
  if (plan.state === 'running' || plan.state === 'done') return receiptOf(plan)
  await refuseUnready(ctx, plan, plan_hash)
  if (await holdImports(db, school_id, pupil_template)) throw fail(peopleErrors.upgradeImporting)
  const decided = await decidedOf(ctx, plan)
  const { snapshot, outcome } = await lockedOutcome(ctx, plan, decided)
  if (outcome.plan_hash !== plan_hash) throw fail(peopleErrors.upgradeStale)
  if (outcome.unmapped.length > 0) throw fail(peopleErrors.upgradeUnmapped, { data: { unmapped: outcome.unmapped } })
  const { command_id, image } = await writeRun(ctx, plan, snapshot, outcome)
  await changePlan(db, school_id, plan_id, { state: 'running', command_id, ran_at: now, rollback_until: new Date(now.getTime() + window_ms) }, { counts: outcome.totals, image })
  if (plan.effective_on <= schoolDay(now)) await startEffects(ctx, command_id)
  const done = await lockPlan(db, school_id, plan_id)
  return receiptOf(done ?? plan)
}

async function refuseUnready({ db, school_id, now }: PeopleCtx, plan: PlanRow, plan_hash: string): Promise<void> {
  if (plan.state === 'rolled_back' || plan.state === 'failed') throw fail(peopleErrors.upgradeState)
  if (await isPromoted(db, school_id, plan.school_year)) throw fail(peopleErrors.upgradeDone)
  if (plan.state !== 'signed') throw fail(peopleErrors.upgradeUnsigned)
  if (plan.plan_hash !== plan_hash) throw fail(peopleErrors.upgradeStale)
  refuseFarDay(plan.effective_on, schoolDay(now))
}

/** The outcome as it is once nobody else can change what it rests on: people first, then departments (chapter 20 rule 2). */
async function lockedOutcome({ db, school_id }: PeopleCtx, { effective_on }: PlanRow, decided: Decided): Promise<{ snapshot: Snapshot; outcome: Outcome }> {
  const seen = await readSnapshot(db, school_id, effective_on)
  const first = simulate(seen, decided)
  const on_duty = await peopleOnDuty(db, school_id, first.closings, effective_on)
  await lockPeople(db, school_id, [...first.moves.map(move => move.user_id), ...on_duty])
  await lockTree(db, school_id, { whole: cohortsOf(seen).map(dept => dept.dept_id), alone: [] })
  const snapshot = await readSnapshot(db, school_id, effective_on)
  return { snapshot, outcome: simulate(snapshot, decided) }
}

async function writeRun(ctx: PeopleCtx, plan: PlanRow, snapshot: Snapshot, outcome: Outcome): Promise<{ command_id: string; image: RunImage }> {
  const { db, app, school_id, now, me } = ctx
  const on = plan.effective_on
  const is_due = on <= schoolDay(now)
  const reason = `${plan.school_year}学年升级`
  const payload = payloadOf(plan.id, outcome.moves)
  const command_id = await insertCommand(db, school_id, {
    kind: 'UPGRADE', state: is_due ? 'applied' : 'scheduled', effective_on: on, payload, plan_hash: plan.plan_hash, subject_count: outcome.moves.length,
    reason, created_by: me.user_id, created_at: now, applied_at: is_due ? now : null, undo_until: null,
  })
  await db.updateTable('change_command').set({ plan_id: plan.id, second_by: plan.signed_by === me.user_id ? null : plan.signed_by }).where('school_id', '=', school_id).where('id', '=', command_id).execute()
  const { image, made } = await writeCohorts({ db, school_id, now, on, by: me.user_id, command_id }, snapshot, outcome)
  const lines = `${outcome.renewals.length}个改名，${outcome.closings.length}个关闭，${outcome.made.length}个新建`
  await insertEffects(db, school_id, command_id, [{ domain: 'people', effect_code: 'cohort', title: '年级班级', undoable: true, state: 'done', detail: lines, ref: undefined, done_at: now }])
  const subjects = subjectsOf(outcome.moves, made)
  const touched = await writeParts(stepsOf({ db, app, school_id, now }, { id: command_id, effective_on: on, reason, payload }, subjects), is_due)
  await journalRun(ctx, plan, command_id, touched)
  if (is_due) await tellRun(ctx, { command_id, on, image, moves: outcome.moves, touched })
  return { command_id, image }
}

type Ran = { command_id: string; on: string; image: RunImage; moves: Outcome['moves']; touched: readonly EffectSubject[] }

async function tellRun(ctx: PeopleCtx, { command_id, on, image, moves, touched }: Ran): Promise<void> {
  const kinds = new Map(moves.map(move => [move.user_id, move.kind]))
  const of = (kind: string) => touched.filter(subject => kinds.get(subject.user_id) === kind)
  await tellCohorts(ctx, on, image)
  await tellUpgraded(ctx, { command_id, on, image, moved: of('CLASS'), graduated: of('GRAD'), left: of('OUT') })
}

/** One archive row for everybody who goes elsewhere than his class, and the promotion in the line of the operation log. */
async function journalRun(ctx: PeopleCtx, plan: PlanRow, command_id: string, touched: readonly EffectSubject[]): Promise<void> {
  const { db, school_id } = ctx
  const ids = touched.map(subject => subject.user_id)
  const names = await namesOf(db, school_id, ids)
  const numbers = await pupilNumbers(db, school_id, ids)
  const label = await sideLabels(ctx, touched, plan.effective_on)
  const word = CHANGE_KIND.names.UPGRADE
  const rows = touched.map(({ user_id, before, after }): ArchiveRow => {
    const [was, is] = [label(before), label(after)]
    const changes = [
      { field: 'dept_name', label: '班级', before: was.dept_name, after: is.dept_name },
      { field: 'state', label: '学籍变动', before: null, after: after.state === null ? CHANGE_KIND.names.GRAD : word },
      { field: 'effective_on', label: '生效日期', before: null, after: plan.effective_on },
    ]
    return { person_kind: 1, person_id: user_id, person_no: numbers.get(user_id), person_name: names.get(user_id) ?? '', op_type: op_change, source: 'command', command_id, changes }
  })
  await archive(db, operatorOf(ctx), rows)
  const after = { event: 'people.upgrade.run', effective_on: plan.effective_on, subject_count: touched.length }
  ctx.note({ target_kind: 'people.upgrade', target_id: plan.id, target_name: `${plan.school_year}学年升级`, after })
}

/** What a run wrote. It says nothing that changes afterwards, so that every call of the same plan answers the same. */
function receiptOf({ id, command_id, school_year, effective_on, ran_at, counts }: PlanRow): UpgradeReceipt {
  const totals = totalsOf(counts)
  if (command_id === null || ran_at === null || totals === null) throw new Error(`plan ${id} has run without a command`)
  return { plan_id: id, command_id, kind: 'UPGRADE', school_year, effective_on, rollback_until: new Date(ran_at.getTime() + window_ms).toISOString(), totals }
}
