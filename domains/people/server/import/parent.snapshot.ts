import type { ParsedRow, ReadStep } from '@campus/jobs/server'
import { sql } from 'kysely'
import { validOn } from '../dated.ts'
import { schoolDay } from '../day.ts'
import type { Db, PeopleDb } from '../db.ts'
import { holdersOf } from '../guardian.create.ts'
import { visibleDepts } from '../scope.ts'
import type { DeptScope } from '../scope.ts'
import { parent_columns } from './parent.columns.ts'
import type { ParsedParent } from './parent.parsed.ts'
import { idOwners, linksOf } from './student.snapshot.ts'
import type { KnownLink } from './student.snapshot.ts'
import { readWords } from './words.ts'
import type { PeopleWords } from './words.ts'

/** A pupil on the roll today whom the sheet names. */
export type RollPupil = Awaited<ReturnType<typeof pupilsOnRoll>>[number]

/** What the database holds about a piece of the parent sheet. */
export type ParentSnapshot = {
  words: PeopleWords
  scope: DeptScope
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
    pupils: new Map(pupils.map(pupil => [pupil.student_no, pupil])),
    links: Map.groupBy(links, link => link.student_user_id),
    holders: await holdersOf(db, school_id, rows.map(row => row.parsed.mobile)),
    id_owners: await idOwners(db, school_id, rows.flatMap(row => row.parsed.id_idx ?? [])),
  }
}

function pupilsOnRoll(db: Db, school_id: number, nos: readonly string[], today: string) {
  return db
    .selectFrom('student as s')
    .innerJoin('person as p', join => join.onRef('p.school_id', '=', 's.school_id').onRef('p.user_id', '=', 's.user_id'))
    .innerJoin('student_span as t', join => join.onRef('t.school_id', '=', 's.school_id').onRef('t.user_id', '=', 's.user_id').on(validOn('t', today)))
    .leftJoin('dept_member as m', join =>
      join.onRef('m.school_id', '=', 's.school_id').onRef('m.user_id', '=', 's.user_id').on('m.member_kind', '=', 'student').on(validOn('m', today)),
    )
    .leftJoin('dept as d', join => join.onRef('d.school_id', '=', 'm.school_id').onRef('d.id', '=', 'm.dept_id'))
    .select(['s.user_id', 's.student_no', 'p.user_name', 'm.dept_id', 'd.stage'])
    .where('s.school_id', '=', school_id)
    .where('p.status', '=', 'live')
    .where(sql<boolean>`s.student_no = any(${[...new Set(nos)]}::text[])`)
    .execute()
}
