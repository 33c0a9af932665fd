import { freshman_states, peopleErrors } from '@campus/people/contract'
import type { FreshmanFile, FreshmanRow, freshmenApi } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { maskMobile, warnResidentId } from '@kit/contract/checks'
import { z } from 'zod'
import { schoolDay } from '../day.ts'
import type { PeopleCtx } from '../db.ts'
import { labelsOn, requireDept } from '../dept.service.ts'
import { openIdNo } from '../id-number.ts'
import { shownValue } from '../import/field.ts'
import { fieldWords } from '../import/words.ts'
import { visibleDepts } from '../scope.ts'
import { applicationsOf, applyFilter, changeApplications, pageApplications, personOfNumber, pupilsNow, pupilsOfGuardian } from './apply.queries.ts'
import type { ApplyRecord } from './apply.queries.ts'
import { documentsOf } from './documents.ts'
import { application_fields } from './season.fields.ts'
import { findSeason } from './season.queries.ts'

const State = z.enum(freshman_states)
const Kept = z.record(z.string(), z.string().nullable())
const resident = '1'

/** What reading rows of a list needs. */
export type RowDesk = Pick<PeopleCtx, 'db' | 'school_id' | 'me' | 'now'>

/** One page of the applications of a season. @throws Refusal 404 for a season of another school */
export async function listFreshmen(ctx: PeopleCtx, { page_index, page_size, ...filter }: Input<typeof freshmenApi.page>): Promise<Reply<typeof freshmenApi.page>> {
  const { db, school_id } = ctx
  if (!(await findSeason(db, school_id, filter.season_id))) throw fail(commonErrors.notFound)
  await requireDept(ctx, filter.dept_id)
  const { list, total } = await pageApplications(db, school_id, applyFilter(ctx.app.secrets, filter), { limit: page_size, offset: (page_index - 1) * page_size })
  return { list: await shownRows(ctx, list), total }
}

/** Rows as a list shows them: numbers masked, classes by their label today. */
export async function shownRows(desk: RowDesk, list: readonly ApplyRecord[]): Promise<FreshmanRow[]> {
  const { db, school_id, now } = desk
  const pupils = new Map((await pupilsNow(db, school_id, list.flatMap(row => row.user_id ?? []))).map(pupil => [pupil.user_id, pupil]))
  const labels = await labelsOn(desk, [...new Set(list.flatMap(row => row.target_dept_id ?? []))], schoolDay(now))
  return list.map(({ season_id: _season, id_type: _type, id_no_enc: _enc, id_no_idx: _idx, id_no_mask, relation: _relation, values: _values, guardian_mobile, score, applied_at, state, ...row }) => ({
    ...row, state: State.parse(state), id_no: id_no_mask, guardian_mobile: maskMobile(guardian_mobile), score: score === null ? null : Number(score), applied_at: applied_at.toISOString(),
    dept_name: row.target_dept_id === null ? null : (labels.get(row.target_dept_id) ?? null), student_no: pupils.get(row.user_id ?? '')?.student_no ?? null,
  }))
}

/** One application with what the school knows of the family. @throws Refusal 404 */
export async function readFreshman(ctx: PeopleCtx, { id }: Input<typeof freshmenApi.detail>): Promise<FreshmanFile> {
  const { db, school_id, app } = ctx
  const record = await requireOne(ctx, id)
  const [row] = await shownRows(ctx, [record])
  const season = await findSeason(db, school_id, record.season_id)
  if (!row || !season) throw fail(commonErrors.notFound)
  const id_no = record.id_no_enc ? openIdNo(app.secrets, school_id, record.id_no_enc) : ''
  const doubt = record.id_type === resident && id_no !== '' ? warnResidentId(id_no) : null
  return { ...row, filled: await filledOf(ctx, record, id_no), materials: season.materials, documents: await documentsOf(ctx, id), ...(await familyOf(ctx, record)), warnings: doubt === null ? [] : [doubt], reviews: await reviewsOf(ctx, id) }
}

async function requireOne({ db, school_id }: PeopleCtx, id: string, use: 'read' | 'lock' = 'read'): Promise<ApplyRecord> {
  const [record] = await applicationsOf(db, school_id, [id], use)
  if (!record) throw fail(commonErrors.notFound)
  return record
}

