import { createHash } from 'node:crypto'
import { dataOf, startTestApp } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { freshmenApi, freshmenPlaceApi, freshmenSeasonApi, registerPublicApi } from '@campus/people/contract'
import type { FreshmenSeason } from '@campus/people/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PeopleDb } from '../db.ts'
import { createDepts } from '../dept.create.ts'
import { openSchool } from '../testing/changer.ts'
import { enroller } from '../testing/enroller.ts'

const a = 1001
const codes = ['people.freshmen.view', 'people.freshmen.config', 'people.freshmen.review', 'people.freshmen.place']
let app: TestApp
let clerk: TestUser
let desk: ReturnType<typeof enroller>
let classes: string[]

beforeAll(async () => {
  app = await startTestApp({ settings: { CAMPUS_CAPTCHA_PER_MINUTE: '1000' } })
  await openSchool(app, a)
  clerk = await app.as({ school_id: a, codes })
  desk = enroller(app, a, () => clerk)
  const cohort = { tree: 'student' as const, grade: '11', enrol_year: 2026, stage: '1' }
  const made = await app.running.database.tenant<PeopleDb, ReadonlyMap<string, string>>(a, async db => {
    const { id } = await db.selectFrom('dept_now').select('id').where('school_id', '=', a).where('parent_id', 'is', null).executeTakeFirstOrThrow()
    const rows = [1, 2, 3, 4, 5, 6].map(no => ({ key: `c${no}`, parent: 'grade', dept_name: `新一年级${no}班`, dept_type: 4, class_no: no, ...cohort }))
    return createDepts(db, a, [{ key: 'grade', parent: id, dept_name: '新一年级', dept_type: 3, ...cohort }, ...rows], '2026-09-01')
  })
  classes = ['c1', 'c2', 'c3', 'c4', 'c5', 'c6'].map(key => made.get(key) ?? '')
})
afterAll(() => app.close())

const as = () => ({ token: clerk.token })
const refusal = ({ status, body }: Answer) => [status, body.error_id, body.msg]
const run = (season_id: string, is_anew = false) => app.call(freshmenPlaceApi.run, { season_id, is_anew }, as())
const adopt = (run_id: string, moved: { id: string; dept_id: string }[] = []) => app.call(freshmenPlaceApi.adopt, { run_id, moved }, as())

/** A closed season whose `count` children are admitted; every twelfth one has a twin. Families beyond the first come by one statement. */
async function admitted(count: number): Promise<FreshmenSeason> {
  const season = await desk.opened({ class_plan: { dept_ids: classes } })
  const first = await desk.applied(season)
  await desk.pass([first.id])
  await desk.admit([first.id])
  await app.running.database.tenant<PeopleDb, unknown>(a, db => sql`
    insert into freshmen_apply (school_id, season_id, apply_no, user_name, sex, id_type, id_no_idx, id_no_mask, guardian, guardian_mobile, relation, "values", state, score, twin_group)
    select ${a}, ${season.id}, 'T' || ${season.id} || n, '新生' || n, case when n % 19 < 10 then '1' else '2' end, '1', decode(lpad(to_hex(n), 8, '0'), 'hex'), '***', '林大海', '16930000000', '51',
      jsonb_build_object('board', case when n % 7 = 0 then '1' else '0' end), '4', 60 + (n * 7919) % 400 / 10.0, case when n % 12 < 2 then 't' || n / 12 end
    from generate_series(1, ${count - 1}::int) as n`.execute(db))
  return dataOf(freshmenSeasonApi.turn, await desk.turn(season, 'closed'))
}

