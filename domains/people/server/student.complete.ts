import { registry, student_missing } from '@campus/people/contract'
import type { StudentMissing } from '@campus/people/contract'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { validOn } from './dated.ts'

type Of = { school_id: number; on: string }

/** How full the file of pupil `s`, person `p` is on the day, in per cent (chapter 20 §10.5). */
export function completeness(of: Of): RawBuilder<number> {
  const columns = student_missing.flatMap(field => (field === 'guardian' ? [] : columnOf(field)))
  return sql<number>`round(100.0 * (num_nonnulls(${sql.join(columns)}) + ${hasGuardian(of)}::int) / ${student_missing.length}::int)::int`
}

/** Does the file lack one of these? */
export function lacks(of: Of, fields: readonly StudentMissing[]): RawBuilder<boolean> {
  return sql<boolean>`(${sql.join(fields.map(field => (field === 'guardian' ? sql`not ${hasGuardian(of)}` : sql`${columnOf(field)} is null`)), sql` or `)})`
}

function columnOf(field: Exclude<StudentMissing, 'guardian'>): RawBuilder<unknown> {
  if (field === 'photo') return sql.ref('p.photo_file_key')
  if (field === 'id_no') return sql.ref('p.id_no_mask')
  return sql.ref(`${registry[field].home === 'person' ? 'p' : 's'}.${field}`)
}

function hasGuardian({ school_id, on }: Of): RawBuilder<boolean> {
  return sql<boolean>`exists (select from guardian_link g where g.school_id = ${school_id} and g.student_user_id = s.user_id and ${validOn('g', on)})`
}
