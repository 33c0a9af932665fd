import { FRESHMAN_STATE, peopleErrors } from '@campus/people/contract'
import type { FreshmanState, freshmenApi } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { insertRows } from '../bulk.ts'
import type { PeopleCtx } from '../db.ts'
import { applicationsOf, changeApplications, countPlaced, personOfNumber } from './apply.queries.ts'
import type { ApplyRecord } from './apply.queries.ts'
import { eraseDocuments } from './documents.ts'
import { findSeason } from './season.queries.ts'
import type { Season } from './season.queries.ts'

const note_kind = 'people.freshmen_apply'
/** Every edge of FRESHMAN_STATE that somebody of the school decides (chapter 20 §2); families send in, arriving is a command. */
const edges: Readonly<Record<'2' | '3' | '4' | '5' | '7', readonly FreshmanState[]>> = { 2: ['1'], 3: ['1'], 4: ['2'], 5: ['2'], 7: ['0', '1', '2', '3', '4'] }

type Taken = { season: Season; rows: ApplyRecord[] }

/**
 * Locks the season and then its applications, which all must be of one season and stand where the next state may follow.
 * @throws Refusal 404 for one of another school, 409 freshmanState
 */
async function take({ db, school_id }: PeopleCtx, ids: readonly string[], to: keyof typeof edges): Promise<Taken> {
  const wanted = [...new Set(ids)]
  const [first, ...others] = await applicationsOf(db, school_id, wanted)
  if (!first || others.length + 1 < wanted.length) throw fail(commonErrors.notFound)
  if (others.some(row => row.season_id !== first.season_id)) throw fail(commonErrors.malformed)
  const season = await findSeason(db, school_id, first.season_id, 'lock')
  if (!season) throw fail(commonErrors.notFound)
  const rows = await applicationsOf(db, school_id, wanted, 'lock')
  const stuck = rows.find(row => !edges[to].some(state => state === row.state))
  if (stuck) throw fail(peopleErrors.freshmanState, { params: { name: stuck.user_name, state: nameOf(stuck.state) }, data: { ids: rows.filter(row => !edges[to].some(state => state === row.state)).map(row => row.id) } })
  return { season, rows }
}

/** The name of a state. */
export function nameOf(state: string): string {
  return new Map(Object.entries(FRESHMAN_STATE.names)).get(state) ?? state
}

/**
 * Passes applications one level further, or sends them back with a reason. The second level is passed by somebody else than the first.
 * @throws Refusal 404, 403 secondPerson, 409 freshmanState, and freshmanKnown where the season takes nobody who has a file
 */
export async function reviewFreshmen(ctx: PeopleCtx, input: Input<typeof freshmenApi.review>): Promise<Reply<typeof freshmenApi.review>> {
  const { db, school_id, me, now } = ctx
  const { season, rows } = await take(ctx, input.ids, input.verdict === 'pass' ? '2' : '3')
  const reason = input.verdict === 'refuse' ? input.reason : null
  if (input.verdict === 'pass') await refuseUnfit(ctx, season, rows)
  await insertRows(db, 'freshmen_review', rows.map(row => ({ school_id, apply_id: row.id, level: row.review_level + 1, verdict: input.verdict, reason, reviewed_by: me.user_id, reviewed_at: now })))
  if (input.verdict === 'refuse') await changeApplications(db, school_id, idsOf(rows), { state: '3', review_level: 0, reason, updated_at: now })
  else await passLevel(ctx, season, rows)
  ctx.note({ target_kind: note_kind, target_name: namesOf(rows), reason: reason ?? undefined, after: { verdict: input.verdict } })
  return { changed: rows.length }
}

async function passLevel({ db, school_id, now }: PeopleCtx, { review_levels }: Season, rows: readonly ApplyRecord[]): Promise<void> {
  for (const [level, list] of Map.groupBy(rows, row => row.review_level + 1)) {
    await changeApplications(db, school_id, idsOf(list), { review_level: level, updated_at: now, ...(level >= review_levels ? { state: '2', reason: null } : {}) })
  }
}

async function refuseUnfit({ db, school_id, me }: PeopleCtx, { dup_policy }: Season, rows: readonly ApplyRecord[]): Promise<void> {
  const halfway = rows.filter(row => row.review_level > 0)
  for (const row of halfway) {
    const last = await db.selectFrom('freshmen_review').select('reviewed_by').where('school_id', '=', school_id).where('apply_id', '=', row.id).orderBy('id', 'desc').executeTakeFirst()
    if (last?.reviewed_by === me.user_id) throw fail(peopleErrors.secondPerson)
  }
  if (dup_policy === 'warn') return
  for (const row of rows) if (await personOfNumber(db, school_id, row.id_no_idx)) throw fail(peopleErrors.freshmanKnown, { params: { name: row.user_name } })
}

/**
 * Admits applications that were passed, or says that there is no place for them. The places are counted under the lock of the season.
 * @throws Refusal 404, 409 quotaFull, freshmanState
 */
export async function admitFreshmen(ctx: PeopleCtx, { ids, is_admitted }: Input<typeof freshmenApi.admit>): Promise<Reply<typeof freshmenApi.admit>> {
  const { db, school_id, now } = ctx
  const { season, rows } = await take(ctx, ids, is_admitted ? '4' : '5')
  if (is_admitted && (await countPlaced(db, school_id, season.id)) + rows.length > season.quota) throw fail(peopleErrors.quotaFull)
  await changeApplications(db, school_id, idsOf(rows), { state: is_admitted ? '4' : '5', updated_at: now })
  ctx.note({ target_kind: note_kind, target_name: namesOf(rows), after: { state: nameOf(is_admitted ? '4' : '5') } })
  return { changed: rows.length }
}

/** Notes that a family does not come; its documents go, and the identity number may apply anew. @throws Refusal 404, 409 freshmanState */
export async function giveUp(ctx: PeopleCtx, { ids, reason }: Input<typeof freshmenApi.giveUp>): Promise<Reply<typeof freshmenApi.giveUp>> {
  const { db, school_id, now } = ctx
  const { rows } = await take(ctx, ids, '7')
  await changeApplications(db, school_id, idsOf(rows), { state: '7', reason, target_dept_id: null, updated_at: now })
  await eraseDocuments(ctx, idsOf(rows))
  ctx.note({ target_kind: note_kind, target_name: namesOf(rows), reason, after: { state: nameOf('7') } })
  return { changed: rows.length }
}

const idsOf = (rows: readonly ApplyRecord[]) => rows.map(row => row.id)

function namesOf(rows: readonly ApplyRecord[]): string {
  return rows.length === 1 ? (rows[0]?.user_name ?? '') : `${rows.length}名新生`
}
