import type { ApplyRow, ApplyStep } from '@campus/jobs/server'
import { isSameName } from '@kit/contract/checks'
import { schoolDay } from '../day.ts'
import type { PeopleDb } from '../db.ts'
import { linkGuardians } from '../guardian.create.ts'
import type { NewGuardian } from '../guardian.create.ts'
import { changeLinks } from '../guardian.update.ts'
import type { LinkState } from '../guardian.update.ts'
import { fillParents } from '../parent.update.ts'
import type { ParentFill } from '../parent.update.ts'
import type { Touched } from './archive.ts'
import type { Placed } from './placed.ts'
import type { ParsedGuardian, ParsedStudent } from './student.parsed.ts'
import type { KnownLink, StudentSnapshot } from './student.snapshot.ts'

/** A guardian of a row with the link he already has, if any. */
type Said = { placed: Placed; guardian: ParsedGuardian; link: KnownLink | undefined }

/**
 * Leaves out rows that give a mobile another name than an earlier row of the same piece: the first one makes the person, the
 * others must be looked at again.
 */
export function withoutConflicts(rows: readonly ApplyRow<ParsedStudent>[], { holders }: StudentSnapshot): ApplyRow<ParsedStudent>[] {
  const names = new Map([...holders].map(([mobile, holder]) => [mobile, holder.user_name]))
  return rows.filter(({ parsed }) => {
    const fits = parsed.guardians.every(({ mobile, user_name }) => isSameName(names.get(mobile) ?? user_name, user_name))
    if (fits) for (const { mobile, user_name } of parsed.guardians) names.set(mobile, user_name)
    return fits
  })
}

/** Links, changes and fills in the guardians of a piece. @returns the parents for the journal, and the guardians of each pupil's row */
export async function applyGuardians(step: ApplyStep<PeopleDb>, placed: readonly Placed[], snapshot: StudentSnapshot): Promise<{ touched: Touched[]; parents: Map<string, string[]> }> {
  const { db, school_id, app, me, batch_no } = step
  const on = schoolDay(step.now)
  const said = placed.flatMap(one => one.row.parsed.guardians.map(guardian => ({ placed: one, guardian, link: linkOf(one, guardian, snapshot) })))
  const known = said.flatMap(one => (one.link ? [{ ...one, link: one.link }] : []))
  await changeLinks(db, school_id, known.flatMap(({ guardian, link }) => changedLink(guardian, link)), on, batch_no)
  await fillParents(db, app.secrets, school_id, known.map(({ guardian, link }) => fillOf(guardian, link)), { by: me.user_id, at: step.now })
  const fresh = said.filter(one => !one.link)
  const ids = await linkGuardians(db, app.secrets, school_id, fresh.map(one => newGuardian(one, on, snapshot)), { by: me.user_id, batch_no, at: step.now })
  const touched = [...fresh.map((one, at) => touchedParent(one, ids[at] ?? '')), ...known.filter(isChanged).map(one => touchedParent(one, one.link.parent_user_id))]
  const linked = [...fresh.map((one, at) => [one.placed.user_id, ids[at] ?? ''] as const), ...known.map(one => [one.placed.user_id, one.link.parent_user_id] as const)]
  return { touched: onePerPerson(touched), parents: new Map([...Map.groupBy(linked, ([pupil]) => pupil)].map(([pupil, list]) => [pupil, list.map(([, parent]) => parent)])) }
}

function linkOf({ user_id }: Placed, { mobile }: ParsedGuardian, { links }: StudentSnapshot): KnownLink | undefined {
  return links.get(user_id)?.find(link => link.mobile === mobile)
}

function changedLink({ relation, is_guardian }: ParsedGuardian, link: KnownLink): LinkState[] {
  if (relation === link.relation && is_guardian === link.is_guardian) return []
  const { id, student_user_id, parent_user_id, is_first, can_pickup, order_no, valid_from } = link
  return [{ id, student_user_id, parent_user_id, relation, is_first, is_guardian, can_pickup, order_no, valid_from }]
}

function fillOf({ work, id_no, id_idx }: ParsedGuardian, link: KnownLink): ParentFill {
  const is_new_id = id_idx !== null && id_idx !== link.id_no_idx?.toString('hex')
  return { user_id: link.parent_user_id, work: work === undefined ? link.work : work, edu: link.edu, id_no: is_new_id ? id_no : null, id_type: null }
}

/** Slot 1 is the first contact unless the pupil has one. */
function newGuardian({ placed, guardian }: Said, from: string, { links }: StudentSnapshot): NewGuardian {
  const { slot, user_name, mobile, relation, is_guardian, id_no, work } = guardian
  const held = links.get(placed.user_id) ?? []
  const is_first = slot === 1 && !held.some(link => link.is_first)
  return { student_user_id: placed.user_id, user_name, mobile, relation, is_guardian, id_no, work, is_first, order_no: held.length + slot, from }
}

function isChanged({ placed, guardian }: Said): boolean {
  return placed.row.judgement.diff.some(({ prop }) => prop.startsWith(`p${guardian.slot}_`))
}

function touchedParent({ placed, guardian }: Said, user_id: string): Touched {
  const child = placed.row.parsed.values.user_name ?? placed.known?.user_name ?? ''
  return { user_id, person_kind: 3, person_name: guardian.user_name, changes: [{ field: 'child', label: '孩子', before: null, after: child }] }
}

/** A parent of several children of the piece is told of once, with all of them. */
export function onePerPerson(touched: readonly Touched[]): Touched[] {
  return [...Map.groupBy(touched, person => person.user_id).values()].flatMap(([first, ...more]) => {
    return first ? [{ ...first, changes: [...first.changes, ...more.flatMap(person => person.changes)] }] : []
  })
}
