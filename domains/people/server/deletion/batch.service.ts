import { addWork } from '@campus/jobs/server'
import { peopleErrors, second_person_above } from '@campus/people/contract'
import type { userDeleteApi } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import type { PeopleCtx } from '../db.ts'
import { lockPeople } from '../student-file.queries.ts'
import { changeBatch, changeDetails, detailIds, holdBatch, settleBatch } from './batch.queries.ts'
import type { Batch, BatchState } from './batch.queries.ts'
import { batchWork, personWork } from './batch-work.ts'
import { archiveListed, requireOperator } from './delete.service.ts'
import { readDeleteConfig } from './delete-config.queries.ts'
import { listedPeople } from './listed-people.ts'
import { isBlocked, openItems, settleItems } from './open-items.ts'
import { nextInWindow } from './window.ts'

const day_ms = 86_400_000

type Changed = Reply<typeof userDeleteApi.confirm>

/**
 * Agrees to a proposed batch. The holding time begins with the last person who has to agree: one, and above 50 people two different ones (rule 21).
 * @throws Refusal 403 recheck, deleteOperator, secondPerson; 404; 409 deleteState when it is not waiting for anybody
 */
export async function confirmBatch(ctx: PeopleCtx, { no, recheck_token }: Input<typeof userDeleteApi.confirm>): Promise<Changed> {
  const { db, school_id, me, now } = ctx
  await requireOperator(ctx, recheck_token)
  const batch = await requireBatch(ctx, no)
  if (batch.state !== 'checking') throw fail(peopleErrors.deleteState)
  if (batch.confirmed_by === me.user_id) throw fail(peopleErrors.secondPerson)
  const by = batch.confirmed_by === null ? { confirmed_by: me.user_id } : { second_by: me.user_id }
  if (batch.confirmed_by === null && batch.people > second_person_above) {
    await changeBatch(db, school_id, no, by)
    return noted(ctx, no, '确认删除批次，等待另一位管理员复核', 'checking')
  }
  const { hold_days, window } = await readDeleteConfig(db, school_id)
  const hold_until = nextInWindow(new Date(now.getTime() + hold_days * day_ms), window)
  await changeBatch(db, school_id, no, { ...by, hold_until })
  await check(ctx, no, await detailIds(db, school_id, no, ['checking']))
  await addWork(db, batchWork(school_id, no, hold_until))
  return noted(ctx, no, '确认删除批次', await settleBatch(db, school_id, no, now))
}

/**
 * Takes people off the list, all of them or some; nothing of theirs was touched. Whoever is being erased already stays.
 * @throws Refusal 404, 409 deleteState when nobody can be taken off any more
 */
export async function cancelBatch(ctx: PeopleCtx, { no, user_ids }: Input<typeof userDeleteApi.cancel>): Promise<Changed> {
  const { db, school_id, now } = ctx
  await requireOperator(ctx)
  await requireBatch(ctx, no)
  const ids = await detailIds(db, school_id, no, ['checking', 'holding', 'blocked'], user_ids)
  if (ids.length === 0) throw fail(peopleErrors.deleteState)
  await changeDetails(db, school_id, no, ids, { state: 'cancelled' })
  await archiveListed(ctx, await listedPeople(db, school_id, ids), no, '取消删除')
  return noted(ctx, no, `取消删除 ${ids.length}人`, await settleBatch(db, school_id, no, now))
}

/**
 * Looks again at whoever is blocked and tries again whoever could not be erased. Those who are free by now wait for the next nightly hours.
 * @throws Refusal 404, 409 deleteNothing when nobody is blocked or has failed
 */
export async function retryBatch(ctx: PeopleCtx, { no, user_ids }: Input<typeof userDeleteApi.retry>): Promise<Changed> {
  const { db, school_id, now } = ctx
  await requireOperator(ctx)
  await requireBatch(ctx, no)
  const failed = await detailIds(db, school_id, no, ['error'], user_ids)
  const blocked = await detailIds(db, school_id, no, ['blocked'], user_ids)
  if (failed.length + blocked.length === 0) throw fail(peopleErrors.deleteNothing)
  await changeDetails(db, school_id, no, failed, { state: 'deleting', error_code: null })
  for (const id of failed) await addWork(db, personWork(school_id, no, id, now))
  const free = await check(ctx, no, blocked)
  const state = await settleBatch(db, school_id, no, now)
  if (free > 0) {
    const { hold_until } = await requireBatch(ctx, no)
    const due_at = hold_until !== null && hold_until > now ? hold_until : nextInWindow(now, (await readDeleteConfig(db, school_id)).window)
    await changeBatch(db, school_id, no, { state: 'holding', hold_until: due_at })
    await addWork(db, batchWork(school_id, no, due_at))
    return noted(ctx, no, '重新检查', 'holding')
  }
  return noted(ctx, no, '重试', state)
}

/** Looks at people of a batch: each of them is held or blocked then. @returns how many are held */
async function check(ctx: PeopleCtx, batch_no: string, ids: readonly string[]): Promise<number> {
  const { db, school_id } = ctx
  await lockPeople(db, school_id, ids)
  await settleItems(ctx, ids)
  const items = await openItems(ctx, ids)
  const blocked = ids.filter(id => isBlocked(items.get(id) ?? []))
  for (const id of ids) await changeDetails(db, school_id, batch_no, [id], { state: blocked.includes(id) ? 'blocked' : 'holding', blocks: items.get(id) ?? [] })
  return ids.length - blocked.length
}

async function requireBatch({ db, school_id }: PeopleCtx, no: string): Promise<Batch> {
  const batch = await holdBatch(db, school_id, no)
  if (!batch) throw fail(commonErrors.notFound)
  return batch
}

function noted(ctx: PeopleCtx, batch_no: string, target_name: string, state: BatchState): Changed {
  ctx.note({ target_kind: 'people.user_delete', target_id: batch_no, target_name, batch_no })
  return { batch_no, state }
}
