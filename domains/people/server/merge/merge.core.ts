import { mergeUsers } from '@campus/identity/server'
import { peopleEvents } from '@campus/people/contract'
import type { MergeKind } from '@campus/people/contract'
import { publish } from '@kit/server/event'
import type { App } from '@kit/server/http'
import { sql } from 'kysely'
import { chunks } from '../bulk.ts'
import { insertCommand, insertEffects, saveSubjects, settleCommand } from '../change/command.queries.ts'
import type { NewEffect } from '../change/command.queries.ts'
import { schoolDay } from '../day.ts'
import type { Db } from '../db.ts'
import { declareDuties } from '../duty.declare.ts'
import { field_facts } from './field.facts.ts'
import { readFiles } from './field.values.ts'
import { copyNames, markMerged, takeFields } from './field.write.ts'
import { rekeyPort } from './rekey-port.ts'
import type { MergeSideName, MovedRow } from './rekey-port.ts'

const undo_days = 30
const day_ms = 86_400_000

/** Who merges, in whose transaction. */
export type MergeDesk = { db: Db; app: App; school_id: number; now: Date; by: string }
/** Two people to be one: whose value of each field and whose side of each conflict stays; what is not named is the kept one's. */
export type MergeOrder = { kind: MergeKind; keep_user_id: string; drop_user_id: string; chosen: ReadonlyMap<string, MergeSideName> }
type Merged = { merge_id: string; command_id: string; reversible_until: Date; moved: number }

/**
 * Makes one of two people (chapter 20 rule 19), in the caller's transaction, who has locked both and solved the conflicts: the merged one is
 * absent from every live view, his rows follow by the registered steps, his account goes into the kept one's, at once.
 */
export async function mergePeople(desk: MergeDesk, order: MergeOrder): Promise<Merged> {
  const { db, app, school_id, now, by } = desk
  const { keep_user_id, drop_user_id, kind, chosen } = order
  const pair = { db, app, school_id, now, keep_user_id, drop_user_id }
  const files = await readFiles(db, school_id, [keep_user_id, drop_user_id])
  const sides = { keep: files.get(keep_user_id) ?? new Map(), drop: files.get(drop_user_id) ?? new Map() }
  const repointed = await markMerged(db, pair, { by, at: now })
  const taken = field_facts.filter(fact => chosen.get(fact.field) === 'drop' && sides.keep.has(fact.table) && sides.drop.has(fact.table))
  const { image, kept_id_no_enc } = await takeFields(db, pair, sides, taken, { by, at: now })
  await copyNames(db, pair)
  const reversible_until = new Date(now.getTime() + undo_days * day_ms)
  const command_id = await insertCommand(db, school_id, {
    kind: 'MERGE', state: 'applied', effective_on: schoolDay(now), payload: { keep_user_id, drop_user_id }, plan_hash: null, subject_count: 2, reason: '',
    created_by: by, created_at: now, applied_at: now, undo_until: null,
  })
  const { merge_no } = await mergeUsers({ app, db, school_id, now }, { kept_user_id: keep_user_id, merged_user_id: drop_user_id })
  const log = { school_id, kind, keep_user_id, drop_user_id, chosen: JSON.stringify(Object.fromEntries(chosen)), kept_id_no_enc, merged_by: by, merged_at: now, reversible_until, command_id }
  const { id: merge_id } = await db.insertInto('merge_log').values({ ...log, snapshot: '{}' }).returning('id').executeTakeFirstOrThrow()
  const { effects, moved } = await followAll({ ...pair, merge_id, chosen }, merge_id)
  const marks: Record<string, unknown> = {}
  for (const rekey of rekeyPort.all(app)) marks[rekey.domain] = await rekey.mark(pair)
  await db.updateTable('merge_log').set({ snapshot: JSON.stringify({ fields: image, merge_no, repointed, marks }) }).where('school_id', '=', school_id).where('id', '=', merge_id).execute()
  await declareDuties(db, school_id, [keep_user_id, drop_user_id])
  await closeCommand(desk, order, command_id, effects)
  await markCase(desk, order)
  await publish({ app, db, school_id, now }, peopleEvents.personMerged, { keep_user_id, drop_user_id })
  return { merge_id, command_id, reversible_until, moved }
}

type Step = Parameters<ReturnType<typeof rekeyPort.all>[number]['apply']>[0]

/** Lets every registered domain follow and writes down which rows it moved. */
async function followAll(step: Step & { school_id: number }, merge_id: string): Promise<{ effects: NewEffect[]; moved: number }> {
  const effects: NewEffect[] = []
  let moved = 0
  for (const rekey of rekeyPort.all(step.app)) {
    const rows = await rekey.apply(step)
    await writeMoved(step, merge_id, rekey.domain, rows)
    moved += rows.length
    const line = { domain: rekey.domain, effect_code: `rekey.${rekey.domain}`, title: rekey.title, undoable: true, ref: undefined, done_at: step.now }
    effects.push(rows.length === 0 ? { ...line, state: 'skipped', detail: null } : { ...line, state: 'done', detail: `转移${rows.length}条记录` })
  }
  return { effects: [...effects, { domain: 'identity', effect_code: 'account', title: '账号与身份', undoable: true, ref: undefined, done_at: step.now, state: 'done', detail: '合并为一个账号' }], moved }
}

async function writeMoved({ db, school_id }: Pick<Step, 'db' | 'school_id'>, merge_id: string, domain: string, moved: readonly MovedRow[]): Promise<void> {
  for (const part of chunks(moved)) {
    const rows = JSON.stringify(part.map(row => ({ ...row, school_id, merge_id, domain })))
    await sql`
      insert into merge_moved (school_id, merge_id, domain, table_name, row_key, column_name, old_user_id, before, after)
      select e.school_id, e.merge_id, e.domain, e.table_name, e.row_key, e.column_name, e.old_user_id, e.before, e.after
      from jsonb_to_recordset(${rows}::jsonb) as e(school_id int, merge_id bigint, domain text, table_name text, row_key text, column_name text, old_user_id bigint, before jsonb, after jsonb)
      returning 1`.execute(db)
  }
}

const nowhere = { dept_id: null, state: null, rows: {} }

async function closeCommand({ db, school_id }: MergeDesk, { keep_user_id, drop_user_id }: MergeOrder, command_id: string, effects: readonly NewEffect[]): Promise<void> {
  const subjects = [keep_user_id, drop_user_id].map(user_id => ({ user_id, before: nowhere, after: nowhere }))
  await saveSubjects(db, school_id, command_id, subjects, 'applied')
  await insertEffects(db, school_id, command_id, effects)
  await settleCommand(db, school_id, command_id)
}

/** The pair is decided, whether it was proposed or not. */
async function markCase({ db, school_id, now, by }: MergeDesk, { keep_user_id, drop_user_id }: MergeOrder): Promise<void> {
  await sql`
    update merge_case set state = 'merged', decided_by = ${by}, decided_at = ${now}
    where school_id = ${school_id} and a_user_id = least(${keep_user_id}::bigint, ${drop_user_id}::bigint) and b_user_id = greatest(${keep_user_id}::bigint, ${drop_user_id}::bigint)`.execute(db)
}
