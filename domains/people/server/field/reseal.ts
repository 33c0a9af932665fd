import type { FieldFacet } from '@campus/people/contract'
import { sql } from 'kysely'
import type { FieldDesk } from './ext.ts'
import { writeExts } from './field.queries.ts'
import { isKeptSealed, openValue, sealValue } from './sealed-value.ts'

/** Brings the values of a field to the way it keeps them now: sealed once it is sensitive, open again once it is not. */
export async function resealValues({ db, school_id, app: { secrets } }: FieldDesk, facet: FieldFacet, field: { field_code: string; level: number; type: string }): Promise<void> {
  const { field_code } = field
  const { rows } = await sql<{ user_id: string; stored: string }>`
    select s.user_id::text, s.ext ->> ${field_code}::text as stored from ${sql.table(facet)} s where s.school_id = ${school_id} and jsonb_exists(s.ext, ${field_code}::text)`.execute(db)
  const is_sealed = isKeptSealed(field)
  const moved = rows.flatMap(({ user_id, stored }) => {
    const value = openValue(secrets, school_id, stored)
    // What opens as itself lies open.
    return (value !== stored) === is_sealed ? [] : [{ user_id, said: { [field_code]: is_sealed ? sealValue(secrets, school_id, value) : value } }]
  })
  await writeExts(db, { school_id, facet }, moved)
}
