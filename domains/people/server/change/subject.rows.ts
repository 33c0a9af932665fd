import { peopleErrors } from '@campus/people/contract'
import { fail } from '@kit/contract'
import { asTables } from '@kit/server/db'
import type { PeopleDb } from '../db.ts'
import { imagesOf, partKey } from '../import/image.ts'
import type { Image, ImageRow } from '../import/image.ts'
import { restoreParts } from '../import/restore.ts'
import type { EffectPlan, EffectStep, EffectSubject } from './effect-port.ts'

/** Tables of people that a command writes to, by the part that their rows are read in. */
const part_kinds = { student_span: 'c', dept_member: 'c', guardian_link: 'l', staff_span: 'w', dept_duty: 'w' } as const
export type DatedTable = keyof typeof part_kinds

/** Parts of a person that commands write to. */
const read_parts = ['c', 'l', 'w'] as const

/** Rows of states, classes and guardians of each person as they stand. */
export type Rows = ReadonlyMap<string, Image>

/** Reads all dated rows of the people of a command. */
export async function readRows({ db, school_id, subjects }: Pick<EffectPlan, 'db' | 'school_id' | 'subjects'>): Promise<Rows> {
  const keys = subjects.flatMap(({ user_id }) => read_parts.map(part => partKey(part, user_id)))
  const images = await imagesOf(asTables<PeopleDb>(db), school_id, keys)
  return new Map(subjects.map(({ user_id }) => [user_id, read_parts.reduce<Image>((image, part) => ({ ...image, ...images.get(partKey(part, user_id)) }), {})]))
}

/** The people with the rows that differ between the two readings added to both of their sides. */
export function withTouched(subjects: readonly EffectSubject[], before: Rows, after: Rows): EffectSubject[] {
  return subjects.map(subject => {
    const was = before.get(subject.user_id) ?? {}
    const is = after.get(subject.user_id) ?? {}
    return {
      ...subject,
      before: { ...subject.before, rows: joined(subject.before.rows, differing(was, is)) },
      after: { ...subject.after, rows: joined(subject.after.rows, differing(is, was)) },
    }
  })
}

/** Rows of one reading that stand not, or not so, in the other. */
function differing(from: Image, other: Image): Image {
  const tables = Object.entries(from).map(([table, rows]) => {
    const known = new Set((other[table] ?? []).map(row => JSON.stringify(row)))
    return [table, rows.filter(row => !known.has(JSON.stringify(row)))] as const
  })
  return Object.fromEntries(tables.filter(([, rows]) => rows.length > 0))
}

/** What was done on the day comes to what was written when the command was given; the two never touch the same table. */
function joined(known: Image, more: Image): Image {
  return { ...known, ...more }
}

/**
 * A command is taken back only while the rows it wrote stand as it left them.
 * @throws Refusal 409 undoBlocked when somebody has written to them since
 */
export async function refuseTouchedSince(step: Pick<EffectStep, 'db' | 'school_id' | 'subjects'>): Promise<void> {
  if ((await changedSince(step)).length > 0) throw fail(peopleErrors.undoBlocked, { data: { command_ids: [] } })
}

/** Whose rows are no longer as the command left them. */
export async function changedSince(step: Pick<EffectStep, 'db' | 'school_id' | 'subjects'>): Promise<string[]> {
  const now = await readRows(step)
  return step.subjects.filter(({ user_id, before, after }) => hasChanged(before.rows, after.rows, now.get(user_id) ?? {})).map(subject => subject.user_id)
}

function hasChanged(before: Image, after: Image, now: Image): boolean {
  const tables = Object.keys(part_kinds)
  const wanted = tables.flatMap(table => (after[table] ?? []).map(row => rowKey(table, row)))
  const gone = tables.flatMap(table => (before[table] ?? []).filter(row => !(after[table] ?? []).some(other => other.id === row.id)).map(row => `${table} ${row.id}`))
  const standing = new Set(tables.flatMap(table => (now[table] ?? []).flatMap(row => [rowKey(table, row), `${table} ${row.id}`])))
  return wanted.some(key => !standing.has(key)) || gone.some(key => standing.has(key)) || isLinkedAgain(before, after, now)
}

/** Has a guardian whose link the command ended been linked to the child once more? */
function isLinkedAgain(before: Image, after: Image, now: Image): boolean {
  const own = new Set([...(before.guardian_link ?? []), ...(after.guardian_link ?? [])].map(row => row.id))
  const ended = new Set((before.guardian_link ?? []).map(row => row.parent_user_id))
  return (now.guardian_link ?? []).some(row => !own.has(row.id) && ended.has(row.parent_user_id))
}

function rowKey(table: string, row: ImageRow): string {
  return `${table} ${JSON.stringify(row)}`
}

/** Brings the touched rows of one table back exactly as they were before the command. */
export async function restoreRows({ db, school_id, subjects }: EffectStep, table: DatedTable): Promise<void> {
  const parts = subjects.map(({ user_id, before, after }) => {
    return { key: partKey(part_kinds[table], user_id), before: only(table, before.rows), current: only(table, after.rows) }
  })
  await restoreParts(asTables<PeopleDb>(db), school_id, parts)
}

function only(table: DatedTable, rows: Image): Image {
  const own = rows[table]
  return own ? { [table]: own } : {}
}
