import { duties as duty_codes, peopleErrors, staff_props, staff_registry } from '@campus/people/contract'
import type { StaffDraft, StaffFile, staffFileApi, StaffPatch } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Reply } from '@kit/contract'
import { maskMobile } from '@kit/contract/checks'
import { classFacts, lockDepts } from '../change/subject.facts.ts'
import { schoolDay } from '../day.ts'
import type { PeopleCtx } from '../db.ts'
import { labelsOn } from '../dept.service.ts'
import { customOf, fieldsFor, judgeExt, liveFields, readExt } from '../field/ext.ts'
import { enterFiles } from '../field/field-files.ts'
import type { Brought } from '../field/field-files.ts'
import { writeExt } from '../field/field.queries.ts'
import { deptScope } from '../scope.ts'
import type { DeptScope } from '../scope.ts'
import { hireStaff } from '../staff.create.ts'
import { releaseMobiles, releaseNotice } from '../mobile.release.ts'
import { lockPeople } from '../student-file.queries.ts'
import type { FileHand } from '../student-file.update.ts'
import { refuseTroubles, refuseUnconfirmed } from '../student-file.trouble.ts'
import type { Trouble } from '../student-file.trouble.ts'
import { platesOf } from '../vehicle/plates.ts'
import { changeDepts, joinAsStaff } from './memberships.ts'
import { recordHire } from './hire.ts'
import { plateTroubles, saveExtras } from './extras.ts'
import { dutiesOfStaff, rolesOfStaff } from './staff.queries.ts'
import { staffAtWork, staffSpans } from './staff-file.queries.ts'
import type { KnownStaff } from './staff-file.queries.ts'
import { judgeStaffValues, shown, shownStaff, staffChanges, staffTaken, staffWords } from './staff-file.values.ts'
import { copyToIdentity, journalStaff, kindOf, schoolType, writeStaff } from './staff-file.write.ts'

type Saved = Reply<typeof staffFileApi.update>
const staff_tree = ['staff', 'both']

/**
 * A new member of staff from today on, by the command STAFF_IN. A guardian of the same mobile and name becomes staff too.
 * @throws Refusal 404 for a department outside the scope, 409 and 422 beside the fields
 */
export async function createStaff(ctx: PeopleCtx, draft: StaffDraft, brought: Brought): Promise<Saved> {
  const { db, school_id, app, me, now } = ctx
  const today = schoolDay(now)
  const { depts, accept_warnings, plates, role_ids, ext, ...said } = draft
  const troubles = await deptTroubles(ctx, await deptScope(ctx, 'staff', today), depts.map(dept => dept.dept_id), today)
  const words = await staffWords(ctx)
  const judged = judgeStaffValues(ctx, said, null, { words, today })
  const fields = await fieldsFor(ctx, 'staff')
  const custom = judgeExt(fields, ext ?? {}, null)
  const taken = await staffTaken(ctx, judged.values, null, { today, may_release: true })
  refuseTroubles([...judged.troubles, ...custom.troubles, ...troubles, ...taken.troubles, ...(await plateTroubles(ctx, draft, taken.joined?.user_id ?? null, today))])
  const warnings = [...judged.warnings, ...taken.departed.map(releaseNotice)]
  refuseUnconfirmed(warnings, accept_warnings)
  await releaseMobiles(ctx, taken.departed)
  const school_type = await schoolType(ctx)
  const { teacher_no, user_name, kind, join_month } = draft
  const row = { ...judged.values, teacher_no, user_name, kind, join_month, from: today, depts, user_kind: kindOf(school_type, kind) }
  const user_id = taken.joined?.user_id ?? (await hireStaff(db, app.secrets, school_id, [row], { by: me.user_id, at: now }))[0] ?? ''
  if (taken.joined) {
    await lockPeople(db, school_id, [user_id])
    await joinAsStaff(ctx, user_id, { teacher_no, kind, join_month, from: today, depts })
    await writeStaff(ctx, user_id, judged.values)
    await copyToIdentity(ctx, user_id, { school_type })
  }
  await enterFiles(ctx, fields, { before: {}, said: custom.said }, brought)
  await writeExt(db, { school_id, user_id, facet: 'staff' }, custom.said)
  const extras = await saveExtras(ctx, user_id, { plates, role_ids }, today)
  const command_id = await recordHire(ctx, { user_id, dept_id: depts[0]?.dept_id ?? '', on: today, is_new: taken.joined === null })
  await journal(ctx, 'create', { user_id, teacher_no, user_name, dept_id: depts[0]?.dept_id ?? null, command_id }, [...staffChanges(ctx, judged.values, null, words), ...custom.changes, ...extras])
  return { user_id, row_version: taken.joined ? await versionOf(ctx, user_id) : 1, warnings }
}

