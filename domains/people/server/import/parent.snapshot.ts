import type { ParsedRow, ReadStep } from '@campus/jobs/server'
import { numberKey } from '@kit/contract/checks'
import { sql } from 'kysely'
import { oneOf } from '../dated.ts'
import { schoolDay } from '../day.ts'
import type { Db, PeopleDb } from '../db.ts'
import { holdersOf } from '../guardian.create.ts'
import { visibleDepts } from '../scope.ts'
import type { DeptScope } from '../scope.ts'
import { parent_columns } from './parent.columns.ts'
import type { ParsedParent } from './parent.parsed.ts'
import { byUser, classesOf, idOwners, linksOf, spansOn } from './student.snapshot.ts'
import type { KnownLink } from './student.snapshot.ts'
import { readWords } from './words.ts'
import type { PeopleWords } from './words.ts'

/** A pupil on the roll today whom the sheet names. */
export type RollPupil = Awaited<ReturnType<typeof pupilsOnRoll>>[number]

/** What the database holds about a piece of the parent sheet. */
export type ParentSnapshot = {
  words: PeopleWords
  scope: DeptScope
  /** by `numberKey` of the 学号 */
  pupils: ReadonlyMap<string, RollPupil>
  links: ReadonlyMap<string, readonly KnownLink[]>
  holders: ReadonlyMap<string, { user_id: string; user_name: string }>
  id_owners: ReadonlyMap<string, string>
}

/** Reads everything a piece of the parent sheet may touch, each kind in one query. */
export async function loadParents(step: ReadStep<PeopleDb>, rows: readonly ParsedRow<ParsedParent>[]): Promise<ParentSnapshot> {
  const { db, school_id } = step
  const today = schoolDay(step.now)
  const pupils = await pupilsOnRoll(db, school_id, rows.map(row => row.parsed.student_no), today)
  const links = await linksOf(db, school_id, pupils.map(pupil => pupil.user_id), today)
  return {
    words: await readWords(step, parent_columns),
    scope: await visibleDepts(step, 'student', today),
    pupils: new Map(pupils.map(pupil => [numberKey(pupil.student_no), pupil])),
    links: Map.groupBy(links, link => link.student_user_id),
    holders: await holdersOf(db, school_id, rows.map(row => row.parsed.mobile)),
    id_owners: await idOwners(db, school_id, rows.flatMap(row => row.parsed.id_idx ?? [])),
  }
}

async function pupilsOnRoll(db: Db, school_id: number, nos: readonly string[], today: string) {
  const students = await db
    .selectFrom('student as s')
    .select(['s.user_id', 's.student_no'])
    .where('s.school_id', '=', school_id)
    .where(sql<boolean>`s.student_no_lower = any(${[...new Set(nos.map(numberKey))]}::text[])`)
    .execute()
  const user_ids = students.map(student => student.user_id)
  const names = byUser(await db.selectFrom('person').select(['user_id', 'user_name']).where('school_id', '=', school_id).where('status', '=', 'live').where(oneOf('user_id', user_ids)).execute())
  const on_roll = byUser(await spansOn(db, school_id, user_ids, today))
  const homes = byUser(await classesOf(db, school_id, user_ids, today))
  return students.flatMap(({ user_id, student_no }) => {
    const person = names.get(user_id)
    const home = homes.get(user_id)
    return person && on_roll.has(user_id) ? [{ user_id, student_no, user_name: person.user_name, dept_id: home?.dept_id ?? null, stage: home?.stage ?? null }] : []
  })
}
