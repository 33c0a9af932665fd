import { archive } from '@campus/audit/server'
import { unmergeUsers } from '@campus/identity/server'
import { peopleErrors, peopleEvents } from '@campus/people/contract'
import type { MergeReversed } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import { publish } from '@kit/server/event'
import { sql } from 'kysely'
import { z } from 'zod'
import { commandEffects, laterCommands, updateCommand, updateEffect, updateSubjectState } from '../change/command.queries.ts'
import { schoolDay } from '../day.ts'
import type { PeopleCtx } from '../db.ts'
import { declareDuties } from '../duty.declare.ts'
import { operatorOf } from '../operator.ts'
import { lockPeople } from '../student-file.queries.ts'
import { copyNames, FieldImage, returnFields } from './field.write.ts'
import { requireRecheck } from './merge.service.ts'
import { describePeople, requireSeen } from './pair.ts'
import { rekeyPort } from './rekey-port.ts'
import type { MovedRow } from './rekey-port.ts'

const op_undo = 14
const Snapshot = z.object({ fields: FieldImage, merge_no: z.string(), repointed: z.array(z.string()), marks: z.record(z.string(), z.unknown()) })
type Log = NonNullable<Awaited<ReturnType<typeof lockLog>>>
type Left = MergeReversed['left']

/**
 * Parts two people again who were made one (chapter 20 rules 4, 19): exactly the moved rows go back, what was born or changed since stays with the
 * kept person and is listed.
 * @throws Refusal 404, 403 recheck, 409 mergeReversed, mergeLate after 30 days, undoBlocked while a later merge or command stands upon it
 */
export async function reverseMerge(ctx: PeopleCtx, { id, recheck_token }: { id: string; recheck_token: string }): Promise<MergeReversed> {
  const { db, school_id, app, now, me } = ctx
  const log = await takeLog(ctx, id)
  await requireRecheck(ctx, recheck_token)
  await refuseReverse(ctx, log)
  const { keep_user_id, drop_user_id, command_id } = log
  const pair = { db, app, school_id, now, keep_user_id, drop_user_id }
  const { fields, merge_no, repointed, marks } = Snapshot.parse(log.snapshot)
  const { left, restored } = await followBack(ctx, log, marks)
  const writer = { by: me.user_id, at: now }
  const stays = await returnFields(db, app.secrets, pair, { image: fields, kept_id_no_enc: log.kept_id_no_enc }, writer)
  if (stays.length > 0) left.push({ domain_title: '人员档案', title: stays.join('、'), count: stays.length, why: 'changed' })
  await sql`update person set status = 'live', merged_into = null where school_id = ${school_id} and user_id = ${drop_user_id}`.execute(db)
  await sql`update person set merged_into = ${drop_user_id} where school_id = ${school_id} and merged_into = ${keep_user_id} and user_id = any(${repointed}::bigint[])`.execute(db)
  await unmergeUsers({ app, db, school_id, now }, merge_no)
  await copyNames(db, pair)
  await declareDuties(db, school_id, [keep_user_id, drop_user_id])
  await close(ctx, log, left)
  await journal(ctx, log)
  await publish({ app, db, school_id, now }, peopleEvents.personUnmerged, { keep_user_id, drop_user_id })
  ctx.note({ target_kind: 'people.merge', target_id: keep_user_id, target_name: '撤销合并', after: { event: 'people.merge.reverse', merge_id: id, command_id, restored, left } })
  return { merge_id: id, restored, left }
}

function lockLog({ db, school_id }: PeopleCtx, id: string) {
  return db.selectFrom('merge_log').selectAll().where('school_id', '=', school_id).where('id', '=', id).forUpdate().executeTakeFirst()
}

/** @throws Refusal 404 for a merge of another school, or of somebody whom the reader does not see */
async function takeLog(ctx: PeopleCtx, id: string): Promise<Log> {
  const log = await lockLog(ctx, id)
  if (!log) throw fail(commonErrors.notFound)
  await requireSeen(ctx, [log.keep_user_id])
  await lockPeople(ctx.db, ctx.school_id, [log.keep_user_id, log.drop_user_id])
  return log
}

