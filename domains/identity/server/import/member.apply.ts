import { identityEvents } from '@campus/identity/contract'
import type { AppliedRow, ApplyRow, ApplyStep } from '@kit/server/excel'
import { publish } from '@kit/server/event'
import { sql } from 'kysely'
import { batches } from '../db.ts'
import type { IdentityDb } from '../db.ts'
import { requireApart } from '../duties-apart.ts'
import { endActing } from '../member.acting.ts'
import { keepAdministered } from '../role.access.ts'
import { aimOf } from './member.judge.ts'
import type { Aim } from './member.judge.ts'
import { made_by_import, memberImages, memberMark, memberMarks } from './member.marks.ts'
import type { ParsedMember } from './member.parsed.ts'
import { knownRoles, memberKey } from './member.snapshot.ts'
import type { MemberSnapshot } from './member.snapshot.ts'

type Step = ApplyStep<IdentityDb>
type Told = { row_no: number; parsed: ParsedMember; verdict: string; aim: Aim }
type Written = { row_no: number; role_no: string; before: unknown }

/** Writes one piece of the sheet: new memberships, and other days or notes of those that are there. */
export async function applyMembers(step: Step, rows: readonly ApplyRow<ParsedMember>[], snapshot: MemberSnapshot): Promise<AppliedRow[]> {
  const told = rows.flatMap(({ row_no, parsed, judgement }): Told[] => {
    const { aim } = aimOf(parsed, snapshot)
    return aim ? [{ row_no, parsed, verdict: judgement.verdict, aim }] : []
  })
  const givable = await lockedRoles(step, told)
  const free = told.filter(({ aim }) => givable.has(aim.role_id))
  const made = await insertNew(step, free.filter(({ verdict }) => verdict === 'new'))
  const changed = await changeKnown(step, free.filter(({ verdict }) => verdict === 'change'))
  await requireApart(step)
  const marks = await memberMarks(step, [...made, ...changed].map(({ role_no }) => role_no))
  const same = free.filter(({ verdict }) => verdict === 'same')
  return [
    ...[...made, ...changed].map(({ row_no, role_no, before }) => ({ row_no, target_id: role_no, before, touched: [{ key: memberMark(role_no), mark: marks.get(memberMark(role_no)) ?? '' }] })),
    ...same.map(({ row_no, aim }) => ({ row_no, target_id: aim.had?.role_no ?? '', before: null })),
  ]
}

/** The roles of the piece that may still be given, held as they are until the transaction ends. */
async function lockedRoles(step: Step, told: readonly Told[]): Promise<ReadonlySet<string>> {
  const ids = [...new Set(told.map(({ aim }) => aim.role_id))]
  await step.db.selectFrom('role').select('role_id').where('school_id', '=', step.school_id).where(sql<boolean>`role_id = any(${ids}::bigint[])`).orderBy('role_id').forShare().execute()
  const roles = await knownRoles(step, told.map(({ parsed }) => parsed.role_name))
  return new Set(roles.filter(({ fault }) => fault === null).map(({ role_id }) => role_id))
}

/** Whoever has meanwhile got the role in that time is left out and must be looked at again. */
async function insertNew(step: Step, told: readonly Told[]): Promise<Written[]> {
  const { db, school_id, me, now } = step
  const given = new Map<string, string>()
  for (const batch of batches(told)) {
    const rows = batch.map(({ parsed: { reason }, aim: { role_id, user_id, user_dep, span } }) => ({
      school_id, role_id, user_id, user_dep, ...span, source: 'import', reason: reason ?? null, created_at: now, created_by: me.user_id, updated_at: now, updated_by: me.user_id,
    }))
    const inserted = await db.insertInto('role_member').values(rows).onConflict(oc => oc.doNothing()).returning(['role_no', 'role_id', 'user_id', 'user_dep']).execute()
    for (const row of inserted) given.set(memberKey(row), row.role_no)
  }
  const written = told.flatMap(({ row_no, aim }): (Written & Aim)[] => {
    const role_no = given.get(memberKey(aim))
    return role_no === undefined ? [] : [{ ...aim, row_no, role_no, before: made_by_import }]
  })
  const members = written.map(({ role_no, role_id, user_id }) => ({ role_no, role_id, user_id }))
  if (members.length > 0) await publish(step, identityEvents.memberStarted, { members })
  return written
}

/** An end may come near enough to leave nobody who administers roles: then the whole piece is refused. */
async function changeKnown(step: Step, told: readonly Told[]): Promise<Written[]> {
  if (told.length === 0) return []
  const { db, school_id, me, now } = step
  const images = await memberImages(db, school_id, told.flatMap(({ aim }) => aim.had?.role_no ?? []))
  return keepAdministered(step, async () => {
    const written: Written[] = []
    for (const { row_no, parsed: { reason }, aim: { had, span } } of told) {
      if (!had) continue
      const changes = { ...span, updated_at: now, updated_by: me.user_id, row_version: had.row_version + 1, ...(reason === undefined ? {} : { reason }) }
      const { numUpdatedRows } = await db.updateTable('role_member').set(changes).where('school_id', '=', school_id).where('role_no', '=', had.role_no).where('row_version', '=', had.row_version).executeTakeFirst()
      if (numUpdatedRows === 1n) written.push({ row_no, role_no: had.role_no, before: images.get(had.role_no) ?? null })
    }
    await endActing(step, told.map(({ aim }) => aim.user_id), me.user_id)
    return written
  })
}
