import { canonical, jdevDriver, rowHash } from '@kit/terminal-protocol'
import { vf105Driver } from '@kit/terminal-protocol/vf105'
import { describe, expect, test } from 'vitest'
import { Lab, prefix, sn } from './testing/lab.ts'
import { playJdev, playVf105 } from './testing/played.ts'
import { playStub, stubDriver } from './testing/stub-driver.ts'
import { card, gone, people, permission, permission_id, person } from './testing/rows.ts'

/** An answer with rows, wherever in a read-back it stands. */
const recheck_cursor = { step: 1, page: 0 }

const whole = [permission(), person('7'), card('70', '7', 'AB12CD34')]
const session = { client_id: sn, prefix }

describe.each([
  ['jdev', jdevDriver, playJdev],
  ['vf105', vf105Driver, playVf105],
  ['stub', stubDriver, playStub],
] as const)('31-A25 the driver %s', (name, driver, play) => {
  const start = () => new Lab(driver, play())
  const filled = () => {
    const lab = start()
    lab.sync(whole)
    return lab
  }
  const statuses = (receipts: readonly { status: string }[]) => receipts.map(one => one.status)

  describe('and what it sends', () => {
    test('a permission, a person and a card are held as they were sent', () => {
      const lab = start()
      expect(statuses(lab.sync(whole))).toEqual(['applied', 'applied', 'applied'])
      for (const row of whole) expect(lab.device.held(row.k)).toContainEqual({ key: row.key, hash: row.hash })
    })

    test('what is sent twice is held once', () => {
      const lab = filled()
      expect(statuses(lab.sync(whole)).every(status => status === 'applied' || status === 'same')).toBe(true)
      expect(lab.device.held('credential')).toHaveLength(1)
    })

    test('a change takes the place of what was there', () => {
      const lab = filled()
      const changed = person('7', { name: '新名' }, 2)
      lab.sync([changed])
      expect(lab.device.held('person')).toEqual([{ key: '7', hash: changed.hash }])
    })

    test.each(['credential', 'person', 'permission'] as const)('a %s that is taken away is gone', kind => {
      const lab = filled()
      const key = { credential: 'c70', person: '7', permission: permission_id }[kind]
      expect(statuses(lab.sync([gone(kind, key)]))).toEqual(['applied'])
      expect(lab.device.held(kind)).toEqual([])
    })

    test.each(['credential', 'person', 'permission'] as const)('a %s that is not there is gone as well', kind => {
      expect(statuses(start().sync([gone(kind, 'P9')]))).toEqual(['applied'])
    })

    test('31-A7 one more than fits makes two commands', () => {
      const lab = start()
      const rows = people(lab.limits.rows_per_command + 1)
      lab.sync([permission(), ...rows])
      const with_people = lab.sent.filter(({ rows: of }) => of.some(row => row.k === 'person' && row.key !== '0'))
      expect(with_people.length).toBe(2)
      expect(lab.device.held('person')).toHaveLength(rows.length)
    })

    test('31-A8 people and credentials that go are gone before others come', () => {
      const lab = filled()
      const before = lab.sent.length
      lab.sync([person('8'), card('80', '8', 'EE'), gone('credential', 'c70'), gone('person', '7')])
      const ops = lab.sent.slice(before).flatMap(({ rows }) => rows.map(row => row.op))
      expect(ops).toEqual([...ops.filter(op => op === 'delete'), ...ops.filter(op => op === 'put')])
      expect(lab.device.held('person').map(row => row.key)).toEqual(['8'])
    })

    test('a card that changes hands has one holder', () => {
      const lab = filled()
      expect(statuses(lab.sync([gone('credential', 'c70'), person('8'), card('80', '8', 'AB12CD34')]))).toEqual(['applied', 'applied', 'applied'])
      expect(lab.device.held('credential').map(row => row.key)).toEqual(['c80'])
    })

    test('nothing to do is no command', () => {
      expect(driver.plan([], driver.limits('any'))).toEqual({ requests: [], blocked: [] })
    })

    test('every row goes exactly once', () => {
      const rows = [...whole, ...people(250), gone('credential', 'c1'), gone('person', '2')]
      const { requests, blocked } = driver.plan(rows, driver.limits('any'))
      expect([...requests.flatMap(one => one.rows), ...blocked].map(row => row.key).toSorted()).toEqual(rows.map(row => row.key).toSorted())
    })

    test('the same rows make the same plan', () => {
      const rows = [...whole, ...people(50)]
      expect(canonical(driver.plan(rows, driver.limits('any')))).toBe(canonical(driver.plan(rows, driver.limits('any'))))
    })

    test('a receipt names the version that was sent', () => {
      expect(start().sync([permission(), person('7', {}, 41)]).map(one => one.ver)).toEqual([1, 41])
    })

    test('a command is on the device’s own topic, is JSON and carries its serial', () => {
      const lab = filled()
      for (const command of lab.sent) {
        const { topic, bytes, serial } = driver.encode(command)
        expect(topic.startsWith(`${prefix}/${sn}/`)).toBe(true)
        expect(JSON.stringify(JSON.parse(Buffer.from(bytes).toString()))).toContain(serial)
      }
    })

    test('no two commands have the same serial', () => {
      const lab = start()
      lab.sync([permission(), ...people(450)])
      const serials = lab.sent.map(command => driver.encode(command).serial)
      expect(new Set(serials).size).toBe(serials.length)
    })

    test('no command is larger than the device takes', () => {
      const lab = start()
      lab.sync([permission(), ...people(450)])
      for (const command of lab.sent) expect(driver.encode(command).bytes.length).toBeLessThan(lab.limits.packet_bytes + 2048)
    })

    test('every command has its patience', () => {
      const { requests } = driver.plan(whole, driver.limits('any'))
      for (const request of requests) expect(driver.timeout_ms(request)).toBeGreaterThanOrEqual(15_000)
    })
  })

  describe('and answers that do not come', () => {
    test('a lost answer leaves its rows unknown, though the device has them', () => {
      const lab = start()
      lab.device.drop_replies(1)
      expect(statuses(lab.sync([permission()]))).toEqual(['unknown'])
      expect(lab.device.held('permission')).toHaveLength(1)
    })

    test('what is unknown is read, and is right', () => {
      const lab = start()
      lab.sync([permission()])
      lab.device.drop_replies(1)
      lab.sync([person('7')])
      const last = lab.sent.at(-1)
      const pages = last ? driver.recheck(last).flatMap(request => lab.ask(request) ?? []).flatMap(reply => driver.page('person', recheck_cursor, reply, lab.limits, []) ?? []) : []
      expect(driver.compare(pages, [{ key: '7', hash: person('7').hash }])).toEqual([])
    })

    test('an answer settles only what it names', () => {
      const lab = start()
      lab.sync([permission()])
      const [request] = driver.plan([person('7')], lab.limits).requests
      expect(request && driver.settle(request, { re: 'x', action: 'other', code: 'x', message: '', data: {} }).filter(one => one.status !== 'unknown')).toEqual([])
    })

    test('a device that is away answers nothing, and takes up where it was', () => {
      const lab = filled()
      lab.disconnect()
      lab.connect()
      expect(driver.compare(lab.read('person'), [{ key: '7', hash: person('7').hash }])).toEqual([])
    })
  })

  describe('and what it reads back', () => {
    const wanted = () => people(250).map(({ key, hash }) => ({ key, hash }))
    const full = () => {
      const lab = start()
      lab.sync([permission(), ...people(250)])
      return lab
    }

    test('equal sides differ in nothing', () => expect(driver.compare(full().read('person'), wanted())).toEqual([]))

    test('permissions and credentials are read as people are', () => {
      const lab = filled()
      expect(driver.compare(lab.read('permission'), [{ key: permission_id, hash: permission().hash }])).toEqual([])
      expect(driver.compare(lab.read('credential'), [{ key: 'c70', hash: card('70', '7', 'AB12CD34').hash }])).toEqual([])
    })

    test('a row that was changed is found', () => {
      const lab = full()
      lab.device.spoil('person', '1077')
      expect(driver.compare(lab.read('person'), wanted())).toEqual([{ key: '1077', is: 'differs' }])
    })

    test('a row that was lost is found', () => {
      const lab = full()
      lab.device.lose('person', '1200')
      expect(driver.compare(lab.read('person'), wanted())).toEqual([{ key: '1200', is: 'missing' }])
    })

    test('a row that nobody sent is found', () => {
      const lab = full()
      lab.device.plant('local')
      expect(driver.compare(lab.read('person'), wanted())).toEqual([{ key: 'local', is: 'foreign' }])
    })

    test('an empty device lacks everything', () => expect(driver.compare(start().read('person'), wanted())).toHaveLength(250))
  })

  describe('and what it hears', () => {
    test('a device that comes says so', () => expect(start().said[0]?.kind).toBe('link'))

    test('somebody who may pass passes', () => {
      const lab = filled()
      lab.device.show('AB12CD34')
      expect(lab.events().map(({ pass }) => ({ user: pass?.user_id, state: pass?.state, verify: pass?.verify }))).toEqual([{ user: '7', state: 1, verify: 2 }])
    })

    test('a card that nobody has does not', () => {
      const lab = filled()
      lab.device.show('FFFF0000')
      expect(lab.events().map(({ pass }) => [pass?.user_id, pass?.state === 1])).toEqual([[undefined, false]])
    })

    test('31-A14 a card is told by its last four characters', () => {
      const lab = filled()
      lab.device.show('AB12CD34')
      const [event] = lab.events()
      const { lookup: _lookup, ...kept } = event?.pass ?? { lookup: undefined }
      expect(JSON.stringify(kept)).toContain('****CD34')
      expect(JSON.stringify(kept)).not.toContain('AB12CD34')
    })

    test('31-A9 what happened while nobody listened comes in its order, once', () => {
      const lab = filled()
      lab.disconnect()
      for (let n = 0; n < 20; n += 1) lab.device.show(n % 2 === 0 ? 'AB12CD34' : 'FFFF0000')
      lab.connect()
      expect(lab.events().map(({ pass }) => pass?.user_id)).toEqual(Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? '7' : undefined)))
      expect(new Set(lab.events().map(one => one.seq)).size).toBe(20)
    })

    test('what was not acknowledged comes again under its own name', () => {
      const lab = filled()
      lab.acknowledges = false
      lab.device.show('AB12CD34')
      lab.disconnect()
      lab.acknowledges = true
      lab.connect()
      const names = lab.events().map(one => one.seq)
      expect(names).toHaveLength(2)
      expect(new Set(names).size).toBe(1)
    })

    test('what was acknowledged does not', () => {
      const lab = filled()
      lab.device.show('AB12CD34')
      lab.disconnect()
      lab.connect()
      expect(lab.events()).toHaveLength(1)
    })

    test('a greeting waits for no acknowledgement', () => {
      const [greeting] = start().said
      expect(greeting && driver.acknowledge(greeting, { id: 'a', seq: 1, epoch: 'e', at: '2026-01-01T00:00:00Z', ...session })).toBeUndefined()
    })

    test('a topic of another device is not its own', () => {
      const [filter = ''] = driver.topics(sn, prefix).subscribe
      expect(filter.startsWith(`${prefix}/${sn}/`)).toBe(true)
      expect(driver.topics(sn, prefix).owns(`${prefix}/S2/up/event`)).toBe(false)
      expect(driver.decode(`${prefix}/S2/access_device/v2/event/access`, Buffer.from('{}'), session)).toMatchObject({ kind: 'bad', reason: 'topic' })
    })

    test('31-A5 ten thousand mutated messages are read or refused, and never thrown; none that names another device is taken for its own', () => {
      const lab = filled()
      const heard: [string, Uint8Array][] = []
      lab.device.connect((topic, bytes) => heard.push([topic, bytes]))
      lab.device.show('AB12CD34')
      let state = 7
      const next = (below: number) => {
        state = (state * 48_271) % 2_147_483_647
        return state % below
      }
      const counted = { read: 0, bad: 0, foreign: 0 }
      for (let n = 0; n < 10_000; n += 1) {
        const [topic, said] = heard[n % heard.length] ?? ['', Buffer.from('')]
        const bytes = Buffer.from(said)
        for (let change = 0; change <= next(4); change += 1) bytes[next(bytes.length)] = next(256)
        const inbound = driver.decode(topic, bytes.subarray(0, bytes.length - next(3)), session)
        driver.acknowledge(inbound, { id: 'a', seq: 1, epoch: 'e', at: '2026-01-01T00:00:00Z', ...session })
        counted[inbound.kind === 'bad' ? 'bad' : 'read'] += 1
        const uuid = /"uuid":"([^"]*)"/u.exec(bytes.toString())?.[1]
        if (uuid === undefined || uuid === sn) continue
        counted.foreign += 1
        expect([uuid, inbound.kind]).toEqual([uuid, 'bad'])
      }
      expect(counted.read + counted.bad).toBe(10_000)
      expect(Math.min(counted.read, counted.bad)).toBeGreaterThan(100)
      // Of these three VF105 alone says in each message who it is.
      expect(counted.foreign > 100).toBe(name === 'vf105')
    })

    test.each(['{', '[]', 'null', '""', '{"v":1}', `{"serialNo":"1","uuid":"S1","data":${'['.repeat(4000)}${']'.repeat(4000)}}`])('no message is %s', text => {
      const topic = `${prefix}/${sn}/${{ jdev: 'up/event', vf105: 'access_device/v2/event/access', stub: 'stub/said' }[name]}`
      expect(driver.decode(topic, Buffer.from(text), session).kind).toBe('bad')
    })
  })

  describe('and what it says of itself', () => {
    test('its table of abilities is full', () => {
      expect(Object.keys(driver.capabilities('any')).toSorted()).toEqual(['door_schedule', 'evacuate', 'hold_open', 'lock', 'max_times', 'online_verify', 'power', 'qr', 'readback', 'sleep', 'weekly'])
    })

    test('its limits are such', () => {
      const { rows_per_command, packet_bytes, photo_bytes } = driver.limits('any')
      expect(Math.min(rows_per_command, packet_bytes, photo_bytes)).toBeGreaterThan(0)
      expect(rowHash(driver.limits('any'))).toHaveLength(16)
    })

    test('it has its name', () => expect(driver.name).toBe(name))
  })
})
