import { placeFigures } from '@campus/people/contract'
import type { FreshmanState, SeasonDraft } from '@campus/people/contract'
import { insertRows } from '../bulk.ts'
import { oneOf } from '../dated.ts'
import type { Db } from '../db.ts'
import { sealIdNo } from '../id-number.ts'
import type { IdKeys, SealedIdNo } from '../id-number.ts'
import { formFields } from './season.fields.ts'
import { seedHash } from './season.service.ts'

/** An application as a school is made with it; who has arrived has a class and, as a pupil, a user id. */
export type NewFreshman = {
  id: string
  user_name: string
  sex: string
  /** as text, or as it is sealed in the file of the pupil */
  id_no: string | Pick<SealedIdNo, 'id_no_mask'> & { id_no_enc: Buffer | null; id_no_idx: Buffer | null }
  birthday: string | null
  guardian: string
  mobile: string
  relation: string
  values: Record<string, string>
  state: FreshmanState
  score: number | null
  reason: string | null
  dept_id: string | null
  user_id: string | null
  applied_at: Date
}
/** A season that was placed: what it is, its secrets, who applied, and the classes by name. */
export type NewSeason = { draft: SeasonDraft; register_key: string; lottery_seed: string; placed_at: Date; freshmen: readonly NewFreshman[]; class_names: ReadonlyMap<string, string> }

/** Pupils of these classes as they would have applied, with their first contact. One plain query a table: of tables that have just grown no planner knows anything. */
export async function asApplied(db: Db, school_id: number, dept_ids: readonly string[]) {
  const pupils = await db.selectFrom('live_student').select(['user_id', 'dept_id', 'sex', 'student_no']).where('school_id', '=', school_id).where(oneOf('dept_id', dept_ids)).execute()
  const ids = pupils.flatMap(({ user_id }) => user_id ?? [])
  const links = await db.selectFrom('guardian_link').select(['student_user_id', 'parent_user_id', 'relation']).where('school_id', '=', school_id).where(oneOf('student_user_id', ids)).where('is_first', '=', true).where('valid_to', 'is', null).execute()
  const found = await db.selectFrom('person').select(['user_id', 'user_name', 'birthday', 'mobile', 'id_no_enc', 'id_no_idx', 'id_no_mask']).where('school_id', '=', school_id).where(oneOf('user_id', [...ids, ...links.map(link => link.parent_user_id)])).execute()
  const people = new Map(found.map(person => [person.user_id, person]))
  const contacts = new Map(links.map(link => [link.student_user_id, { relation: link.relation, ...people.get(link.parent_user_id) }]))
  return pupils.toSorted((x, y) => (x.student_no ?? '').localeCompare(y.student_no ?? '')).flatMap(({ user_id, dept_id, sex }) => {
    const [person, contact] = [people.get(user_id ?? ''), contacts.get(user_id ?? '')]
    if (!person || !contact) return []
    const { user_name, birthday, id_no_enc, id_no_idx, id_no_mask } = person
    return [{ user_id, dept_id, sex: sex ?? '0', user_name, birthday, guardian: contact.user_name ?? '', mobile: contact.mobile ?? '', relation: contact.relation, id_no: { id_no_enc, id_no_idx, id_no_mask: id_no_mask ?? '' } }]
  })
}

/** Makes a season with an adopted placement, without a word in the journal: for schools that are made whole. */
export async function createSeason(db: Db, keys: IdKeys, school_id: number, { draft, register_key, lottery_seed, placed_at, freshmen, class_names }: NewSeason): Promise<void> {
  const { form_fields, materials, class_plan, number_rule, open_at, close_at, id: _id, row_version: _version, ...facts } = draft
  const { id: season_id } = await db.insertInto('freshmen_season').values({
    school_id, ...facts, register_key, state: 'placed', open_at: new Date(open_at), close_at: new Date(close_at), form_fields: JSON.stringify(formFields(form_fields)), materials: JSON.stringify(materials),
    class_plan: JSON.stringify(class_plan), number_rule: JSON.stringify(number_rule), next_number: number_rule.start, lottery_seed, lottery_seed_hash: seedHash(lottery_seed),
  }).returning('id').executeTakeFirstOrThrow()
  await insertRows(db, 'freshmen_apply', freshmen.map(({ dept_id, mobile, id_no, values, score, applied_at, ...child }, at) => ({
    ...child, school_id, season_id, ...(typeof id_no === 'string' ? sealIdNo(keys, school_id, id_no) : id_no), id_type: '1', guardian_mobile: mobile, values: JSON.stringify(values), score: score === null ? null : String(score), target_dept_id: dept_id,
    apply_no: `F${applied_at.toISOString().slice(0, 10).replaceAll('-', '')}${String(100_000 + at * 37).slice(0, 6)}`, applied_at, updated_at: applied_at,
  })))
  const children = freshmen.filter(({ dept_id }) => dept_id !== null).map(({ id, user_name, sex, score, dept_id, values }) => (
    { id, user_name, is_boy: sex === '1', score, twin_group: null, apart_group: null, fixed: dept_id, is_left_behind: false, is_boarder: values.board === '1' }
  ))
  const places = children.flatMap(({ id, fixed }) => (fixed === null ? [] : [{ id, dept_id: fixed }]))
  const classes = [...class_names].map(([dept_id, dept_name]) => ({ dept_id, dept_name, room: children.length }))
  const figures = placeFigures(children, classes, id => children.find(child => child.id === id)?.fixed ?? undefined)
  await insertRows(db, 'freshmen_place_run', [{ school_id, season_id, seed: lottery_seed, input_hash: seedHash(JSON.stringify(places)), result: JSON.stringify({ places, moved: [] }), metrics: JSON.stringify(figures), state: 'adopted', created_at: placed_at, adopted_at: placed_at }])
}