test('20-A31 252 admitted children come into 6 classes evenly, twins together; drawn again they come into the same; the seed that is published then has the hash that was published before', async () => {
  const season = await admitted(252)
  const first = dataOf(freshmenPlaceApi.run, await run(season.id))
  expect(first.figures.broken).toEqual([])
  expect([first.figures.spread.size, first.children.length]).toEqual([0, 252])
  expect(first.figures.spread.boys).toBeLessThanOrEqual(1)
  const where = new Map(first.places.map(({ id, dept_id }) => [id, dept_id]))
  const twins = [...Map.groupBy(first.children.filter(child => child.twin_group !== null), child => child.twin_group).values()]
  expect(twins.length).toBeGreaterThan(20)
  for (const pair of twins) expect(new Set(pair.map(child => where.get(child.id))).size).toBe(1)
  const again = dataOf(freshmenPlaceApi.run, await run(season.id, true))
  expect([again.places, again.input_hash]).toEqual([first.places, first.input_hash])
  expect((await desk.read(season.id)).lottery_seed).toBeNull()
  expect(refusal(await adopt(first.run_id))[1]).toBe('people.placeStale')
  expect(dataOf(freshmenPlaceApi.adopt, await adopt(again.run_id)).state).toBe('adopted')
  const placed = await desk.read(season.id)
  expect([placed.state, createHash('sha256').update(placed.lottery_seed ?? '').digest('hex')]).toEqual(['placed', season.lottery_seed_hash])
  expect(dataOf(registerPublicApi.look, await app.call(registerPublicApi.look, { key: season.register_key })).lottery).toEqual({ seed_hash: season.lottery_seed_hash, seed: placed.lottery_seed })
  const rows = await desk.page(season.id, { state: '4' })
  expect(rows.every(row => row.target_dept_id === where.get(row.id))).toBe(true)
  expect(dataOf(freshmenApi.page, await app.call(freshmenApi.page, { season_id: season.id, dept_id: classes[0] ?? '' }, as())).total).toBe(42)
}, 30_000)

test('children exchanged by hand are adopted as they sit; what breaks a rule, and a list that has changed since, are not', async () => {
  const season = await admitted(31)
  const drawn = dataOf(freshmenPlaceApi.run, await run(season.id))
  const single = (dept_id: string, is_boy: boolean) => drawn.children.find(child => child.twin_group === null && child.is_boy === is_boy && drawn.places.some(place => place.id === child.id && place.dept_id === dept_id))?.id ?? ''
  const [one = '', two = ''] = classes
  const large = drawn.figures.classes.find(figure => figure.size === 6)?.dept_id ?? ''
  const other = classes.find(dept_id => dept_id !== large) ?? ''
  expect(refusal(await adopt(drawn.run_id, [{ id: single(other, true), dept_id: large }]))[1]).toBe('people.placeBroken')
  expect(refusal(await adopt(drawn.run_id, [{ id: single(one, true), dept_id: '1' }]))[0]).toBe(404)
  const moved = [{ id: single(one, true), dept_id: two }, { id: single(two, true), dept_id: one }]
  const [late] = await desk.page(season.id, { state: '4' })
  const set = async (score: number | null) => {
    const { row_version } = dataOf(freshmenApi.detail, await app.call(freshmenApi.detail, { id: late?.id ?? '' }, as()))
    await app.call(freshmenApi.update, { id: late?.id ?? '', row_version, score }, as())
  }
  await set(99)
  expect(dataOf(freshmenPlaceApi.current, await app.call(freshmenPlaceApi.current, { season_id: season.id }, as())).board?.is_stale).toBe(true)
  expect(refusal(await adopt(drawn.run_id, moved))[1]).toBe('people.placeStale')
  await set(null)
  const adopted = dataOf(freshmenPlaceApi.adopt, await adopt(drawn.run_id, moved))
  expect([adopted.state, adopted.moved, adopted.figures.broken]).toEqual(['adopted', 2, []])
})

test('nothing is drawn while families apply, without classes, children or room', async () => {
  const open = await desk.opened({ class_plan: { dept_ids: classes } })
  expect(refusal(await run(open.id))[1]).toBe('people.placeEarly')
  const bare = dataOf(freshmenSeasonApi.turn, await desk.turn(await desk.opened(), 'closed'))
  expect(refusal(await run(bare.id))[1]).toBe('people.placeClasses')
  const empty = dataOf(freshmenSeasonApi.turn, await desk.turn(open, 'closed'))
  expect(refusal(await run(empty.id))[1]).toBe('people.placeNobody')
  const crowd = await admitted(280)
  expect(refusal(await run(crowd.id))).toEqual([422, 'people.placeRoom', '已录取280人，所选班级只能再编入270人，请增加班级或调整班额'])
})