async function versionOf({ db, school_id }: PeopleCtx, user_id: string): Promise<number> {
  return (await db.selectFrom('person').select('row_version').where('school_id', '=', school_id).where('user_id', '=', user_id).executeTakeFirstOrThrow()).row_version
}

async function journal(ctx: PeopleCtx, op: 'create' | 'update', who: Omit<Parameters<typeof journalStaff>[2], 'dept_name'>, changes: Parameters<typeof journalStaff>[3]): Promise<void> {
  const labels = await labelsOn(ctx, who.dept_id === null ? [] : [who.dept_id], schoolDay(ctx.now))
  await journalStaff(ctx, op, { ...who, dept_name: labels.get(who.dept_id ?? '') ?? null }, changes)
}

/** Departments somebody is put into: inside the scope, of the staff, standing. @throws Refusal 404 for one outside */
async function deptTroubles({ db, school_id }: PeopleCtx, scope: DeptScope, dept_ids: readonly string[], today: string): Promise<Trouble[]> {
  await lockDepts(db, school_id, dept_ids)
  const found = await classFacts(db, school_id, dept_ids, today)
  if (dept_ids.some(id => !found.has(id) || (scope !== 'all' && !scope.includes(id)))) throw fail(commonErrors.notFound)
  return dept_ids.flatMap((id): Trouble[] => {
    const dept = found.get(id)
    if (!staff_tree.includes(dept?.tree ?? '')) return [{ failure: peopleErrors.staffDept, field: 'depts' }]
    return dept?.is_open ? [] : [{ failure: peopleErrors.staffDeptClosed, field: 'depts' }]
  })
}

/** Changes fields and part-time departments of a member of staff at work; never the primary department or the state. Nothing changed = nothing written. */
export async function updateStaff(ctx: PeopleCtx, patch: StaffPatch, brought: Brought): Promise<Saved> {
  return saveStaff(ctx, patch, { scope: await deptScope(ctx, 'staff', schoolDay(ctx.now)), source: 'typed', brought })
}

