import { createHash } from 'node:crypto'
import { peopleErrors, placeFigures } from '@campus/people/contract'
import type { freshmenPlaceApi, PlaceBoard, PlaceChild, PlaceClass } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import type { PeopleCtx } from '../db.ts'
import { boardOf, findRun, latestRun, PlaceResult, readChildren, readClasses, seatsOf } from './place.queries.ts'
import { placeChildren } from './placement.ts'
import { findSeason, updateSeason } from './season.queries.ts'
import type { Season } from './season.queries.ts'
import { takesNow } from './season.service.ts'

const note_kind = 'people.freshmen_place_run'

/** What a placement rests on; its order and names are no part of it. */
function inputHash(children: readonly PlaceChild[], classes: readonly PlaceClass[]): string {
  const facts = [children.map(({ user_name: _name, fixed: _fixed, ...child }) => child).toSorted((a, b) => (a.id < b.id ? -1 : 1)), classes.map(({ dept_id }) => dept_id).toSorted()]
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex')
}

/** The latest placement of a season, drawn or adopted. @throws Refusal 404 */
export async function currentPlacement(ctx: PeopleCtx, { season_id }: Input<typeof freshmenPlaceApi.current>): Promise<Reply<typeof freshmenPlaceApi.current>> {
  const season = await findSeason(ctx.db, ctx.school_id, season_id)
  if (!season) throw fail(commonErrors.notFound)
  const run = await latestRun(ctx.db, ctx.school_id, season_id)
  return { board: run ? await shown(ctx, season, run) : null }
}

async function shown(ctx: PeopleCtx, season: Season, run: NonNullable<Awaited<ReturnType<typeof latestRun>>>): Promise<PlaceBoard> {
  const children = await readChildren(ctx.db, ctx.school_id, season.id, true)
  const classes = await readClasses(ctx, season)
  return boardOf(run, children, classes, inputHash(children, classes))
}

/**
 * Draws classes for everybody who is admitted, by the seed of the season (chapter 20 rule 30). Whoever has a class keeps it; with `is_anew` only
 * those who have arrived keep theirs.
 * @throws Refusal 404, 409 while applications are taken, 422 without classes, children or room
 */
export async function runPlacement(ctx: PeopleCtx, { season_id, is_anew }: Input<typeof freshmenPlaceApi.run>): Promise<PlaceBoard> {
  const { db, school_id, me, now } = ctx
  const season = await findSeason(db, school_id, season_id, 'lock')
  if (!season) throw fail(commonErrors.notFound)
  const { lottery_seed: seed } = season
  if (seed === null || takesNow(season, now) || season.state === 'finished') throw fail(peopleErrors.placeEarly)
  const children = await readChildren(db, school_id, season_id, is_anew)
  const classes = await readClasses(ctx, season)
  refuseImpossible(children, classes)
  const placed = placeChildren(children, classes, seed)
  const result = { places: children.flatMap(({ id }) => { const dept_id = placed.get(id); return dept_id === undefined ? [] : [{ id, dept_id }] }), moved: [] }
  const figures = placeFigures(children, classes, id => placed.get(id))
  const input_hash = inputHash(children, classes)
  const row = { school_id, season_id, seed, input_hash, result: JSON.stringify(result), metrics: JSON.stringify(figures), created_at: now, created_by: me.user_id }
  const { id } = await db.insertInto('freshmen_place_run').values(row).returning('id').executeTakeFirstOrThrow()
  ctx.note({ target_kind: note_kind, target_id: id, target_name: `${season.school_year}新生分班 ${children.length}人`, after: { input_hash, spread: figures.spread } })
  const run = await findRun(db, school_id, id)
  if (!run) throw fail(commonErrors.notFound)
  return boardOf(run, await readChildren(db, school_id, season_id, true), classes, input_hash)
}

function refuseImpossible(children: readonly PlaceChild[], classes: readonly PlaceClass[]): void {
  if (classes.length === 0) throw fail(peopleErrors.placeClasses)
  if (children.length === 0) throw fail(peopleErrors.placeNobody)
  const room = classes.reduce((sum, one) => sum + one.room, 0)
  if (room < children.length) throw fail(peopleErrors.placeRoom, { params: { n: children.length, room } })
}

/**
 * Gives everybody the class of the latest run, after what was moved by hand; the seed is public from now on.
 * @throws Refusal 404, 409 placeStale, 422 placeBroken with the rules that do not hold
 */
export async function adoptPlacement(ctx: PeopleCtx, { run_id, moved }: Input<typeof freshmenPlaceApi.adopt>): Promise<PlaceBoard> {
  const { db, school_id, me, now } = ctx
  const asked = await findRun(db, school_id, run_id)
  const season = asked ? await findSeason(db, school_id, asked.season_id, 'lock') : null
  if (!asked || !season) throw fail(commonErrors.notFound)
  const run = await latestRun(db, school_id, season.id)
  const { children, classes } = { children: await readChildren(db, school_id, season.id, true), classes: await readClasses(ctx, season) }
  if (run?.id !== run_id || run.state === 'adopted' || run.input_hash !== inputHash(children, classes)) throw fail(peopleErrors.placeStale)
  const result = PlaceResult.parse({ ...PlaceResult.parse(run.result), moved })
  const seats = seatsOf(result)
  if (moved.some(({ id, dept_id }) => !children.some(child => child.id === id) || !classes.some(one => one.dept_id === dept_id))) throw fail(commonErrors.notFound)
  const figures = placeFigures(children, classes, id => seats.get(id))
  const [broken] = figures.broken
  if (broken !== undefined) throw fail(peopleErrors.placeBroken, { params: { why: broken }, data: { broken: figures.broken } })
  await giveClasses(ctx, season.id, seats)
  await db.updateTable('freshmen_place_run').set({ state: 'adopted', result: JSON.stringify(result), metrics: JSON.stringify(figures), adopted_at: now, adopted_by: me.user_id }).where('school_id', '=', school_id).where('id', '=', run_id).execute()
  await updateSeason(db, school_id, season.id, { state: 'placed', updated_at: now, updated_by: me.user_id })
  ctx.note({ target_kind: note_kind, target_id: run_id, target_name: `采用${season.school_year}新生分班 ${children.length}人`, after: { moved: moved.length, spread: figures.spread } })
  const adopted = await findRun(db, school_id, run_id)
  if (!adopted) throw fail(commonErrors.notFound)
  return shown(ctx, season, adopted)
}

/** Who has arrived already is where he is. */
async function giveClasses({ db, school_id, now }: PeopleCtx, season_id: string, seats: ReadonlyMap<string, string>): Promise<void> {
  const [ids, dept_ids] = [[...seats.keys()], [...seats.values()]]
  await sql`update freshmen_apply f set target_dept_id = v.dept_id, updated_at = ${now}, row_version = row_version + 1
    from unnest(${ids}::uuid[], ${dept_ids}::bigint[]) as v(id, dept_id)
    where f.school_id = ${school_id} and f.season_id = ${season_id} and f.id = v.id and f.state = '4'`.execute(db)
}
