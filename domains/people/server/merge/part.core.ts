import { unmergeUsers } from '@campus/identity/server'
import { peopleEvents } from '@campus/people/contract'
import type { MergeReversed } from '@campus/people/contract'
import { publish } from '@kit/server/event'
import { sql } from 'kysely'
import { z } from 'zod'
import { commandEffects, updateCommand, updateEffect, updateSubjectState } from '../change/command.queries.ts'
import type { Db } from '../db.ts'
import { declareDuties } from '../duty.declare.ts'
import { copyNames, FieldImage, returnFields } from './field.write.ts'
import type { MergeDesk } from './merge.core.ts'
import { rekeyPort } from './rekey-port.ts'
import type { MovedRow } from './rekey-port.ts'

const Snapshot = z.object({ fields: FieldImage, merge_no: z.string(), repointed: z.array(z.string()), marks: z.record(z.string(), z.unknown()) })
/** A merge as it was written down. */
export type MergeRecord = NonNullable<Awaited<ReturnType<typeof lockMerge>>>
type Left = MergeReversed['left']

/** A merge, locked until the transaction ends; undefined when the school has none of that id. */
export function lockMerge(db: Db, school_id: number, id: string) {
  return db.selectFrom('merge_log').selectAll().where('school_id', '=', school_id).where('id', '=', id).forUpdate().executeTakeFirst()
}

/**
 * Parts two people again, in the caller's transaction, who has locked both and knows that nothing stands upon the merge: exactly the moved rows go back, what
 * was born or changed since stays with the kept person and is answered.
 */
export async function partPeople(desk: MergeDesk, log: MergeRecord): Promise<MergeReversed> {
  const { db, school_id, app, now, by } = desk
  const { keep_user_id, drop_user_id } = log
  const pair = { db, app, school_id, now, keep_user_id, drop_user_id }
  const { fields, merge_no, repointed, marks } = Snapshot.parse(log.snapshot)
  const { left, restored } = await followBack(desk, log, marks)
  const stays = await returnFields(db, app.secrets, pair, { image: fields, kept_id_no_enc: log.kept_id_no_enc }, { by, at: now })
  if (stays.length > 0) left.push({ domain_title: '人员档案', title: stays.join('、'), count: stays.length, why: 'changed' })
  await sql`update person set status = 'live', merged_into = null where school_id = ${school_id} and user_id = ${drop_user_id}`.execute(db)
  await sql`update person set merged_into = ${drop_user_id} where school_id = ${school_id} and merged_into = ${keep_user_id} and user_id = any(${repointed}::bigint[])`.execute(db)
  await unmergeUsers({ app, db, school_id, now }, merge_no)
  await copyNames(db, pair)
  await declareDuties(db, school_id, [keep_user_id, drop_user_id])
  await close(desk, log, left)
  await publish({ app, db, school_id, now }, peopleEvents.personUnmerged, { keep_user_id, drop_user_id })
  return { merge_id: log.id, restored, left }
}

async function followBack({ db, app, school_id, now }: MergeDesk, { id, keep_user_id, drop_user_id }: MergeRecord, marks: Record<string, unknown>): Promise<{ left: Left; restored: number }> {
  const { rows } = await sql<MovedRow & { domain: string; before: unknown; after: unknown }>`
    select domain, table_name, row_key, column_name, old_user_id::text, before, after from merge_moved where school_id = ${school_id} and merge_id = ${id}`.execute(db)
  const of_domain = Map.groupBy(rows, row => row.domain)
  const left: Left = []
  for (const rekey of rekeyPort.all(app).toReversed()) {
    const own = (of_domain.get(rekey.domain) ?? [])
      .map(({ table_name, row_key, column_name, old_user_id, before, after }) => ({ table_name, row_key, column_name, old_user_id, ...(before === null ? {} : { before }), ...(after === null ? {} : { after }) }))
    const stays = await rekey.undo({ db, app, school_id, now, keep_user_id, drop_user_id, merge_id: id }, own, marks[rekey.domain])
    left.push(...stays.map(line => ({ ...line, domain_title: rekey.title })))
  }
  const stuck = left.reduce((sum, line) => (line.why === 'changed' ? sum + line.count : sum), 0)
  return { left, restored: rows.length - stuck }
}

async function close({ db, school_id, now, by }: MergeDesk, { id, keep_user_id, drop_user_id, command_id, snapshot }: MergeRecord, left: Left): Promise<void> {
  const kept = { ...Snapshot.parse(snapshot), left }
  await db.updateTable('merge_log').set({ state: 'reversed', reversed_by: by, reversed_at: now, snapshot: JSON.stringify(kept) }).where('school_id', '=', school_id).where('id', '=', id).execute()
  // Somebody has looked: the pair is proposed again only for a new sign.
  await sql`
    update merge_case set state = 'dismissed', decided_by = ${by}, decided_at = ${now}
    where school_id = ${school_id} and a_user_id = least(${keep_user_id}::bigint, ${drop_user_id}::bigint) and b_user_id = greatest(${keep_user_id}::bigint, ${drop_user_id}::bigint)`.execute(db)
  await updateCommand(db, school_id, command_id, { state: 'undone', undone_by: by, undo_reason: '撤销合并' })
  await updateSubjectState(db, school_id, command_id, 'undone')
  for (const effect of await commandEffects(db, school_id, command_id)) {
    if (effect.state === 'done') await updateEffect(db, school_id, effect.id, { state: 'undone', detail: null, done_at: now })
  }
}
