import { checkIdNo, idNotices, peopleErrors, staff_props, staff_registry } from '@campus/people/contract'
import type { FileNotice, IdFacts, StaffProp } from '@campus/people/contract'
import type { ArchiveChange } from '@campus/audit/server'
import { isSameName, maskName, parseIdCard } from '@kit/contract/checks'
import type { PeopleCtx } from '../db.ts'
import { holdersOf } from '../guardian.create.ts'
import { indexIdNo, openIdNo } from '../id-number.ts'
import { shownValue } from '../import/field.ts'
import { idOwners } from '../import/student.snapshot.ts'
import { departedOf } from '../mobile.release.ts'
import type { Departed } from '../mobile.release.ts'
import { invalid } from '../student-file.trouble.ts'
import type { Trouble } from '../student-file.trouble.ts'
import { dictionaryNames, facetsOf, staffNoOwners } from './staff-file.queries.ts'
import type { KnownStaff } from './staff-file.queries.ts'

/** What a draft or patch says of the fields; absent = nothing, null empties. */
export type StaffSaid = Partial<Record<StaffProp, string | null>>
/** Names of dictionary codes by `TYPE:code`. */
export type StaffWords = ReadonlyMap<string, string>
export type StaffJudged = { values: StaffSaid; troubles: Trouble[]; warnings: FileNotice[] }

const resident_card = '1'
const parent_number = /^P[0-9]+$/i

/** The dictionaries of the file. */
export function staffWords({ db, school_id }: Pick<PeopleCtx, 'db' | 'school_id'>): Promise<StaffWords> {
  return dictionaryNames(db, school_id, [...new Set([...staff_props.flatMap(prop => staff_registry[prop].dict ?? []), 'STAFF_STATE'])])
}

/** Judges what is said against dictionaries, calendar and the known file (null for a new one). */
export function judgeStaffValues({ app, school_id }: PeopleCtx, said: StaffSaid, known: KnownStaff | null, { words, today }: { words: StaffWords; today: string }): StaffJudged {
  const values: StaffSaid = {}
  const troubles: Trouble[] = []
  for (const prop of staff_props) {
    const value = said[prop]
    if (value === undefined) continue
    const { dict, kind } = staff_registry[prop]
    if (value !== null && dict !== undefined && !words.has(`${dict}:${value}`)) troubles.push(invalid(prop, '字典值不存在'))
    else if (value !== null && kind === 'date' && value > today) troubles.push(invalid(prop, '格式不正确'))
    else values[prop] = value
  }
  const kept = known?.id_no_enc ? openIdNo(app.secrets, school_id, known.id_no_enc) : null
  const facts: IdFacts = { sex: values.sex ?? known?.sex, birthday: pick(values.birthday, known?.birthday), id_type: pick(values.id_type, known?.id_type), id_no: pick(values.id_no, kept) }
  if (values.id_no !== undefined || values.id_type !== undefined) troubles.push(...documentTroubles(facts, today))
  const card = values.id_no && facts.id_type === resident_card ? parseIdCard(values.id_no) : null
  if (card?.birthday && !facts.birthday) values.birthday = card.birthday
  const is_about_id = [values.id_no, values.id_type, values.sex, values.birthday].some(value => value !== undefined)
  return { values, troubles, warnings: is_about_id ? idNotices(facts) : [] }
}

function pick(said: string | null | undefined, known: string | null | undefined): string | null | undefined {
  return said === undefined ? known : said
}

function documentTroubles({ id_type, id_no }: IdFacts, today: string): Trouble[] {
  if (!id_type && !id_no) return []
  if (!id_no || !id_type) return [invalid(id_no ? 'id_type' : 'id_no', '不能为空')]
  const wrong = checkIdNo(id_no, id_type, today)
  return wrong === null ? [] : [invalid('id_no', wrong)]
}

/** Somebody of the school who becomes staff by this draft: a guardian with the same mobile and name (chapter 20 rule 16). */
type Joined = { user_id: string } | null

/** What stands in the way, who becomes staff by this, and who has left and would give up his number to it once that is confirmed. */
type Taken = { troubles: Trouble[]; joined: Joined; departed: Departed[] }

