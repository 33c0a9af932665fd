import type { ArchiveChange } from '@campus/audit/server'
import { ensureUsers } from '@campus/identity/server'
import { checkIdNo, guardian_registry, idNotices, peopleErrors } from '@campus/people/contract'
import type { FileNotice, GuardianEntry, GuardianProp } from '@campus/people/contract'
import { fail } from '@kit/contract'
import { isSameName, maskName } from '@kit/contract/checks'
import { parentNo } from './account.ts'
import type { PeopleCtx } from './db.ts'
import { holdersOf, linkGuardians } from './guardian.create.ts'
import type { GuardianPlan } from './guardian.plan.ts'
import { changeLinks, endLinks } from './guardian.update.ts'
import type { LinkState } from './guardian.update.ts'
import { indexIdNo, sealIdNo } from './id-number.ts'
import { shownValue } from './import/field.ts'
import { yesNo } from './import/guardian.judge.ts'
import { idOwners } from './import/student.snapshot.ts'
import type { PeopleWords } from './import/words.ts'
import { departedOf, releaseNotice } from './mobile.release.ts'
import type { Departed } from './mobile.release.ts'
import { nameIndex } from './name-index.ts'
import type { FileLink } from './student-file.queries.ts'
import { invalid } from './student-file.trouble.ts'
import type { Trouble } from './student-file.trouble.ts'

type Plan = GuardianPlan<FileLink>
type Holder = { user_id: string; user_name: string }
/** One person as a line of the request will make him: whose number it is, and whom the line means. */
type Told = { at: number; user_name: string; mobile?: string; id_type?: string | null; id_no?: string | null; relation?: string; edu?: string | null; own?: FileLink }
/** A guardian whose row in the journal is due. */
export type TouchedGuardian = { user_id: string; user_name: string; changes: ArchiveChange[] }

const parent_kind = 3
const resident_card = '1'
/** Whoever may make one of two files may know which the other one is. */
const merge_code = 'people.merge.run'

/** What is wrong with the planned guardians, what to confirm, and whose numbers that takes from him. */
type JudgedGuardians = { troubles: Trouble[]; warnings: FileNotice[]; departed: Departed[] }

/** What is wrong with the planned guardians in the school: dictionaries, documents, mobiles and numbers of other people; and what to confirm. */
export async function judgeGuardians({ db, school_id, app, me }: PeopleCtx, plan: Plan, words: PeopleWords): Promise<JudgedGuardians> {
  const told = [...plan.added.map(({ at, draft }) => ({ at, ...draft })), ...plan.rewritten.map(toldOf)]
  const holders = await holdersOf(db, school_id, told.flatMap(({ mobile }) => mobile ?? []))
  const gone = await departedOf(db, school_id, [...holders.values()].map(holder => holder.user_id), words.today)
  const departed = told.flatMap(one => departedHolder(one, one.mobile === undefined ? undefined : holders.get(one.mobile), gone))
  const index = (id_no: string) => indexIdNo(app.secrets, id_no).toString('hex')
  const owners = await idOwners(db, school_id, told.flatMap(({ id_no }) => (id_no ? [index(id_no)] : [])))
  const troubles = told.flatMap(one => {
    const named = one.mobile === undefined ? undefined : holders.get(one.mobile)
    const holder = departed.some(({ user_id }) => user_id === named?.user_id) ? undefined : named
    const owner = one.id_no ? owners.get(index(one.id_no)) : undefined
    return [...codeTroubles(one, words), ...holderTroubles(one, holder, me.codes.has(merge_code)), ...ownerTroubles(one, owner, holder)]
  })
  const warnings = told.flatMap(({ at, id_no, id_type }) => idNotices({ id_no, id_type: id_type ?? resident_card }).map(({ field, msg }) => ({ field: `parents.${at}.${field}`, msg })))
  return { troubles, warnings: [...departed.map(releaseNotice), ...warnings], departed }
}

/** A number of somebody who has left is given up to another one; the same name is himself. */
function departedHolder({ at, user_name, own }: Told, holder: Holder | undefined, gone: ReadonlySet<string>): Departed[] {
  const is_himself = own ? holder?.user_id === own.parent_user_id : holder !== undefined && isSameName(holder.user_name, user_name)
  return holder && !is_himself && gone.has(holder.user_id) ? [{ field: `parents.${at}.mobile`, ...holder }] : []
}

