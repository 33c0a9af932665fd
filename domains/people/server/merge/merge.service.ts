import { archive } from '@campus/audit/server'
import type { ArchiveChange } from '@campus/audit/server'
import { spendRecheck } from '@campus/identity/server'
import { most_guardians, peopleErrors } from '@campus/people/contract'
import type { MergeBody, MergeKind, mergeRunApi } from '@campus/people/contract'
import { fail } from '@kit/contract'
import type { Reply } from '@kit/contract'
import { sql } from 'kysely'
import { oneOf, validOn } from '../dated.ts'
import { schoolDay } from '../day.ts'
import type { PeopleCtx } from '../db.ts'
import { operatorOf } from '../operator.ts'
import { lockPeople } from '../student-file.queries.ts'
import { tellFiles } from '../told.ts'
import { mergePeople } from './merge.core.ts'
import { describePeople } from './pair.ts'
import { planMerge, shownPlan } from './preview.ts'
import type { MergePlan } from './preview.ts'
import type { MergeSideName } from './rekey-port.ts'

const op_merge = 4
type Done = Reply<typeof mergeRunApi.teacher>

/**
 * Makes one of two files, as they were previewed (chapter 20 rule 19).
 * @throws Refusal 404 for anybody outside school or scope, 422 mergeKind, 403 recheck, 409 planChanged with the new preview, mergeConflict, futureChange
 */
export async function mergePair(ctx: PeopleCtx, kind: MergeKind, body: MergeBody): Promise<Done> {
  const { db, school_id, app, now, me } = ctx
  const { keep, drop } = body
  await lockPeople(db, school_id, [keep, drop])
  const plan = await planMerge(ctx, body)
  if (plan.kind !== kind) throw fail(peopleErrors.mergeKind)
  await requireRecheck(ctx, body.recheck_token)
  if (plan.plan_hash !== body.plan_hash) throw fail(peopleErrors.planChanged, { data: { preview: await shownPlan(ctx, body, plan) } })
  const open = plan.conflicts.filter(conflict => body.chosen[conflict.code] === undefined)
  if (open.length > 0) throw fail(peopleErrors.mergeConflict, { data: { conflicts: open.map(conflict => conflict.code) } })
  await refuseFuture(ctx, [keep, drop])
  if (kind === 'student') await refuseManyGuardians(ctx, [keep, drop])
  const chosen = chosenOf(plan, body.chosen)
  const merged = await mergePeople({ db, app, school_id, now, by: me.user_id }, { kind, keep_user_id: keep, drop_user_id: drop, chosen })
  await journal(ctx, plan, { keep, drop, chosen, command_id: merged.command_id })
  return { ...merged, reversible_until: merged.reversible_until.toISOString() }
}

/** @throws Refusal 403 while the own password was not proved again within five minutes */
export async function requireRecheck({ db, me, now }: PeopleCtx, recheck_token: string): Promise<void> {
  if (!(await spendRecheck(db, me.user_id, recheck_token, now))) throw fail(peopleErrors.recheck)
}

/** What somebody chose, and for the rest what was proposed. */
function chosenOf({ fields, conflicts }: MergePlan, said: MergeBody['chosen']): Map<string, MergeSideName> {
  const proposed = fields.map(({ field, proposed: side }) => [field, said[field] ?? side] as const)
  return new Map([...proposed, ...conflicts.map(({ code }) => [code, said[code] ?? 'keep'] as const)])
}

/** A change with a day to come is made for one of the two files; it must be decided first. */
async function refuseFuture({ db, school_id }: PeopleCtx, user_ids: readonly string[]): Promise<void> {
  const { rows } = await sql<{ command_id: string }>`
    select c.command_id from change_subject c where c.school_id = ${school_id} and ${oneOf('c.user_id', user_ids)} and c.state = 'scheduled' limit 1`.execute(db)
  if (rows[0]) throw fail(peopleErrors.futureChange, { data: { command_ids: [rows[0].command_id] } })
}

async function refuseManyGuardians({ db, school_id, now }: PeopleCtx, user_ids: readonly string[]): Promise<void> {
  const { rows } = await sql<{ n: number }>`
    select count(distinct g.parent_user_id)::int as n from guardian_link g where g.school_id = ${school_id} and ${oneOf('g.student_user_id', user_ids)} and ${validOn('g', schoolDay(now))}`.execute(db)
  if ((rows[0]?.n ?? 0) > most_guardians) throw fail(peopleErrors.mergeGuardians)
}

type Written = { keep: string; drop: string; chosen: ReadonlyMap<string, MergeSideName>; command_id: string }

/** One archive row for each of the two, and the merge in the line of the operation log. */
async function journal(ctx: PeopleCtx, { fields }: MergePlan, { keep, drop, chosen, command_id }: Written): Promise<void> {
  const people = await describePeople(ctx, [keep, drop], schoolDay(ctx.now))
  const [kept, gone] = [people.get(keep), people.get(drop)]
  if (!kept || !gone) return
  const taken = fields.filter(({ field, verdict }) => verdict !== 'same' && chosen.get(field) === 'drop')
  const changes: ArchiveChange[] = taken.map(({ field, label, keep: before, drop: after }) => ({ field, label, before, after }))
  const merged: ArchiveChange = { field: 'merged', label: '合并', before: null, after: `${gone.user_name}${gone.user_no === '' ? '' : `（${gone.user_no}）`}并入` }
  const row = { op_type: op_merge, source: 'merge' as const, command_id }
  const rows = [
    { ...row, person_kind: kept.person_kind, person_id: keep, person_no: kept.user_no, person_name: kept.user_name, changes: [...changes, merged] },
    { ...row, person_kind: gone.person_kind, person_id: drop, person_no: gone.user_no, person_name: gone.user_name, changes: [{ field: 'merged', label: '合并', before: null, after: `并入${kept.user_name}` }] },
  ]
  await archive(ctx.db, operatorOf(ctx), rows)
  await tellFiles(ctx, rows)
  ctx.note({ target_kind: 'people.merge', target_id: keep, target_name: `合并：${gone.user_name}并入${kept.user_name}`, after: { event: 'people.merge.run', keep, drop, command_id, taken: taken.map(({ label }) => label) } })
}
