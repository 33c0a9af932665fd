import { relation_sex } from '@campus/people/contract'
import { isSameName } from '@kit/contract/checks'
import { insertMany } from '@kit/server/db'
import { sql } from 'kysely'
import { ensureAccounts } from './account.ts'
import { insertRows } from './bulk.ts'
import type { Db } from './db.ts'
import type { IdKeys } from './id-number.ts'
import { fillIdNumbers } from './parent.update.ts'
import { personRow } from './person.create.ts'
import type { Origin } from './person.create.ts'

/** A guardian to be linked to a pupil from the day `from`; the mobile says who the guardian is (chapter 20 rule 16). */
export type NewGuardian = {
  student_user_id: string
  user_name: string
  mobile: string
  relation: string
  is_first: boolean
  is_guardian: boolean
  can_pickup?: boolean
  order_no?: number
  from: string
  id_type?: string | null
  id_no?: string | null
  work?: string | null
  edu?: string | null
}

type Holder = { user_id: string; user_name: string }

const parent_kind = 3
const resident_card = '1'

/**
 * Links guardians in bulk. A person of the school who holds the mobile and has the same name joins (brothers and sisters,
 * teachers who are parents); nobody holds it: a new person; somebody of another name holds it: nothing is done for that row.
 * @returns per row the user id of the guardian, null where the mobile belongs to another name
 */
export async function linkGuardians(db: Db, keys: IdKeys, school_id: number, rows: readonly NewGuardian[], origin: Origin = {}): Promise<(string | null)[]> {
  const holders = await holdersOf(db, school_id, rows.map(row => row.mobile))
  const known = new Set(holders.keys())
  const fresh = firstOfEach(rows.filter(row => !known.has(row.mobile)))
  const made = await createParents(db, keys, school_id, fresh, origin)
  for (const [mobile, holder] of made) holders.set(mobile, holder)
  const ids = rows.map(row => {
    const holder = holders.get(row.mobile)
    return holder && isSameName(holder.user_name, row.user_name) ? holder.user_id : null
  })
  await addFacets(db, school_id, rows, ids)
  const joined = rows.map((row, at) => ({ user_id: ids[at] ?? '', id_no: row.id_no ?? null, id_type: row.id_type ?? null, is_known: known.has(row.mobile) }))
  await fillIdNumbers(db, keys, school_id, joined.filter(({ user_id, is_known }) => is_known && user_id !== ''), { by: origin.by, at: origin.at ?? new Date() })
  const links = rows.flatMap((row, at) => linkRow(school_id, row, ids[at] ?? null, origin))
  await insertRows(db, 'guardian_link', links)
  return ids
}

/** The living person who holds each mobile; mobiles nobody holds are absent. */
export async function holdersOf(db: Db, school_id: number, mobiles: readonly string[]): Promise<Map<string, Holder>> {
  const found = await db
    .selectFrom('person')
    .select(['user_id', 'user_name', 'mobile'])
    .where('school_id', '=', school_id)
    .where('status', '=', 'live')
    .where(sql<boolean>`mobile = any(${[...new Set(mobiles)]}::bpchar[])`)
    .execute()
  return new Map(found.flatMap(({ mobile, ...holder }) => (mobile === null ? [] : [[mobile, holder] as const])))
}

function firstOfEach(rows: readonly NewGuardian[]): NewGuardian[] {
  const first = new Map<string, NewGuardian>()
  for (const row of rows) if (!first.has(row.mobile)) first.set(row.mobile, row)
  return [...first.values()]
}

async function createParents(db: Db, keys: IdKeys, school_id: number, rows: readonly NewGuardian[], origin: Origin): Promise<[string, Holder][]> {
  const ids = await ensureAccounts(db, school_id, rows.map(row => ({ user_no: null, user_name: row.user_name, user_kind: parent_kind })))
  const people = rows.map((row, at) => {
    const { user_name, mobile, id_no = null } = row
    const id_type = row.id_type ?? (id_no ? resident_card : null)
    return personRow(keys, school_id, ids[at] ?? '', { user_name, mobile, id_no, id_type, sex: relation_sex[row.relation] }, origin)
  })
  await insertRows(db, 'person', people)
  return rows.map((row, at) => [row.mobile, { user_id: ids[at] ?? '', user_name: row.user_name }])
}

async function addFacets(db: Db, school_id: number, rows: readonly NewGuardian[], ids: readonly (string | null)[]): Promise<void> {
  const facets = new Map<string, { school_id: number; user_id: string; work: string | null; edu: string | null }>()
  rows.forEach((row, at) => {
    const user_id = ids[at]
    if (!user_id) return
    const seen = facets.get(user_id)
    facets.set(user_id, { school_id, user_id, work: seen?.work ?? row.work ?? null, edu: seen?.edu ?? row.edu ?? null })
  })
  // What is known stays; what is not known is filled in.
  await insertMany(db, 'parent', [...facets.values()], { columns: ['school_id', 'user_id'], fill: ['work', 'edu'] })
}

function linkRow(school_id: number, row: NewGuardian, parent_user_id: string | null, origin: Origin) {
  if (parent_user_id === null) return []
  const { student_user_id, relation, is_first, is_guardian, can_pickup = true, order_no = 1, from } = row
  const batch_no = origin.batch_no ?? null
  return [{ school_id, student_user_id, parent_user_id, relation, is_first, is_guardian, can_pickup, order_no, valid_from: from, batch_no }]
}