function toldOf({ at, entry, link }: Plan['rewritten'][number]): Told {
  const { user_name = link.user_name, mobile, id_type = link.id_type, id_no, relation, edu } = entry
  return { at, user_name, mobile: mobile === link.mobile ? undefined : mobile, id_type, id_no, relation, edu, own: link }
}

function codeTroubles({ at, id_type, id_no, relation, edu }: Told, words: PeopleWords): Trouble[] {
  const codes = { relation, edu, id_type }
  const unknown = (['relation', 'edu', 'id_type'] as const).filter(prop => codes[prop] && !words.names.get(guardian_registry[prop].dict ?? '')?.has(codes[prop]))
  const wrong = id_no ? checkIdNo(id_no, id_type ?? resident_card, words.today) : null
  const troubles = unknown.map(prop => invalid(`parents.${at}.${prop}`, '字典值不存在'))
  return wrong === null ? troubles : [...troubles, invalid(`parents.${at}.id_no`, wrong)]
}

/** One mobile is one person: a new line joins who has the same name; an edit takes over nobody's number (rule 16). */
function holderTroubles({ at, user_name, own }: Told, holder: Holder | undefined, may_merge: boolean): Trouble[] {
  if (!holder || (own ? holder.user_id === own.parent_user_id : isSameName(holder.user_name, user_name))) return []
  const field = `parents.${at}.mobile`
  const who = may_merge ? { user_id: holder.user_id, ...(own ? { mine_user_id: own.parent_user_id } : {}) } : {}
  return [{ failure: peopleErrors.mobileTaken, field, holder: { field, user_name: maskName(holder.user_name), mine: maskName(user_name), ...who } }]
}

function ownerTroubles({ at, own }: Told, owner: string | undefined, holder: Holder | undefined): Trouble[] {
  const person = own?.parent_user_id ?? holder?.user_id
  return owner === undefined || owner === person ? [] : [{ failure: peopleErrors.idNoTaken, field: `parents.${at}.id_no` }]
}

/** The people whom the plan will write, to be locked. */
export async function guardiansToLock({ db, school_id }: Pick<PeopleCtx, 'db' | 'school_id'>, links: readonly FileLink[], entries: readonly GuardianEntry[]): Promise<string[]> {
  const holders = await holdersOf(db, school_id, entries.flatMap(entry => entry.mobile ?? []))
  const named = links.filter(link => entries.some(entry => entry.user_id === link.parent_user_id)).map(link => link.parent_user_id)
  return [...named, ...[...holders.values()].map(holder => holder.user_id)]
}

/** The pupil whose guardians are written, and who they are now. */
export type Ward = { user_id: string; user_name: string; links: readonly FileLink[] }

/** Writes the plan for one pupil from the day `on`. @returns everybody whose file it touched, for the journal */
export async function applyGuardians(ctx: PeopleCtx, ward: Ward, plan: Plan, words: PeopleWords, on: string): Promise<TouchedGuardian[]> {
  const { db, school_id } = ctx
  await endLinks(db, school_id, plan.ended, on)
  await changeLinks(db, school_id, plan.changed, on, null)
  for (const one of plan.rewritten) await rewrite(ctx, one)
  const added = await linkAdded(ctx, ward.user_id, plan, on)
  const child = (before: string | null, after: string | null) => [{ field: 'child', label: '孩子', before, after }]
  return [
    ...plan.ended.map(link => ({ user_id: link.parent_user_id, user_name: link.user_name, changes: child(ward.user_name, null) })),
    ...touchedKnown(ward, plan, words),
    ...added.map(({ user_id, user_name }) => ({ user_id, user_name, changes: child(null, ward.user_name) })),
  ]
}

async function linkAdded({ db, school_id, app, me, now }: PeopleCtx, student_user_id: string, { added }: Plan, from: string): Promise<Holder[]> {
  const rows = added.map(({ draft, is_first, is_guardian, can_pickup, order_no }) => ({ ...draft, student_user_id, is_first, is_guardian, can_pickup, order_no, from }))
  const ids = await linkGuardians(db, app.secrets, school_id, rows, { by: me.user_id, at: now })
  return rows.map(({ user_name }, at) => {
    const user_id = ids[at]
    // Somebody else took the mobile between the check and now.
    if (!user_id) throw fail(peopleErrors.mobileTaken)
    return { user_id, user_name }
  })
}

