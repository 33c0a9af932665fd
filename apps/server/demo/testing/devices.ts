import type { DevicesViews } from '@campus/devices/server'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { expect, test } from 'vitest'
import { demo_schools } from '../accounts.ts'
import { planFleet, refusals } from '../fleet.ts'
import type { Played } from '../fleet.ts'
import { fillPastDays, schoolDays } from '../past-days.ts'
import { facedPupils } from '../photos.ts'
import type { DemoServer } from './start-demo.ts'

type Row = Record<string, unknown>
const { main } = demo_schools
const all_doors = 46
const people_at = (device_sn: string) => sql<Row>`
  select r.state, r.want_op, r.reason_code, count(*)::int as n from sync_row r join device d on d.school_id = r.school_id and d.device_id = r.device_id
  where r.school_id = ${main} and d.device_sn = ${device_sn} and r.kind in ('person', 'credential') and r.state <> 'applied' group by 1, 2, 3 order by 1, 2, 3`

/** Questions to the main school. */
function asked(demo: () => DemoServer) {
  const rows = (query: ReturnType<typeof sql<Row>>) => demo().running.database.tenant<unknown, Row[]>(main, async db => (await query.execute(db)).rows)
  return { rows, count: async (query: ReturnType<typeof sql<Row>>) => Number((await rows(query))[0]?.n) }
}

/** Who is played, and in which state every device is as soon as all of them are there. */
async function live(demo: () => DemoServer): Promise<{ played: Played[]; faced: string[]; states: Record<string, number> }> {
  const { known, faced } = await demo().running.database.tenant(main, async (db: Kysely<DevicesViews>) => ({
    known: await db.selectFrom('device_live_v').select(['device_id', 'device_sn', 'model_code', 'parent_device_id', 'device_state']).where('school_id', '=', main).orderBy('device_sn').execute(),
    faced: await facedPupils(db, main),
  }))
  const played = planFleet(known, { doors: all_doors, faced })
  const online = new Map([...played.map(one => [one.sn, '1'] as const), ...played.flatMap(one => (one.children ?? []).map(child => [child.sn, { online: '1', offline: null, fault: '2' }[child.state]] as const))])
  const states: Record<string, number> = {}
  for (const { device_sn, device_state } of known) {
    const state = online.get(device_sn) ?? String(device_state)
    states[state] = (states[state] ?? 0) + 1
  }
  return { played, faced, states }
}

/** What the devices of the main school are doing; a part of the tests of the demo, which make one for all of them. */
export function testDevices(demo: () => DemoServer): void {
  const { rows, count } = asked(demo)

  test('has 617 devices, all where they belong but those of the buses, and none online: 9 were there and have lost their lines, one is disabled', async () => {
    expect(await count(sql<Row>`select count(*) as n from device_live_v where school_id = ${main} and place_id is null`)).toBe(12)
    expect(await rows(sql<Row>`select device_state, count(*)::int as n from device_live_v where school_id = ${main} group by 1 order by 1`)).toEqual([{ device_state: '0', n: 9 }, { device_state: '3', n: 1 }, { device_state: '5', n: 607 }])
    expect(await count(sql<Row>`select count(*) as n from device_live_v d join place_live_v p on p.school_id = d.school_id and p.place_id = d.place_id where d.school_id = ${main} and p.private_zone and d.device_type in ('01', '06', '12', '14')`)).toBe(0)
  })

  test('30-§8 when its terminals are there 9 are offline, 3 broken, 1 disabled, 4 never connected beside the 6 readers of desks, two are brought a program and all others online; what is odd about them they play', async () => {
    const { played, faced, states } = await live(demo)
    expect(states).toEqual({ 0: 9, 1: 594, 2: 3, 3: 1, 5: 4 + 6 })
    expect(played.filter(one => one.line_bytes_s !== undefined).map(one => one.sn)).toEqual((await rows(sql<Row>`select d.device_sn from firmware_task_device f join device d on d.school_id = f.school_id and d.device_id = f.device_id join firmware_task t on t.school_id = f.school_id and t.task_id = f.task_id
      where f.school_id = ${main} and t.state = 'running' and f.state = 'QUEUED' order by 1`)).map(row => row.device_sn))
    expect(played.filter(one => one.clock_offset_s === 137)).toHaveLength(1)
    expect(played.filter(one => one.local_persons?.length === 2)).toHaveLength(1)
    const [refusing] = played.flatMap(one => (one.refuse ? [one.refuse] : []))
    expect(refusing).toEqual(Object.fromEntries(refusals.map((why, nth) => [`f${faced[nth]}`, why])))
    expect(new Set(Object.values(refusing ?? {}).map(why => why.text)).size).toBe(6)
  })

  test('30-§8 one has not been heard of for three days, and 214 rows wait for it', async () => {
    expect(await rows(people_at('QM010041'))).toEqual([{ state: 'pending', want_op: 'put', reason_code: null, n: 214 }])
    expect(await count(sql<Row>`select round(extract(epoch from ${demo().running.app.clock.now()}::timestamptz - last_seen_at) / 86400) as n from device where school_id = ${main} and device_sn = 'QM010041'`)).toBe(3)
  })

  test('30-§8 at one a change that takes too many off is held back; one will be full to 96 %', async () => {
    expect(await rows(people_at('QM010042'))).toEqual([{ state: 'blocked', want_op: 'delete', reason_code: 'held', n: 280 }])
    expect(await rows(sql<Row>`select persons, persons_total from sync_plan where school_id = ${main} and state = 'held'`)).toEqual([{ persons: 140, persons_total: 180 }])
    expect(await rows(sql<Row>`
      select round(100.0 * count(*) / (m.limits ->> 'max_persons')::int)::int as pct from device d join device_model m on m.model_code = d.model_code join subject_grant g on g.school_id = d.school_id and g.device_id = d.device_id
      where d.school_id = ${main} and d.device_sn = 'QM010043' group by m.limits`)).toEqual([{ pct: 96 }])
  })
}

