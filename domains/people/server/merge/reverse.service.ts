import { archive } from '@campus/audit/server'
import { peopleErrors } from '@campus/people/contract'
import type { MergeReversed } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import { laterCommands } from '../change/command.queries.ts'
import { schoolDay } from '../day.ts'
import type { PeopleCtx } from '../db.ts'
import { operatorOf } from '../operator.ts'
import { lockPeople } from '../student-file.queries.ts'
import { requireRecheck } from './merge.service.ts'
import { describePeople, requireSeen } from './pair.ts'
import { lockMerge, partPeople } from './part.core.ts'
import type { MergeRecord } from './part.core.ts'

const op_undo = 14

/**
 * Takes a merge back (chapter 20 rules 4, 19).
 * @throws Refusal 404, 403 recheck, 409 mergeReversed, mergeLate after 30 days, undoBlocked while a later merge or command stands upon it
 */
export async function reverseMerge(ctx: PeopleCtx, { id, recheck_token }: { id: string; recheck_token: string }): Promise<MergeReversed> {
  const { db, school_id, app, now, me } = ctx
  const log = await takeLog(ctx, id)
  await requireRecheck(ctx, recheck_token)
  await refuseReverse(ctx, log)
  const parted = await partPeople({ db, app, school_id, now, by: me.user_id }, log)
  await journal(ctx, log)
  ctx.note({ target_kind: 'people.merge', target_id: log.keep_user_id, target_name: '撤销合并', after: { event: 'people.merge.reverse', command_id: log.command_id, ...parted } })
  return parted
}

/** @throws Refusal 404 for a merge of another school, or of somebody whom the reader does not see */
async function takeLog(ctx: PeopleCtx, id: string): Promise<MergeRecord> {
  const log = await lockMerge(ctx.db, ctx.school_id, id)
  if (!log) throw fail(commonErrors.notFound)
  await requireSeen(ctx, [log.keep_user_id])
  await lockPeople(ctx.db, ctx.school_id, [log.keep_user_id, log.drop_user_id])
  return log
}

/** What was built upon a merge goes first: another merge of one of the two, a later command. */
async function refuseReverse({ db, school_id, now }: PeopleCtx, log: MergeRecord): Promise<void> {
  const { keep_user_id, drop_user_id, command_id } = log
  if (log.state !== 'active') throw fail(peopleErrors.mergeReversed)
  if (log.reversible_until <= now) throw fail(peopleErrors.mergeLate)
  const command_ids = await laterCommands(db, school_id, command_id, [keep_user_id, drop_user_id])
  if (command_ids.length > 0) throw fail(peopleErrors.undoBlocked, { data: { command_ids } })
}

async function journal(ctx: PeopleCtx, { keep_user_id, drop_user_id, command_id }: MergeRecord): Promise<void> {
  const people = await describePeople(ctx, [keep_user_id, drop_user_id], schoolDay(ctx.now))
  const rows = [...people.values()].map(({ person_kind, user_id, user_no, user_name }) => {
    return { person_kind, person_id: user_id, person_no: user_no, person_name: user_name, op_type: op_undo, source: 'undo' as const, command_id, changes: [{ field: 'merged', label: '合并', before: '已合并', after: '已撤销' }] }
  })
  await archive(ctx.db, operatorOf(ctx), rows)
}