/** Name, numbers, work and education of a known guardian; the same for all children. */
async function rewrite({ db, school_id, app, me, now }: PeopleCtx, { entry, link }: Plan['rewritten'][number]): Promise<void> {
  const user_id = link.parent_user_id
  const { user_name = link.user_name, mobile = link.mobile, id_no, work = link.work, edu = link.edu } = entry
  const id_type = entry.id_type === undefined ? (id_no ? (link.id_type ?? resident_card) : link.id_type) : entry.id_type
  const sealed = id_no ? sealIdNo(app.secrets, school_id, id_no) : id_no === null ? { id_no_enc: null, id_no_idx: null, id_no_mask: null } : {}
  await db
    .updateTable('person')
    .set(eb => ({ user_name, ...nameIndex(user_name), mobile, id_type, ...sealed, updated_at: now, updated_by: me.user_id, row_version: eb('row_version', '+', 1) }))
    .where('school_id', '=', school_id)
    .where('user_id', '=', user_id)
    .execute()
  await db.updateTable('parent').set({ work, edu }).where('school_id', '=', school_id).where('user_id', '=', user_id).execute()
  if (user_name !== link.user_name) await ensureUsers(db, school_id, [{ user_id, user_no: parentNo(user_id), user_name, user_kind: parent_kind }])
}

/** Guardians who stay and of whom something changed. */
function touchedKnown({ links }: Ward, { changed, rewritten }: Plan, words: PeopleWords): TouchedGuardian[] {
  return links.flatMap(link => {
    const state = changed.find(one => one.parent_user_id === link.parent_user_id)
    const entry = rewritten.find(one => one.link === link)?.entry
    const changes = [...(entry ? personChanges(entry, link, words) : []), ...(state ? linkChanges(state, link, words) : [])]
    return changes.length === 0 ? [] : [{ user_id: link.parent_user_id, user_name: entry?.user_name ?? link.user_name, changes }]
  })
}

function linkChanges(state: LinkState, link: FileLink, words: PeopleWords): ArchiveChange[] {
  const flags = [['is_first', '是否第一联系人'], ['is_guardian', '是否监护人'], ['can_pickup', '是否可接送']] as const
  const relation = state.relation === link.relation ? [] : [{ field: 'relation', label: '关系', before: relationName(link.relation, words), after: relationName(state.relation, words) }]
  const changed = flags.filter(([prop]) => state[prop] !== link[prop])
  return [...relation, ...changed.map(([field, label]) => ({ field, label, before: yesNo(link[field]), after: yesNo(state[field]) }))]
}

function personChanges(entry: GuardianEntry, link: FileLink, words: PeopleWords): ArchiveChange[] {
  const said = (['user_name', 'mobile', 'id_type', 'id_no', 'work', 'edu'] as const).filter(prop => entry[prop] !== undefined)
  return said.flatMap(prop => {
    const before = prop === 'id_no' ? (link.id_no_mask ?? '') : shownGuardian(prop, link[prop], words)
    const after = shownGuardian(prop, entry[prop] ?? null, words)
    return before === after ? [] : [{ field: prop, label: guardian_registry[prop].label, before, after }]
  })
}

/** A value of a guardian as it may be shown. */
function shownGuardian(prop: GuardianProp, value: string | null, { names }: PeopleWords): string {
  const { dict } = guardian_registry[prop]
  return value === null ? '' : shownValue(prop, value, dict === undefined ? undefined : names.get(dict)?.get(value))
}

/** `王志强(父亲)、李秀芳(母亲)`: all guardians in one text. */
export function guardiansText(links: readonly Pick<FileLink, 'user_name' | 'relation'>[], words: PeopleWords): string {
  return links.map(({ user_name, relation }) => `${user_name}(${relationName(relation, words)})`).join('、')
}

function relationName(code: string, { names }: PeopleWords): string {
  return names.get('PICKUP_RELATION')?.get(code) ?? code
}
