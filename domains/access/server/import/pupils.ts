import { visibleDepts } from '@campus/people/server'
import type { Issue, ReadStep } from '@kit/server/excel'
import { sql } from 'kysely'
import type { AccessDb } from '../db.ts'
import { isSeen } from '../grant/scope.ts'

export type Pupils = ReadonlyMap<string, { user_id: string; user_name: string }>

/** Pupils of the importer's classes by their number. */
export async function pupilsByNumber(step: ReadStep<AccessDb>, numbers: readonly string[]): Promise<Pupils> {
  const { db, school_id } = step
  const scopes = { student: await visibleDepts(step, 'student'), staff: await visibleDepts(step, 'staff') }
  const { rows } = await sql<{ user_id: string; user_name: string; user_no: string }>`
    select l.user_id::text, l.user_name, l.user_no from live_person l
    where l.school_id = ${school_id} and l.person_kind = 1 and ${isSeen(scopes)} and l.user_no = any(${[...numbers]}::text[])`.execute(db)
  return new Map(rows.map(({ user_no, ...pupil }) => [user_no, pupil]))
}

/** A number is somebody of the school, and the name beside it is his. */
export function pupilIssues(pupils: Pupils, { no, name }: { no: string; name: string }): Issue[] {
  const pupil = pupils.get(no)
  if (!pupil) return [{ prop: 'no', msg: '人员不存在' }]
  return pupil.user_name === name ? [] : [{ prop: 'name', msg: '姓名与编号不一致' }]
}
