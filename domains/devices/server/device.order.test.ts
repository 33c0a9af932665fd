import { dataOf } from '@apps/server/testing'
import { deviceApi } from '@campus/devices/contract'
import type { DeviceSort } from '@campus/devices/contract'
import { schoolMoment } from '@kit/terminal-protocol'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDevices } from './device.create.ts'
import { startDevices } from './testing/start.ts'
import type { DevicesTest } from './testing/start.ts'

const both_ways = 3 as const
let d: DevicesTest
beforeAll(async () => {
  d = await startDevices()
})
afterAll(() => d.close())

/** Named after what they are; a name that begins with 闸 is a gate. Numbers go against the order that is expected. */
const names = ['班牌如常', '闸未激活', '闸停用有故障', '班牌按计划关机', '班牌维护', '班牌积压一小时', '班牌积压两小时', '班牌待确认', '班牌差异', '班牌离线', '班牌故障', '闸如常', '闸积压', '闸离线', '闸故障'] as const

async function aSchoolInTrouble(): Promise<string> {
  const place_id = await d.aPlace()
  await d.tenant(async db => {
    const planned = names.map((device_name, n) => ({ key: device_name, device_sn: `ORDER${n}`, device_name, ...(device_name.startsWith('闸') ? { device_type: '01' as const, model_code: 'JD-F10' } : { device_type: '03' as const, model_code: 'JD-B32' }), parent: null, place_id, direction: both_ways }))
    const ids = await createDevices(db, d.school_id, planned, d.app.clock.now())
    const idOf = (name: (typeof names)[number]) => ids.get(name) ?? ''
    const turn = (which: string, set: ReturnType<typeof sql>) => sql`update device set ${set} where school_id = ${d.school_id} and device_name like ${which}`.execute(db)
    await turn('%', sql`lifecycle = 'active', online = true, online_since = now(), offline_reason = null`)
    for (const which of ['%离线', '%关机', '%维护', '%未激活']) await turn(which, sql`online = false, online_since = null`)
    await turn('%故障', sql`fault_code = 'E1'`)
    await turn('%停用%', sql`lifecycle = 'disabled'`)
    await turn('%未激活', sql`lifecycle = 'pending'`)
    await sql`insert into sync_drift (school_id, device_id, kind, row_key, found, found_at) values (${d.school_id}, ${idOf('班牌差异')}, 'person', '1', 'foreign', now())`.execute(db)
    await sql`insert into sync_plan (school_id, device_id, persons, persons_total, state, held_at) values (${d.school_id}, ${idOf('班牌待确认')}, 60, 100, 'held', now())`.execute(db)
    await sql`insert into device_maintenance (school_id, device_id, begin_at, end_at, reason, declared_by) values (${d.school_id}, ${idOf('班牌维护')}, ${d.app.clock.now()}, ${d.app.clock.now()}::timestamptz + interval '1 hour', '检修', 1)`.execute(db)
    const today = schoolMoment(d.app.clock.now()).date
    await sql`insert into device_rule_plan (school_id, device_id, rule_kind, body, hash, rule_ids, planned_from) values (${d.school_id}, ${idOf('班牌按计划关机')}, 2, ${JSON.stringify({ kind: 'close', dates: [{ date: today, windows: [{ from: '00:00', to: '24:00' }] }], weekly: {} })}, '0', '{}', ${today})`.execute(db)
    for (const [name, hours] of [['闸积压', 0], ['班牌积压一小时', 1], ['班牌积压两小时', 2]] as const) {
      await sql`insert into sync_row (school_id, device_id, kind, row_key, want_op, want_hash, want_version, prio, state, next_at, wanted_at) values (${d.school_id}, ${idOf(name)}, 'block', '1', 'put', '0', 1, 6, 'pending', now() + interval '1 hour', now() - ${hours} * interval '1 hour')`.execute(db)
    }
  })
  return place_id
}

test('30 §5 the list begins with gates in trouble, then other trouble by what it is, then the rest by kind; another order is asked for', async () => {
  const place_id = await aSchoolInTrouble()
  const listed = async (sort?: DeviceSort) => dataOf(deviceApi.list, await d.app.call(deviceApi.list, { place_id, ...(sort ? { sort } : {}) }, { token: d.me.token })).list.map(row => row.device_name)
  const trouble = ['闸故障', '闸离线', '闸积压', '班牌故障', '班牌离线', '班牌差异', '班牌待确认', '班牌积压两小时', '班牌积压一小时']
  expect(await listed()).toEqual([...trouble, '闸未激活', '闸停用有故障', '闸如常', '班牌如常', '班牌按计划关机', '班牌维护'])
  expect(await listed('trouble')).toEqual(await listed())
  expect([(await listed('place')).at(0), (await listed('place')).length]).toEqual(['闸未激活', names.length])
  expect((await listed('name')).toSorted()).toEqual([...names].toSorted())
})
