import { peopleErrors, StudentDraft } from '@campus/people/contract'
import type { FreshmanState, freshmenArrivalApi } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { z } from 'zod'
import type { Db, PeopleCtx } from '../db.ts'
import { nothing_brought } from '../field/field-files.ts'
import { indexIdNo, openIdNo } from '../id-number.ts'
import { createStudent } from '../student-file.create.ts'
import { shownRows } from './apply.read.ts'
import { applicationsOf, changeApplications } from './apply.queries.ts'
import type { ApplyRecord } from './apply.queries.ts'
import { freeNumbers } from './number.ts'
import { nameOf } from './review.service.ts'
import { findSeason, updateSeason } from './season.queries.ts'

const Kept = z.record(z.string(), z.string().nullable())
const arrived: FreshmanState = '6'
const yes = '1'
const boarding = '2'
const day_pupil = '1'
/** The reviewers have seen these doubts; a full class is not among them. */
const seen_doubts = ['id_no', 'sex', 'birthday']

/**
 * A child of the list is here: it becomes a pupil of its class by a command of kind ENROL, with the next number of the season's rule. Said once
 * more it answers the same and does nothing.
 * @throws Refusal 404 for a number of nobody, 409 freshmanState, freshmanNoClass, or what stands in the way of enrolling
 */
export async function checkIn(ctx: PeopleCtx, { season_id, code }: Input<typeof freshmenArrivalApi.checkin>): Promise<Reply<typeof freshmenArrivalApi.checkin>> {
  const { db, school_id, now } = ctx
  const season = await findSeason(db, school_id, season_id, 'lock')
  if (!season) throw fail(commonErrors.notFound)
  const record = await findArrival(ctx, season_id, code)
  if (!record) throw fail(peopleErrors.freshmanUnknown)
  const is_repeat = record.state === arrived
  if (!is_repeat) {
    if (record.state !== '4') throw fail(peopleErrors.freshmanState, { params: { name: record.user_name, state: nameOf(record.state) } })
    if (record.target_dept_id === null) throw fail(peopleErrors.freshmanNoClass, { params: { name: record.user_name } })
    const [number] = await freeNumbers(ctx, season.number_rule, season.next_number)
    if (!number) throw fail(commonErrors.busy)
    const { user_id } = await createStudent(ctx, draftOf(ctx, record, record.target_dept_id, number.text), nothing_brought)
    await changeApplications(db, school_id, [record.id], { state: arrived, user_id, updated_at: now })
    await updateSeason(db, school_id, season_id, { next_number: number.n + 1 })
  }
  const [row] = await shownRows(ctx, await applicationsOf(db, school_id, [record.id]))
  if (!row) throw fail(commonErrors.notFound)
  ctx.note({ target_kind: 'people.freshmen_apply', target_id: record.id, target_name: record.user_name, after: { state: nameOf(arrived) } })
  return { row, is_repeat }
}

async function findArrival({ db, school_id, app }: PeopleCtx, season_id: string, code: string): Promise<ApplyRecord | null> {
  const found = await db
    .selectFrom('freshmen_apply')
    .select('id')
    .where('school_id', '=', school_id)
    .where('season_id', '=', season_id)
    .where(eb => eb.or([eb('apply_no', '=', code.toUpperCase()), eb.and([eb('id_no_idx', '=', indexIdNo(app.secrets, code)), eb('state', '<>', '7')])]))
    .executeTakeFirst()
  const [record] = found ? await applicationsOf(db, school_id, [found.id], 'lock') : []
  return record ?? null
}

function draftOf({ app, school_id }: PeopleCtx, record: ApplyRecord, dept_id: string, student_no: string): StudentDraft {
  const { user_name, sex, id_type, birthday, guardian, guardian_mobile, relation } = record
  const { board, left_behind, migrant_child, hukou_division, home_address } = Kept.parse(record.values)
  const facts = { birthday, hukou_division, home_address, left_behind, migrant_child, study_method: board === yes ? boarding : day_pupil }
  const said = Object.fromEntries(Object.entries(facts).filter(([, value]) => value))
  const id_no = record.id_no_enc ? openIdNo(app.secrets, school_id, record.id_no_enc) : null
  return StudentDraft.parse({
    ...said, user_name, sex, student_no, dept_id, change_kind: 'ENROL', ...(id_no ? { id_type, id_no } : {}), accept_warnings: seen_doubts,
    parents: [{ user_name: guardian, mobile: guardian_mobile, relation, is_first: true, is_guardian: true }],
  })
}

/** Whose enrolment is taken back has not arrived yet. */
export async function reopenArrivals(db: Db, school_id: number, user_ids: readonly string[]): Promise<void> {
  await db.updateTable('freshmen_apply').set({ state: '4', user_id: null }).where('school_id', '=', school_id).where('user_id', 'in', [...user_ids]).where('state', '=', arrived).execute()
}
