import { addWork } from '@campus/jobs/server'
import type { WorkKind } from '@campus/jobs/server'
import type { FieldFacet } from '@campus/people/contract'
import type { SchoolViews } from '@campus/school/server'
import { asTables } from '@kit/server/db'
import type { Boot } from '@kit/server/http'
import { sql } from 'kysely'
import type { PeopleDb } from '../db.ts'
import type { FieldDesk } from './ext.ts'
import { readFieldDefs, writeExts } from './field.queries.ts'
import { isKeptSealed, openValue, sealValue } from './sealed-value.ts'

const work_kind = 'people_reseal'
const active = 2
const facets = ['student', 'staff'] as const

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

/** Seals what still lies open in fields that are kept sealed, archived ones included: written before there were seals, or brought back by an old backup. */
export const resealWork: WorkKind = {
  kind: work_kind,
  async run(handle, { app, school_id }) {
    const db = asTables<PeopleDb>(handle)
    for (const facet of facets) {
      for (const field of await readFieldDefs(db, school_id, facet)) if (isKeptSealed(field)) await resealValues({ db, app, school_id }, facet, field)
    }
  },
}

/** Has every school looked through once, at each start: whatever brought old values back, they lie open no longer than that. */
export async function planReseal({ app, database }: Pick<Boot, 'app' | 'database'>): Promise<void> {
  await database.tenant<SchoolViews, void>(0, async db => {
    const schools = await db.selectFrom('school_state_v').select('school_id').where('state', '=', active).execute()
    for (const { school_id } of schools) await addWork(db, { school_id, kind: work_kind, ref: 'start', due_at: app.clock.now() })
  })
}