/** The same for whoever has asked the scope himself: the one way by which values come into a file. @throws Refusal as for an edit */
export async function saveStaff(ctx: PeopleCtx, patch: StaffPatch, { scope, source, brought }: FileHand): Promise<Saved> {
  const { db, school_id } = ctx
  const today = schoolDay(ctx.now)
  const { user_id, row_version, depts, accept_warnings, plates, role_ids, ext, ...said } = patch
  await lockPeople(db, school_id, [user_id])
  const known = await staffAtWork(db, { school_id, user_id, scope, today })
  if (!known) throw fail(commonErrors.notFound)
  const words = await staffWords(ctx)
  const judged = judgeStaffValues(ctx, said, known, { words, today })
  const fields = await (source === 'typed' ? fieldsFor(ctx, 'staff') : liveFields(ctx, 'staff'))
  const known_ext = readExt(known.ext, fields)
  const custom = judgeExt(fields, ext ?? {}, known_ext)
  refuseTroubles([...judged.troubles, ...custom.troubles])
  if (known.row_version !== row_version) throw fail(peopleErrors.staleRow, { data: staleData(judged.values, custom.changes, known, words) })
  const added = (depts ?? []).map(dept => dept.dept_id).filter(id => known.depts.every(dept => dept.dept_id !== id))
  const taken = await staffTaken(ctx, judged.values, known, { today, may_release: source === 'typed' })
  refuseTroubles([...(await deptTroubles(ctx, scope, added, today)), ...taken.troubles, ...(await plateTroubles(ctx, patch, user_id, today))])
  const warnings = [...judged.warnings, ...taken.departed.map(releaseNotice)]
  refuseUnconfirmed(warnings, accept_warnings)
  await releaseMobiles(ctx, taken.departed)
  const moved = depts ? await changeDepts(ctx, known, depts, today) : []
  const changes = [...staffChanges(ctx, judged.values, known, words), ...custom.changes, ...moved, ...(await saveExtras(ctx, user_id, { plates, role_ids }, today))]
  if (changes.length === 0) return { user_id, row_version, warnings }
  await writeStaff(ctx, user_id, judged.values)
  await enterFiles(ctx, fields, { before: known_ext, said: custom.said }, brought)
  await writeExt(db, { school_id, user_id, facet: 'staff' }, custom.said)
  await copyToIdentity(ctx, user_id, { school_type: await schoolType(ctx) })
  const { teacher_no = known.teacher_no, user_name = known.user_name } = patch
  await journal(ctx, 'update', { user_id, teacher_no, user_name, dept_id: known.depts[0]?.dept_id ?? null, source }, changes)
  return { user_id, row_version: row_version + 1, warnings }
}

/** What the file says now where the edit says something else. */
function staleData(values: ReturnType<typeof judgeStaffValues>['values'], custom: ReturnType<typeof judgeExt>['changes'], known: KnownStaff, words: Awaited<ReturnType<typeof staffWords>>) {
  const differences = staff_props.flatMap(prop => {
    const mine = values[prop]
    return mine === undefined ? [] : [{ field: prop, label: staff_registry[prop].label, mine: shown(prop, mine, words), theirs: shownStaff(prop, known, words) }]
  })
  const own = custom.map(({ field, label, before, after }) => ({ field, label, mine: after ?? '', theirs: before ?? '' }))
  return { differences: [...differences, ...own].filter(one => one.mine !== one.theirs), changed_by: null, row_version: known.row_version }
}

/** The file of a member of staff at work; identity number and mobile masked. @throws Refusal 404 outside school or scope */
export async function readStaffFile(ctx: PeopleCtx, { user_id }: { user_id: string }): Promise<StaffFile> {
  const { db, school_id } = ctx
  const today = schoolDay(ctx.now)
  const known = await staffAtWork(db, { school_id, user_id, scope: await deptScope(ctx, 'staff', today), today })
  if (!known) throw fail(commonErrors.notFound)
  const duties = await dutiesOfStaff(db, school_id, [user_id], today)
  const labels = await labelsOn(ctx, [...known.depts, ...duties].map(row => row.dept_id), today)
  const label = (dept_id: string) => labels.get(dept_id) ?? ''
  return {
    user_id,
    row_version: known.row_version,
    state: known.state,
    registry: { ...known, id_no: known.id_no_mask, mobile: known.mobile === null ? null : maskMobile(known.mobile) },
    masked: ['id_no', 'mobile'],
    depts: known.depts.map(({ dept_id, is_primary, position }) => ({ dept_id, is_primary, position, dept_name: label(dept_id) })),
    duties: duties.flatMap(({ duty: code, dept_id }) => duty_codes.filter(duty => duty === code).map(duty => ({ duty, dept_id, dept_name: label(dept_id) }))),
    roles: (await rolesOfStaff(db, school_id, [user_id])).map(({ id, name }) => ({ id, name })),
    plates: (await platesOf(db, { school_id, on: today }, [user_id])).get(user_id) ?? [],
    custom: await customOf(ctx, 'staff', known.ext),
    states: await staffSpans(db, school_id, user_id),
    created_at: known.created_at.toISOString(),
    updated_at: known.updated_at.toISOString(),
  }
}
