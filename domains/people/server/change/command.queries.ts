import type { ChangeKind } from '@campus/people/contract'
import { sql } from 'kysely'
import { z } from 'zod'
import { chunks, insertRows } from '../bulk.ts'
import { oneOf } from '../dated.ts'
import type { Db } from '../db.ts'
import { Image } from '../import/image.ts'
import type { ChangeEffect, EffectSubject } from './effect-port.ts'

/** A command about to be written. */
export type NewCommand = {
  kind: ChangeKind
  state: 'scheduled' | 'applied'
  effective_on: string
  payload: object
  plan_hash: string | null
  subject_count: number
  reason: string
  created_by: string
  created_at: Date
  applied_at: Date | null
  undo_until: Date | null
}
export type SubjectState = 'scheduled' | 'applied' | 'cancelled' | 'undone'
/** One line of the receipt; it is about all people of the command. */
export type NewEffect = Pick<ChangeEffect, 'domain' | 'effect_code' | 'title' | 'undoable'> & {
  state: 'planned' | 'waiting' | 'done' | 'skipped'
  detail: string | null
  ref: unknown
  done_at: Date | null
}

const Side = z.object({ dept_id: z.string().nullable(), state: z.string().nullable(), rows: Image })

/** Writes the command itself. @returns its id */
export async function insertCommand(db: Db, school_id: number, { payload, ...command }: NewCommand): Promise<string> {
  const { id } = await db
    .insertInto('change_command')
    .values({ school_id, ...command, payload: JSON.stringify(payload) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Writes people with both of their sides, or writes the sides and the state of people already written. */
export async function saveSubjects(db: Db, school_id: number, command_id: string, subjects: readonly EffectSubject[], state: SubjectState): Promise<void> {
  const rows = subjects.map(({ user_id, before, after }) => ({ school_id, command_id, user_id, before: JSON.stringify(before), after: JSON.stringify(after), state }))
  for (const part of chunks(rows)) {
    await db
      .insertInto('change_subject')
      .values(part)
      .onConflict(to => to.columns(['school_id', 'command_id', 'user_id']).doUpdateSet({ before: sql`excluded.before`, after: sql`excluded.after`, state: sql`excluded.state` }))
      .execute()
  }
}

/** The people of a command with both of their sides, in the order of their ids. */
export async function commandSubjects(db: Db, school_id: number, command_id: string): Promise<EffectSubject[]> {
  const rows = await db
    .selectFrom('change_subject')
    .select(['user_id', 'before', 'after'])
    .where('school_id', '=', school_id)
    .where('command_id', '=', command_id)
    .orderBy('user_id')
    .execute()
  return rows.map(({ user_id, before, after }) => ({ user_id, before: Side.parse(before), after: Side.parse(after) }))
}

export async function insertEffects(db: Db, school_id: number, command_id: string, effects: readonly NewEffect[]): Promise<void> {
  await insertRows(db, 'change_effect', effects.map(({ ref, ...effect }) => ({ school_id, command_id, ...effect, ref: ref === undefined ? null : JSON.stringify(ref) })))
}

/** The receipt of a command in the order in which its lines were written. */
export function commandEffects(db: Db, school_id: number, command_id: string) {
  return db
    .selectFrom('change_effect')
    .select(['id', 'user_id', 'domain', 'effect_code', 'title', 'state', 'detail', 'undoable', 'done_at', 'ref'])
    .where('school_id', '=', school_id)
    .where('command_id', '=', command_id)
    .orderBy('id')
    .execute()
}

/** Changes one line of a receipt. */
export async function updateEffect(db: Db, school_id: number, id: string, effect: { state: string; detail?: string | null; ref?: unknown; done_at?: Date | null }): Promise<void> {
  const { ref, ...rest } = effect
  await db
    .updateTable('change_effect')
    .set({ ...rest, ...(ref === undefined ? {} : { ref: JSON.stringify(ref) }) })
    .where('school_id', '=', school_id)
    .where('id', '=', id)
    .execute()
}

/** A command, locked until the transaction ends; undefined when the school has none of that id. */
export function lockCommand(db: Db, school_id: number, id: string) {
  return db.selectFrom('change_command').selectAll().where('school_id', '=', school_id).where('id', '=', id).forUpdate().executeTakeFirst()
}
export type Command = NonNullable<Awaited<ReturnType<typeof lockCommand>>>

/** Changes a command and, where named, the state of its people. */
export async function updateCommand(db: Db, school_id: number, id: string, command: Partial<Pick<Command, 'state' | 'applied_at' | 'undo_until' | 'undone_by' | 'undo_reason'>>): Promise<void> {
  await db.updateTable('change_command').set(command).where('school_id', '=', school_id).where('id', '=', id).execute()
}

export async function updateSubjectState(db: Db, school_id: number, command_id: string, state: SubjectState): Promise<void> {
  await db.updateTable('change_subject').set({ state }).where('school_id', '=', school_id).where('command_id', '=', command_id).execute()
}

/** An applied command whose last effect is closed is settled. */
export async function settleCommand(db: Db, school_id: number, id: string): Promise<void> {
  await sql`
    update change_command c set state = 'settled'
    where c.school_id = ${school_id} and c.id = ${id} and c.state = 'applied' and not exists (
      select from change_effect e where e.school_id = ${school_id} and e.command_id = ${id} and e.state in ('planned', 'waiting', 'running', 'failed'))`.execute(db)
}

/** Commands about these people that were given later than this one and still stand. */
export async function laterCommands(db: Db, school_id: number, command_id: string, user_ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ command_id: string }>`
    select distinct s.command_id from change_subject s
    where s.school_id = ${school_id} and ${oneOf('s.user_id', user_ids)} and s.command_id > ${command_id}`.execute(db)
  if (rows.length === 0) return []
  const standing = await db
    .selectFrom('change_command')
    .select('id')
    .where('school_id', '=', school_id)
    .where(oneOf('id', rows.map(row => row.command_id)))
    .where('state', 'in', ['scheduled', 'applied', 'settled'])
    .orderBy('id')
    .execute()
  return standing.map(row => row.id)
}