/** What was built upon a merge goes first: another merge of one of the two, a later command. */
async function refuseReverse({ db, school_id, now }: PeopleCtx, log: Log): Promise<void> {
  const { keep_user_id, drop_user_id, command_id } = log
  if (log.state !== 'active') throw fail(peopleErrors.mergeReversed)
  if (log.reversible_until <= now) throw fail(peopleErrors.mergeLate)
  const command_ids = await laterCommands(db, school_id, command_id, [keep_user_id, drop_user_id])
  if (command_ids.length > 0) throw fail(peopleErrors.undoBlocked, { data: { command_ids } })
}

async function followBack({ db, app, school_id, now }: PeopleCtx, { id, keep_user_id, drop_user_id }: Log, marks: Record<string, unknown>): Promise<{ left: Left; restored: number }> {
  const { rows } = await sql<MovedRow & { domain: string; before: unknown; after: unknown }>`
    select domain, table_name, row_key, column_name, old_user_id::text, before, after from merge_moved where school_id = ${school_id} and merge_id = ${id}`.execute(db)
  const of_domain = Map.groupBy(rows, row => row.domain)
  const left: Left = []
  for (const rekey of rekeyPort.all(app).toReversed()) {
    const own = (of_domain.get(rekey.domain) ?? []).map(({ before, after, domain: _, ...row }) => ({ ...row, ...(before === null ? {} : { before }), ...(after === null ? {} : { after }) }))
    const stays = await rekey.undo({ db, app, school_id, now, keep_user_id, drop_user_id, merge_id: id }, own, marks[rekey.domain])
    left.push(...stays.map(line => ({ ...line, domain_title: rekey.title })))
  }
  const stuck = left.reduce((sum, line) => (line.why === 'changed' ? sum + line.count : sum), 0)
  return { left, restored: rows.length - stuck }
}

async function close({ db, school_id, now, me }: PeopleCtx, { id, keep_user_id, drop_user_id, command_id, snapshot }: Log, left: Left): Promise<void> {
  const kept = { ...Snapshot.parse(snapshot), left }
  await db.updateTable('merge_log').set({ state: 'reversed', reversed_by: me.user_id, reversed_at: now, snapshot: JSON.stringify(kept) }).where('school_id', '=', school_id).where('id', '=', id).execute()
  // Somebody has looked: the pair is proposed again only for a new sign.
  await sql`
    update merge_case set state = 'dismissed', decided_by = ${me.user_id}, decided_at = ${now}
    where school_id = ${school_id} and a_user_id = least(${keep_user_id}::bigint, ${drop_user_id}::bigint) and b_user_id = greatest(${keep_user_id}::bigint, ${drop_user_id}::bigint)`.execute(db)
  await updateCommand(db, school_id, command_id, { state: 'undone', undone_by: me.user_id, undo_reason: '撤销合并' })
  await updateSubjectState(db, school_id, command_id, 'undone')
  for (const effect of await commandEffects(db, school_id, command_id)) {
    if (effect.state === 'done') await updateEffect(db, school_id, effect.id, { state: 'undone', detail: null, done_at: now })
  }
}

async function journal(ctx: PeopleCtx, { keep_user_id, drop_user_id, command_id }: Log): Promise<void> {
  const people = await describePeople(ctx, [keep_user_id, drop_user_id], schoolDay(ctx.now))
  const rows = [...people.values()].map(({ person_kind, user_id, user_no, user_name }) => {
    return { person_kind, person_id: user_id, person_no: user_no, person_name: user_name, op_type: op_undo, source: 'undo' as const, command_id, changes: [{ field: 'merged', label: '合并', before: '已合并', after: '已撤销' }] }
  })
  await archive(ctx.db, operatorOf(ctx), rows)
}
