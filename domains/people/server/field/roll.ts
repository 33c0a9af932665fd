import { peopleErrors, shownCustom } from '@campus/people/contract'
import type { FieldFacet } from '@campus/people/contract'
import { fail } from '@kit/contract'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { oneOf } from '../dated.ts'
import { liveFields, readExt, storedValue } from './ext.ts'
import type { FieldDesk, LiveField } from './ext.ts'
import { isKeptSealed } from './sealed-value.ts'

/**
 * The condition of a roll filter `code:value` on pupils or staff `s`: the value, or one of several chosen, is this one; with no value, nothing is filled.
 * @throws Refusal 422 fieldGone for a field that the roll does not offer, or whose values are sensitive
 */
export async function extFits(desk: FieldDesk, facet: FieldFacet, asked: string): Promise<RawBuilder<boolean>> {
  const [code = '', value = ''] = asked.split(/:(.*)/s)
  const field = (await liveFields(desk, facet)).find(one => one.field_code === code && one.in_index)
  if (!field || (value !== '' && isKeptSealed(field))) throw fail(peopleErrors.fieldGone)
  if (value === '') return sql<boolean>`not jsonb_exists(s.ext, ${code}::text)`
  return sql<boolean>`coalesce(${storedValue(field, value)}::text = any(string_to_array(s.ext ->> ${code}::text, '、')), false)`
}

/** What the columns of the list, or of its export, say of these people, by person and code; sensitive values masked. */
export async function extOf(desk: FieldDesk, facet: FieldFacet, user_ids: readonly string[], offered: 'in_index' | 'in_export' = 'in_index'): Promise<Map<string, Record<string, string>>> {
  const { db, school_id } = desk
  const fields = (await liveFields(desk, facet)).filter(field => field[offered])
  if (fields.length === 0 || user_ids.length === 0) return new Map()
  const rows = await db.selectFrom(facet).select(['user_id', 'ext']).where('school_id', '=', school_id).where(oneOf('user_id', [...user_ids])).execute()
  return new Map(rows.map(row => [row.user_id, shownOf(fields, readExt(row.ext, fields))]))
}

function shownOf(fields: readonly LiveField[], ext: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(fields.flatMap(field => {
    const value = ext[field.field_code]
    return value === undefined ? [] : [[field.field_code, shownCustom(field, value)]]
  }))
}