/** Numbers that belong to somebody else; a guardian of the same mobile and name is the same person. @param may_release asks for the number of somebody who has left */
export async function staffTaken(ctx: PeopleCtx, values: StaffSaid, known: KnownStaff | null, { today, may_release }: { today: string; may_release: boolean }): Promise<Taken> {
  const { db, school_id, app } = ctx
  const { teacher_no, mobile, id_no } = values
  const troubles: Trouble[] = []
  const owners = teacher_no ? await staffNoOwners(db, school_id, teacher_no) : {}
  if (owners.staff && owners.staff !== known?.user_id) troubles.push({ failure: await goneOr(ctx, owners.staff, today, peopleErrors.teacherNoTaken), field: 'teacher_no' })
  if (teacher_no && (owners.pupil || parent_number.test(teacher_no))) troubles.push({ failure: peopleErrors.userNoTaken, field: 'teacher_no' })
  const holder = mobile ? (await holdersOf(db, school_id, [mobile])).get(mobile) : undefined
  const mine = values.user_name ?? known?.user_name ?? ''
  const facets = holder ? await facetsOf(db, school_id, holder.user_id, today) : null
  const joins = !known && holder !== undefined && isSameName(holder.user_name, mine) && facets !== null && !facets.is_staff && !facets.is_pupil
  const is_other = holder !== undefined && holder.user_id !== known?.user_id && !joins
  const gives_up = is_other && may_release && !isSameName(holder.user_name, mine) && (await departedOf(db, school_id, [holder.user_id], today)).has(holder.user_id)
  if (is_other && !gives_up) {
    const failure = facets?.is_staff && !facets.is_here ? peopleErrors.staffDeparted : peopleErrors.mobileTaken
    troubles.push({ failure, field: 'mobile', holder: { field: 'mobile', user_name: maskName(holder.user_name), mine: maskName(mine) } })
  }
  const joined = joins && holder ? { user_id: holder.user_id } : null
  const owner = id_no ? (await idOwners(db, school_id, [indexIdNo(app.secrets, id_no).toString('hex')])).values().next().value : undefined
  if (owner !== undefined && owner !== known?.user_id && owner !== joined?.user_id) troubles.push({ failure: await goneOr(ctx, owner, today, peopleErrors.idNoTaken), field: 'id_no' })
  return { troubles, joined, departed: gives_up ? [{ field: 'mobile', ...holder }] : [] }
}

async function goneOr<T>({ db, school_id }: PeopleCtx, user_id: string, today: string, otherwise: T): Promise<T | typeof peopleErrors.staffDeparted> {
  const { is_staff, is_here } = await facetsOf(db, school_id, user_id, today)
  return is_staff && !is_here ? peopleErrors.staffDeparted : otherwise
}

/** What changes for the journal and for the eye: names instead of codes, protected values masked. */
export function staffChanges({ app }: PeopleCtx, values: StaffSaid, known: KnownStaff | null, words: StaffWords): ArchiveChange[] {
  return staff_props.flatMap(prop => {
    const after = values[prop]
    if (after === undefined) return []
    const is_same = prop === 'id_no' ? sameIdNo(app.secrets, after, known) : after === (known ? known[prop] : null)
    return is_same ? [] : [{ field: prop, label: staff_registry[prop].label, before: known ? shownStaff(prop, known, words) : null, after: shown(prop, after, words) }]
  })
}

/** A known value as it may be shown. */
export function shownStaff(prop: StaffProp, known: KnownStaff, words: StaffWords): string {
  return prop === 'id_no' ? (known.id_no_mask ?? '') : shown(prop, known[prop], words)
}

/** Any value as it may be shown. */
export function shown(prop: StaffProp, value: string | null, words: StaffWords): string {
  const { dict } = staff_registry[prop]
  return value === null ? '' : shownValue(prop, value, dict === undefined ? undefined : words.get(`${dict}:${value}`))
}

function sameIdNo(keys: Parameters<typeof indexIdNo>[0], after: string | null, known: KnownStaff | null): boolean {
  return after === null ? !known?.id_no_idx : (known?.id_no_idx?.equals(indexIdNo(keys, after)) ?? false)
}
