import { createHash, randomBytes } from 'node:crypto'
import { peopleErrors } from '@campus/people/contract'
import type { FreshmenSeason, freshmenSeasonApi, SeasonState } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { setTimer } from '@kit/server/event'
import type { PeopleCtx } from '../db.ts'
import { requireDept } from '../dept.service.ts'
import { papersEnd } from './papers-end.ts'
import { formFields } from './season.fields.ts'
import { countsOf, countStates, findSeason, insertSeason, readSeasons, updateSeason } from './season.queries.ts'
import type { Season } from './season.queries.ts'

const stage_names: Readonly<Record<string, string>> = { 0: '幼儿园', 1: '小学', 2: '初中', 3: '高中', 4: '中职' }
const note_kind = 'people.freshmen_season'
const key_bytes = 16
const seed_bytes = 32
/** Which state follows which by hand; `placed` follows from adopting a placement. */
const turns: Readonly<Record<SeasonState, readonly SeasonState[]>> = { draft: ['open'], open: ['closed'], closed: ['open'], placed: ['finished'], finished: [] }

/** Every season with how many applications stand where. */
export async function listSeasons(ctx: PeopleCtx): Promise<Reply<typeof freshmenSeasonApi.list>> {
  const { db, school_id } = ctx
  const counts = await countStates(db, school_id)
  const seasons = await readSeasons(db, school_id)
  return { list: seasons.map(season => shown(ctx, season, counts.get(season.id) ?? countsOf([]))) }
}

function shown({ school_id, now }: PeopleCtx, { next_number: _next, ...season }: Season, counts: FreshmenSeason['counts']): FreshmenSeason {
  return {
    ...season, counts,
    is_open: takesNow(season, now),
    open_at: season.open_at.toISOString(),
    close_at: season.close_at.toISOString(),
    register_key: `${school_id}-${season.register_key}`,
    lottery_seed: openSeed(season),
  }
}

/** Whether a season takes applications at this moment. */
export function takesNow({ state, open_at, close_at }: Pick<Season, 'state' | 'open_at' | 'close_at'>, now: Date): boolean {
  return state === 'open' && now >= open_at && now < close_at
}

/** Whether a sheet may bring applications: once opened, until the classes are made. */
export function takesSheets({ state }: Pick<Season, 'state'>): boolean {
  return state === 'open' || state === 'closed'
}

/** What families and the school call a season. */
export function seasonTitle({ school_year, stage }: Pick<Season, 'school_year' | 'stage'>): string {
  return `${school_year}学年${stage_names[stage] ?? ''}新生报名`
}

/** The seed, once nothing can be gained by knowing it. */
export function openSeed({ state, lottery_seed }: Pick<Season, 'state' | 'lottery_seed'>): string | null {
  return state === 'placed' || state === 'finished' ? lottery_seed : null
}

/** Makes a season, or changes one. @throws Refusal 404, 409 staleRow, seasonOver, or a season of this year and stage is there */
export async function saveSeason(ctx: PeopleCtx, { id, row_version, ...draft }: Input<typeof freshmenSeasonApi.save>): Promise<FreshmenSeason> {
  const { db, school_id, me, now } = ctx
  for (const dept_id of draft.class_plan.dept_ids) await requireDept(ctx, dept_id)
  const { form_fields, materials, class_plan, number_rule, open_at, close_at, ...facts } = draft
  const json = { form_fields: JSON.stringify(formFields(form_fields)), materials: JSON.stringify(materials), class_plan: JSON.stringify(class_plan), number_rule: JSON.stringify(number_rule) }
  const row = { ...facts, ...json, open_at: new Date(open_at), close_at: new Date(close_at), updated_at: now, updated_by: me.user_id }
  const season = id === undefined ? null : await takeSeason(ctx, { id, row_version })
  if (season?.state === 'finished') throw fail(peopleErrors.seasonOver)
  const next = season ? nextNumber(season, number_rule) : number_rule.start
  const saved_id = season?.id ?? (await insertSeason(db, { school_id, ...row, next_number: next, register_key: randomBytes(key_bytes).toString('hex'), created_by: me.user_id, created_at: now }))
  if (season) await updateSeason(db, school_id, season.id, { ...row, next_number: next })
  ctx.note({ target_kind: note_kind, target_id: saved_id, target_name: `${draft.school_year}新生报名`, after: { quota: draft.quota, open_at, close_at } })
  return readSeason(ctx, saved_id)
}

/** A rule that begins elsewhere counts from there; else the numbers go on. */
function nextNumber({ number_rule, next_number }: Season, rule: FreshmenSeason['number_rule']): number {
  return rule.prefix === number_rule.prefix && rule.start === number_rule.start ? next_number : rule.start
}

/**
 * Opens, closes or ends a season. Opening draws the seed of the lottery and makes its hash public (chapter 20 rule 30); the end takes the
 * documents of all who did not arrive.
 * @throws Refusal 404, 409 staleRow, seasonTurn
 */
export async function turnSeason(ctx: PeopleCtx, { id, row_version, state }: Input<typeof freshmenSeasonApi.turn>): Promise<FreshmenSeason> {
  const { db, school_id, me, now } = ctx
  const season = await takeSeason(ctx, { id, row_version })
  if (!turns[season.state].includes(state)) throw fail(peopleErrors.seasonTurn)
  const lottery = season.lottery_seed === null ? drawSeed() : {}
  await updateSeason(db, school_id, id, { state, ...lottery, updated_at: now, updated_by: me.user_id })
  if (state === 'finished') await setTimer(ctx, papersEnd(id, now))
  ctx.note({ target_kind: note_kind, target_id: id, target_name: `${season.school_year}新生报名`, before: { state: season.state }, after: { state } })
  return readSeason(ctx, id)
}

function drawSeed(): { lottery_seed: string; lottery_seed_hash: string } {
  const lottery_seed = randomBytes(seed_bytes).toString('hex')
  return { lottery_seed, lottery_seed_hash: seedHash(lottery_seed) }
}

/** What is published of a seed before it is used: SHA-256 of its text. */
export function seedHash(seed: string): string {
  return createHash('sha256').update(seed).digest('hex')
}

async function takeSeason({ db, school_id }: PeopleCtx, { id, row_version }: { id: string; row_version: number | undefined }): Promise<Season> {
  const season = await findSeason(db, school_id, id, 'lock')
  if (!season) throw fail(commonErrors.notFound)
  if (season.row_version !== row_version) throw fail(peopleErrors.staleRow)
  return season
}

/** A season as the school sees it. @throws Refusal 404 */
async function readSeason(ctx: PeopleCtx, id: string): Promise<FreshmenSeason> {
  const { list } = await listSeasons(ctx)
  const season = list.find(one => one.id === id)
  if (!season) throw fail(commonErrors.notFound)
  return season
}
