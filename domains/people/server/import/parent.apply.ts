import type { AppliedRow, ApplyRow, ApplyStep } from '@campus/jobs/server'
import { schoolDay } from '../day.ts'
import type { PeopleDb } from '../db.ts'
import { linkGuardians } from '../guardian.create.ts'
import { changeLinks } from '../guardian.update.ts'
import type { LinkState } from '../guardian.update.ts'
import { fillParents } from '../parent.update.ts'
import type { ParentFill } from '../parent.update.ts'
import { archiveTouched, toChanges } from './archive.ts'
import type { Touched } from './archive.ts'
import { onePerPerson } from './guardian.apply.ts'
import { parent_columns } from './parent.columns.ts'
import { visiblePupil } from './parent.judge.ts'
import type { ParsedParent } from './parent.parsed.ts'
import type { ParentSnapshot, RollPupil } from './parent.snapshot.ts'
import type { KnownLink } from './student.snapshot.ts'
import { beginTrail, endTrail } from './trail.ts'
import type { Trodden } from './trail.ts'

type Row = ApplyRow<ParsedParent>
/** A row with its pupil and, if there is one, the link it changes. */
type Told = { row: Row; pupil: RollPupil; link: KnownLink | undefined }
type Settled = Told & { parent_user_id: string }

const labels = new Map<string, string>(parent_columns.map(column => [column.prop, column.label]))

/** Writes one piece of the parent sheet: new links, changed links, what is known of the parents, journal. */
export async function applyParents(step: ApplyStep<PeopleDb>, rows: readonly Row[], snapshot: ParentSnapshot): Promise<AppliedRow[]> {
  const on = schoolDay(step.now)
  const told = rows.flatMap(row => tell(row, snapshot))
  const active = told.filter(({ row }) => row.judgement.verdict !== 'same')
  const known = active.flatMap(one => (one.link ? [{ ...one, link: one.link, parent_user_id: one.link.parent_user_id }] : []))
  const holders = active.flatMap(({ row }) => snapshot.holders.get(row.parsed.mobile)?.user_id ?? [])
  const trail = await beginTrail(step, active.map(({ pupil }) => pupil.user_id), [...holders, ...known.map(one => one.parent_user_id)])
  const changed = known.flatMap(changedLink)
  // Whoever was first contact before steps back before anybody steps forward; a line of his own says so itself.
  const back = steppingBack(active, snapshot).filter(link => !changed.some(one => one.id === link.id))
  await changeLinks(step.db, step.school_id, [...back, ...changed], on, step.batch_no)
  await fillParents(step.db, step.app.secrets, step.school_id, known.map(fillOf), { by: step.me.user_id, at: step.now })
  const settled = [...known, ...(await linkNew(step, active.filter(one => !one.link), on))]
  await archiveTouched(step, onePerPerson(settled.map(touchedParent)))
  const same = told.filter(({ row }) => row.judgement.verdict === 'same')
  return [
    ...(await endTrail(step, trail, settled.map(trodden))),
    ...same.map(({ row, link }) => ({ row_no: row.row_no, target_id: link?.id ?? '', before: null })),
  ]
}

function tell(row: Row, snapshot: ParentSnapshot): Told[] {
  const pupil = visiblePupil(row.parsed, snapshot)
  return pupil ? [{ row, pupil, link: snapshot.links.get(pupil.user_id)?.find(one => one.mobile === row.parsed.mobile) }] : []
}

/** The first contacts of pupils for whom the sheet names another one. */
function steppingBack(active: readonly Told[], { links }: ParentSnapshot): LinkState[] {
  return active.flatMap(({ row: { parsed }, pupil }) => {
    const first = parsed.is_first ? links.get(pupil.user_id)?.find(link => link.is_first && link.mobile !== parsed.mobile) : undefined
    return first ? [{ ...linkState(first), is_first: false }] : []
  })
}

function changedLink({ row: { parsed }, link }: { row: Row; link: KnownLink }): LinkState[] {
  const { relation, is_first, is_guardian = link.is_guardian, can_pickup = link.can_pickup } = parsed
  const is_same = relation === link.relation && is_first === link.is_first && is_guardian === link.is_guardian && can_pickup === link.can_pickup
  return is_same ? [] : [{ ...linkState(link), relation, is_first, is_guardian, can_pickup }]
}

function linkState({ id, student_user_id, parent_user_id, relation, is_first, is_guardian, can_pickup, order_no, valid_from }: KnownLink): LinkState {
  return { id, student_user_id, parent_user_id, relation, is_first, is_guardian, can_pickup, order_no, valid_from }
}

function fillOf({ row: { parsed }, link }: { row: Row; link: KnownLink }): ParentFill {
  const { work = link.work, edu = link.edu, id_idx, id_no, id_type } = parsed
  const is_new_id = id_idx !== null && id_idx !== link.id_no_idx?.toString('hex')
  return { user_id: link.parent_user_id, work, edu, id_no: is_new_id ? id_no : null, id_type }
}

/** Rows whose mobile has meanwhile gone to another name are left out and must be looked at again. */
async function linkNew(step: ApplyStep<PeopleDb>, fresh: readonly Told[], from: string): Promise<Settled[]> {
  const { db, school_id, app, me, batch_no } = step
  const guardians = fresh.map(({ row: { parsed }, pupil }) => {
    const { user_name, mobile, relation, is_first, is_guardian = true, can_pickup = true, id_type, id_no, work, edu } = parsed
    return { student_user_id: pupil.user_id, user_name, mobile, relation, is_first, is_guardian, can_pickup, id_type, id_no, work, edu, from }
  })
  const ids = await linkGuardians(db, app.secrets, school_id, guardians, { by: me.user_id, batch_no, at: step.now })
  return fresh.flatMap((one, at) => {
    const parent_user_id = ids[at]
    return parent_user_id ? [{ ...one, parent_user_id }] : []
  })
}

function touchedParent({ row: { parsed, judgement }, pupil, link, parent_user_id }: Settled): Touched {
  const child = { field: 'child', label: '孩子', before: link ? pupil.user_name : null, after: pupil.user_name }
  const changes = link ? toChanges(judgement.diff, prop => labels.get(prop) ?? prop) : [child]
  return { user_id: parent_user_id, person_kind: 3, person_name: parsed.user_name, changes }
}

function trodden({ row, pupil, link, parent_user_id }: Settled): Trodden {
  return { row_no: row.row_no, target_id: link?.id ?? parent_user_id, pupil: pupil.user_id, parents: [parent_user_id] }
}
