import { leave_kinds, most_told, peopleEvents } from '@campus/people/contract'
import type { ChangeKind, CopiedField } from '@campus/people/contract'
import type { EventFact } from '@kit/contract'
import { asTables } from '@kit/server/db'
import { publish } from '@kit/server/event'
import type { Publisher } from '@kit/server/event'
import { sql } from 'kysely'
import type { z } from 'zod'
import { chunks } from './bulk.ts'
import type { EffectStep } from './change/effect-port.ts'
import { oneOf } from './dated.ts'
import { schoolDay } from './day.ts'
import type { PeopleDb } from './db.ts'

/** What a journal line calls the columns that others copy. */
const copied = new Map<string, CopiedField>([
  ['user_name', 'user_name'], ['student_no', 'user_no'], ['teacher_no', 'user_no'], ['photo_file_key', 'photo'], ['photo', 'photo'], ['recog_pwd', 'recog_pwd'],
])
const family_field = /^(?:child|parents)\b/
const moving: readonly ChangeKind[] = ['CLASS', 'REPEAT', 'SKIP', 'STAFF_MOVE']
const returning: readonly ChangeKind[] = ['RESUME', 'RETURN', 'STAFF_RETURN']
const leaving = [...leave_kinds, 'GRAD', 'STAFF_OUT'] as const

type Told = { person_id: string; changes?: readonly { field: string }[] }
type People = EventFact<z.ZodObject<{ user_ids: typeof peopleEvents.personCreated.payload.shape.user_ids }>>

/** Tells what the lines of the archive journal mean for others: people who are new, names and numbers that others copy, families. */
export async function tellFiles(from: Publisher, rows: readonly Told[]): Promise<void> {
  if (rows.length === 0) return
  const created = await createdNow(from, rows)
  const renamed = rows.filter(({ person_id }) => !created.includes(person_id)).flatMap(({ person_id, changes = [] }) => {
    const fields = [...new Set(changes.flatMap(({ field }) => copied.get(field) ?? []))]
    return fields.length === 0 ? [] : [{ user_id: person_id, fields }]
  })
  const whose = (has: (field: string) => boolean) => rows.filter(({ changes = [] }) => changes.some(({ field }) => has(field))).map(row => row.person_id)
  await tellPeople(from, peopleEvents.personCreated, created)
  for (const people of chunks(renamed, most_told)) await publish(from, peopleEvents.personRenamed, { people })
  await tellPeople(from, peopleEvents.birthDateChanged, whose(field => field === 'birthday'))
  await tellPeople(from, peopleEvents.studyMethodChanged, whose(field => field === 'study_method'))
  await tellPeople(from, peopleEvents.guardianChanged, whose(field => family_field.test(field)))
}

/** Tells everybody's ids, 500 in one event. */
export async function tellPeople(from: Publisher, fact: People, user_ids: readonly string[]): Promise<void> {
  for (const part of chunks([...new Set(user_ids)], most_told)) await publish(from, fact, { user_ids: part })
}

/** Whoever was written for the first time by this very transaction: a new person bears its moment. */
async function createdNow({ app, db, school_id }: Publisher, rows: readonly Told[]): Promise<string[]> {
  if (!app.consumers.has(peopleEvents.personCreated.name)) return []
  const people = asTables<PeopleDb>(db).selectFrom('person').select('user_id').where('school_id', '=', school_id).where('created_at', '=', sql<Date>`now()`)
  return (await people.where(oneOf('user_id', rows.map(row => row.person_id))).execute()).map(row => row.user_id)
}

/** Tells what a command has done, on its day. Where somebody is from then on stands in the sides of its people. */
export async function tellChange(from: Publisher, step: Pick<EffectStep, 'kind' | 'subjects' | 'effective_on' | 'command_id'>): Promise<void> {
  const { kind, subjects, effective_on: on, command_id } = step
  const ids = subjects.map(subject => subject.user_id)
  const left = leaving.find(one => one === kind)
  if (moving.includes(kind)) await tellMoves(from, subjects.map(({ user_id, before, after }) => ({ user_id, from: before.dept_id, to: after.dept_id })), on)
  if (kind === 'SUSPEND') await tellOnDay(from, peopleEvents.personSuspended, ids, on)
  if (returning.includes(kind)) await tellOnDay(from, peopleEvents.personRestored, ids, on)
  if (left) for (const user_ids of chunks(ids, most_told)) await publish(from, peopleEvents.personDeparted, { user_ids, on, kind: left })
  await publish(from, peopleEvents.changeApplied, { command_id, kind })
}

/** Tells that a command which had been carried out is taken back, from today. */
export async function tellUndone(from: Publisher, step: Pick<EffectStep, 'kind' | 'subjects' | 'command_id'>): Promise<void> {
  const { kind, subjects, command_id } = step
  const on = schoolDay(from.now)
  const ids = subjects.map(subject => subject.user_id)
  if (moving.includes(kind)) await tellMoves(from, subjects.map(({ user_id, before, after }) => ({ user_id, from: after.dept_id, to: before.dept_id })), on)
  if (kind === 'IN' || kind === 'ENROL' || kind === 'STAFF_IN') await tellPeople(from, peopleEvents.personPurged, ids)
  if (kind === 'SUSPEND' || leaving.some(one => one === kind)) await tellOnDay(from, peopleEvents.personRestored, ids, on)
  if (kind === 'RESUME') await tellOnDay(from, peopleEvents.personSuspended, ids, on)
  if (kind === 'RETURN') for (const user_ids of chunks(ids, most_told)) await publish(from, peopleEvents.personDeparted, { user_ids, on, kind: 'OUT' })
  if (kind === 'LINK') await tellPeople(from, peopleEvents.guardianChanged, subjects.flatMap(({ user_id, before }) => [user_id, ...(before.rows.guardian_link ?? []).map(link => String(link.parent_user_id))]))
  await publish(from, peopleEvents.changeUndone, { command_id, kind })
}

async function tellMoves(from: Publisher, moves: z.input<typeof peopleEvents.personMoved.payload>['people'], on: string): Promise<void> {
  for (const people of chunks(moves, most_told)) await publish(from, peopleEvents.personMoved, { people, on })
}

async function tellOnDay(from: Publisher, fact: typeof peopleEvents.personSuspended, ids: readonly string[], on: string): Promise<void> {
  for (const user_ids of chunks(ids, most_told)) await publish(from, fact, { user_ids, on })
}