/** What they did and said before; a part of the same tests. */
export function testPast(demo: () => DemoServer): void {
  const { rows, count } = asked(demo)

  test('30-§8 forty alarms of two weeks, five of them not over; 24 rules, 3 tasks of firmware, 60 warnings of boxes in all eight kinds', async () => {
    expect(await rows(sql<Row>`select count(*)::int as n, (count(*) filter (where cleared_at is null))::int as open, count(distinct alarm_kind)::int as kinds from alarm_event where school_id = ${main}`)).toEqual([{ n: 40, open: 5, kinds: 7 }])
    expect(await rows(sql<Row>`select (select count(*)::int from device_rule where school_id = ${main}) as rules, (select count(*)::int from firmware_task where school_id = ${main}) as tasks, count(*)::int as warnings, count(distinct warn_kind)::int as kinds from ai_warning where school_id = ${main}`))
      .toEqual([{ rules: 24, tasks: 3, warnings: 60, kinds: 8 }])
  })

  test('30-§8 a past school day has its passes, most of them between 07:10 and 07:50 and each at a door of its own place; written once more it is the same day', async () => {
    const last = schoolDays(new Date(demo().running.app.clock.now().getTime() + 8 * 3_600_000).toISOString().slice(0, 10), 2)[1] ?? ''
    await fillPastDays(demo().running, 2, 0)
    const [day] = await rows(sql<Row>`
      select count(*)::int as n, count(distinct user_id)::int as people, (count(*) filter (where user_id is null and pass_state = 2))::int as strangers, count(distinct place_id)::int as places,
        (count(*) filter (where (event_time at time zone 'Asia/Shanghai')::time between '07:10' and '07:50'))::int as morning, (count(*) filter (where not exists (select from device_place p where p.school_id = e.school_id and p.device_id = e.device_id and p.place_id = e.place_id)))::int as elsewhere
      from pass_event e where school_id = ${main} and event_date = ${last}::date`)
    expect(day).toMatchObject({ places: 5, strangers: 120, elsewhere: 0 })
    expect(Number(day?.n)).toBeGreaterThan(14_000)
    expect(Number(day?.n)).toBeLessThan(17_500)
    expect(Number(day?.people)).toBeGreaterThan(4000)
    expect(Number(day?.morning)).toBeGreaterThan(2500)
    expect(await count(sql<Row>`select count(distinct device_id) as n from device_metric where school_id = ${main}`)).toBeGreaterThan(200)
    await fillPastDays(demo().running, 2, 0)
    expect(await count(sql<Row>`select count(*) as n from pass_event where school_id = ${main} and event_date = ${last}::date`)).toBe(Number(day?.n))
  })

  test('30-§8 the enterprise has 81 devices, each where it belongs, and none has connected yet', async () => {
    const { enterprise } = demo_schools
    expect(await demo().running.database.tenant<unknown, Row[]>(enterprise, async db => (await sql<Row>`select device_state, count(*)::int as n, count(place_id)::int as placed from device_live_v where school_id = ${enterprise} group by 1`.execute(db)).rows)).toEqual([{ device_state: '5', n: 81, placed: 81 }])
  })
}
