import { field_scenes, FieldLine } from '@campus/people/contract'
import type { FieldFacet } from '@campus/people/contract'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { FieldDesk } from './ext.ts'
import { isKeptSealed, sealValue } from './sealed-value.ts'

/** A custom field with what stands in it, by user_id. */
export type NewField = { line: z.input<typeof FieldLine>; values: ReadonlyMap<string, string> }

/** Makes custom fields of a facet in this order and fills them, without a word in the journal: for schools that are made whole. */
export async function createFields({ db, school_id, app }: FieldDesk, facet: FieldFacet, fields: readonly NewField[]): Promise<void> {
  for (const [at, { line, values }] of fields.entries()) {
    const { id: _, row_version: __, ...look } = FieldLine.parse(line)
    await db.insertInto('field_def').values({ school_id, field_scene: field_scenes[facet], order_no: at + 1, ...look }).execute()
    const rows = JSON.stringify([...values].map(([user_id, value]) => ({ user_id, ext: { [look.field_code]: isKeptSealed(look) ? sealValue(app.secrets, school_id, value) : value } })))
    await sql`
      update ${sql.table(facet)} s set ext = s.ext || x.ext
      from jsonb_to_recordset(${rows}::jsonb) x(user_id bigint, ext jsonb)
      where s.school_id = ${school_id} and s.user_id = x.user_id`.execute(db)
  }
}