async function filledOf(ctx: PeopleCtx, record: ApplyRecord, id_no: string): Promise<FreshmanFile['filled']> {
  const { names, divisions } = await fieldWords({ ...ctx, options: new Set() }, application_fields)
  const { user_name, sex, id_type, birthday, guardian, relation } = record
  const said: Record<string, string | null> = { user_name, sex, id_type, id_no, birthday, guardian, relation, ...Kept.parse(record.values) }
  const lines = application_fields.flatMap(({ prop, label, dict, kind }) => {
    const value = said[prop] ?? ''
    const name = dict === undefined ? (kind === 'division' ? divisions.names.get(value) : undefined) : names.get(dict)?.get(value)
    return value === '' ? [] : [{ prop, label, value: shownValue(prop, value, name) }]
  })
  return [...lines, { prop: 'guardian_mobile', label: '监护人手机号', value: maskMobile(record.guardian_mobile) }]
}

/** Who has this number already, and which pupils have the same guardian; only inside the reader's departments with their class. */
async function familyOf(ctx: PeopleCtx, { id_no_idx, guardian_mobile, user_id }: ApplyRecord): Promise<Pick<FreshmanFile, 'known' | 'siblings'>> {
  const { db, school_id, now } = ctx
  const today = schoolDay(now)
  const scope = await visibleDepts(ctx, 'student', today)
  const person = await personOfNumber(db, school_id, id_no_idx)
  const known = person && person.user_id !== user_id ? person : null
  const pupils = (await pupilsOfGuardian(db, school_id, guardian_mobile, scope)).filter(pupil => pupil.user_id !== user_id && pupil.user_id !== known?.user_id)
  const own = known ? await pupilsNow(db, school_id, [known.user_id]) : []
  const labels = await labelsOn(ctx, [...pupils, ...own].flatMap(({ dept_id }) => dept_id ?? []), today)
  return {
    known: known && { ...known, label: labels.get(own[0]?.dept_id ?? '') ?? null },
    siblings: pupils.map(({ dept_id, ...pupil }) => ({ ...pupil, user_name: pupil.user_name ?? '', user_id: pupil.user_id ?? '', label: labels.get(dept_id ?? '') ?? null })),
  }
}

async function reviewsOf({ db, school_id }: PeopleCtx, apply_id: string): Promise<FreshmanFile['reviews']> {
  const rows = await db
    .selectFrom('freshmen_review as v')
    .leftJoin('person as p', join => join.onRef('p.school_id', '=', 'v.school_id').onRef('p.user_id', '=', 'v.reviewed_by'))
    .select(['v.level', 'v.verdict', 'v.reason', 'v.reviewed_at', 'p.user_name'])
    .where('v.school_id', '=', school_id)
    .where('v.apply_id', '=', apply_id)
    .orderBy('v.id')
    .execute()
  return rows.map(({ verdict, user_name, reviewed_at, ...row }) => ({ ...row, verdict: verdict === 'pass' ? 'pass' as const : 'refuse' as const, reviewed_by: user_name ?? '系统管理员', reviewed_at: reviewed_at.toISOString() }))
}

/** Sets score and groups, which the placement goes by. @throws Refusal 404, 409 staleRow */
export async function updateFreshman(ctx: PeopleCtx, { id, row_version, ...patch }: Input<typeof freshmenApi.update>): Promise<FreshmanRow> {
  const { db, school_id, now } = ctx
  const record = await requireOne(ctx, id, 'lock')
  if (record.row_version !== row_version) throw fail(peopleErrors.staleRow)
  const { score, twin_group, apart_group } = patch
  await changeApplications(db, school_id, [id], { updated_at: now, ...(score === undefined ? {} : { score: score === null ? null : String(score) }), ...(twin_group === undefined ? {} : { twin_group: twin_group || null }), ...(apart_group === undefined ? {} : { apart_group: apart_group || null }) })
  const [row] = await shownRows(ctx, await applicationsOf(db, school_id, [id]))
  if (!row) throw fail(commonErrors.notFound)
  ctx.note({ target_kind: 'people.freshmen_apply', target_id: id, target_name: record.user_name, after: { ...patch } })
  return row
}
