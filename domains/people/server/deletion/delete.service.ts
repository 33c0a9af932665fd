import { archive } from '@campus/audit/server'
import { spendRecheck } from '@campus/identity/server'
import { addWork } from '@campus/jobs/server'
import { peopleErrors, second_person_above } from '@campus/people/contract'
import type { deleteApi, OpenItem, Prechecked } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { undoChange } from '../change/undo.ts'
import type { PeopleCtx } from '../db.ts'
import { operatorOf } from '../operator.ts'
import { lockPeople } from '../student-file.queries.ts'
import { insertBatch, queuedIn } from './batch.queries.ts'
import { batchWork } from './batch-work.ts'
import { readDeleteConfig } from './delete-config.queries.ts'
import { listedPeople } from './listed-people.ts'
import type { Listed } from './listed-people.ts'
import { mistakenEntries } from './mistaken.ts'
import { isBlocked, openItems, settleItems } from './open-items.ts'
import { nextInWindow } from './window.ts'

const day_ms = 86_400_000
const erase_op = 5
const mistake_reason = '误录入撤销'

/** What stands in the way of deleting these people (chapter 20 rule 22). @throws Refusal 404 for somebody of another school */
export async function precheckPeople(ctx: PeopleCtx, { user_ids }: Input<typeof deleteApi.precheck>): Promise<Reply<typeof deleteApi.precheck>> {
  const people = await requirePeople(ctx, user_ids)
  return { list: await prechecked(ctx, people) }
}

async function prechecked(ctx: PeopleCtx, people: readonly Listed[]): Promise<Prechecked[]> {
  const ids = people.map(person => person.user_id)
  const items = await openItems(ctx, ids)
  const queued = await queuedIn(ctx.db, ctx.school_id, ids)
  const mistakes = await mistakenEntries(ctx, people)
  return people.map(({ user_id, user_name, snapshot }) => ({
    ...snapshot, user_id, user_name, mistake: mistakes.has(user_id), queued: queued.get(user_id) ?? null, items: items.get(user_id) ?? [],
  }))
}

type Wish = { user_ids: readonly string[]; recheck_token: string; reason: string }
type Started = Reply<typeof deleteApi.run>

/**
 * Puts people on the list of those to be deleted, or simply undoes an entry of less than a day that nothing has used (rule 21).
 * @throws Refusal 403 recheck, deleteOperator; 404; 409 deleteHolding, and deleteBlocked with everybody who is blocked in `data.list`
 */
export async function deletePeople(ctx: PeopleCtx, { user_ids, recheck_token, reason }: Wish, facet?: 'staff'): Promise<Started> {
  const { db, school_id, now, me } = ctx
  await requireOperator(ctx, recheck_token)
  await lockPeople(db, school_id, user_ids)
  const people = await requirePeople(ctx, user_ids)
  if (facet && people.some(person => !person.facets[facet])) throw fail(commonErrors.notFound)
  const mistakes = await mistakenEntries(ctx, people)
  const leavers = people.filter(person => !mistakes.has(person.user_id))
  await settleItems(ctx, leavers.map(person => person.user_id))
  await refuseBlocked(ctx, leavers)
  for (const id of new Set(mistakes.values())) await undoChange(ctx, { id, reason: mistake_reason })
  const undone = [...mistakes.keys()]
  if (leavers.length === 0) return { batch_no: null, undone, needs_second: false }
  const needs_second = leavers.length > second_person_above
  const { hold_days, window } = await readDeleteConfig(db, school_id)
  const hold_until = nextInWindow(new Date(now.getTime() + hold_days * day_ms), window)
  const state = needs_second ? 'checking' : 'holding'
  const batch = { source: 'manual' as const, state, reason, hold_until: needs_second ? null : hold_until, created_by: me.user_id, confirmed_by: me.user_id, at: now } as const
  const warned = await openItems(ctx, leavers.map(person => person.user_id))
  const batch_no = await insertBatch(db, school_id, batch, leavers.map(({ user_id, snapshot }) => ({ user_id, snapshot, state, blocks: warned.get(user_id) ?? [] })))
  if (!needs_second) await addWork(db, batchWork(school_id, batch_no, hold_until))
  await archiveListed(ctx, leavers, batch_no, '进入待删除')
  ctx.note({ target_kind: 'people.user_delete', target_id: batch_no, target_name: `${leavers.length}人`, reason, batch_no })
  return { batch_no, undone, needs_second }
}

/** @throws Refusal 403 for whoever may not delete here or has not proved his password */
export async function requireOperator({ db, school_id, me, now }: PeopleCtx, recheck_token?: string): Promise<void> {
  const { operator_user_ids } = await readDeleteConfig(db, school_id)
  if (operator_user_ids.length > 0 && !operator_user_ids.includes(me.user_id)) throw fail(peopleErrors.deleteOperator)
  if (recheck_token !== undefined && !(await spendRecheck(db, me.user_id, recheck_token, now))) throw fail(peopleErrors.recheck)
}

async function requirePeople({ db, school_id }: PeopleCtx, user_ids: readonly string[]): Promise<Listed[]> {
  const people = await listedPeople(db, school_id, user_ids)
  if (people.length < new Set(user_ids).size) throw fail(commonErrors.notFound)
  return people
}

async function refuseBlocked(ctx: PeopleCtx, people: readonly Listed[]): Promise<void> {
  const list = (await prechecked(ctx, people)).filter(({ items, queued }) => queued !== null || isBlocked(items))
  if (list.some(person => person.queued !== null)) throw fail(peopleErrors.deleteHolding, { data: { list } })
  if (list.length > 0) throw fail(peopleErrors.deleteBlocked, { data: { list: list.map(person => ({ ...person, items: person.items.filter((item: OpenItem) => item.level !== 'warn') })) } })
}

/** One line in the journal of everybody who comes onto a list or off it. */
export async function archiveListed(ctx: PeopleCtx, people: readonly Listed[], batch_no: string, after: string): Promise<void> {
  await archive(ctx.db, operatorOf(ctx), people.map(({ user_id, user_name, snapshot }) => ({
    person_kind: snapshot.person_kind, person_id: user_id, person_no: snapshot.user_no, person_name: user_name, dept_name: snapshot.dept_name ?? undefined,
    op_type: erase_op, source: 'command' as const, batch_no, changes: [{ field: 'deletion', label: '人员删除', before: null, after }],
  })))
}
