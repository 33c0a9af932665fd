import { peopleEvents } from '@campus/people/contract'
import { consume } from '@kit/server/event'
import type { EventDesk } from '@kit/server/http'
import { asTables } from '@kit/server/db'
import { sql } from 'kysely'
import type { DevicesDb } from './db.ts'
import { declareSubjects } from './sync/declare.ts'
import type { Declarer } from './sync/declare.ts'
import { keepNumbers } from './erasure/erased.write.ts'
import { dueOf } from './sync/due.ts'
import { readPeople } from './subject.queries.ts'

const { personCreated, personDeparted, personSuspended, personRestored, personRenamed, personMoved, personMerged, personUnmerged, personPurged, guardianChanged, deptChanged, deptPromoted, deptClosed } = peopleEvents

/** The name of the listener to an event of people. */
const listener = ({ name }: { name: string }) => `devices.${name.replace('people.', '')}`

/** Whoever is known to devices is known there as the school knows him today: names, classes, and whether he is still here (chapter 30 §7). */
export const subjectConsumers = [
  ...[personCreated, personDeparted, personSuspended, personRestored, guardianChanged].map(told => consume(listener(told), told.name, told.payload.pick({ user_ids: true }), (desk, { user_ids }) => follow(desk, user_ids))),
  consume(listener(personRenamed), personRenamed.name, personRenamed.payload, (desk, { people }) => follow(desk, people.map(one => one.user_id))),
  consume(listener(personMoved), personMoved.name, personMoved.payload.pick({ people: true }), (desk, { people }) => follow(desk, people.map(one => one.user_id))),
  ...[personMerged, personUnmerged].map(told => consume(listener(told), told.name, told.payload, (desk, { keep_user_id, drop_user_id }) => follow(desk, [keep_user_id, drop_user_id]))),
  ...[deptChanged, deptPromoted, deptClosed].map(told => consume(listener(told), told.name, told.payload.pick({ dept_ids: true }), async (desk, { dept_ids }) => follow(desk, await subjectsIn(desk, dept_ids)))),
  consume(listener(personPurged), personPurged.name, personPurged.payload, (desk, { user_ids }) => forget(desk, user_ids)),
]

async function follow(desk: EventDesk, user_ids: readonly string[]): Promise<void> {
  await followPeople(desk, user_ids)
}

/** Of these people and of the families of the pupils among them, those whom devices know. */
export async function knownPeople({ db, school_id }: Pick<Declarer, 'db' | 'school_id'>, user_ids: readonly string[]): Promise<string[]> {
  return (await readKnown({ db, school_id }, user_ids)).map(one => one.user_id)
}

async function readKnown({ db, school_id }: Pick<Declarer, 'db' | 'school_id'>, user_ids: readonly string[]) {
  const ids = [...user_ids]
  // A parent is here as long as a child is.
  const is_concerned = sql<boolean>`user_id = any(array(select unnest(${ids}::bigint[]) union select g.parent_user_id from guardian_span g where g.school_id = ${school_id} and g.student_user_id = any(${ids}::bigint[])))`
  return asTables<DevicesDb>(db).selectFrom('subject').select(['user_id', 'person_kind', 'user_no', 'user_name', 'dept_name', 'live']).where('school_id', '=', school_id).where(is_concerned).execute()
}

/** Brings those who are known to devices up to date; who is unchanged causes nothing. @returns who is not */
export async function followPeople(desk: Declarer, user_ids: readonly string[]): Promise<string[]> {
  const { db, school_id } = desk
  const known = await readKnown(desk, user_ids)
  const today = new Map((await readPeople(db, school_id, known.map(one => one.user_id))).map(one => [one.user_id, one]))
  const turned = known.flatMap(before => {
    const now = today.get(before.user_id) ?? { ...before, live: false }
    const is_same = now.live === before.live && now.user_name === before.user_name && now.user_no === before.user_no && now.dept_name === before.dept_name && now.person_kind === before.person_kind
    return is_same ? [] : [now]
  })
  if (turned.length > 0) await declareSubjects(desk, turned)
  return turned.map(one => one.user_id)
}

/** Nothing of them is left: their rights and cards go, and every device that holds them is told. */
async function forget(desk: EventDesk, user_ids: readonly string[]): Promise<void> {
  const { db, school_id } = desk
  await keepNumbers({ ...desk, db: asTables<DevicesDb>(db) }, user_ids)
  await dueOf(desk, user_ids)
  for (const table of ['subject_grant', 'subject_credential', 'subject'] as const) {
    await asTables<DevicesDb>(db).deleteFrom(table).where('school_id', '=', school_id).where(sql<boolean>`user_id = any(${[...user_ids]}::bigint[])`).execute()
  }
}

/** Who of those known to devices is in these departments today. */
async function subjectsIn({ db, school_id }: EventDesk, dept_ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select distinct s.user_id::text from subject s join live_person p on p.school_id = s.school_id and p.user_id = s.user_id
    where s.school_id = ${school_id} and p.label_dept_id = any(${[...dept_ids]}::bigint[])`.execute(db)
  return rows.map(row => row.user_id)
}
