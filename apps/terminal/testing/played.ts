import type { HeldRow, RowKind } from '@kit/terminal-protocol'
import { JdevTerminal } from '../jdev/terminal.ts'
import { Vf105Device } from '../vf105/device.ts'
import { Vf105Store } from '../vf105/store.ts'
import { ManualClock } from './manual-clock.ts'
import { prefix, sn } from './lab.ts'
import type { Played } from './lab.ts'

const [let_through, no_right, by_card] = [1, 2, 2]
const card_type = '200'

/** Our own terminal. */
export function playJdev(): Played {
  const terminal = new JdevTerminal({ url: '', sn, secret: '', prefix })
  const { store } = terminal
  return {
    connect: up => terminal.attach({ send: up }),
    disconnect: () => terminal.attach(undefined),
    down: (topic, bytes) => terminal.receive(topic, bytes),
    held: kind => [...store.held(kind)].map(([key, { hash }]) => ({ key, hash })),
    spoil(kind, key) {
      const row = store.held(kind).get(key)
      if (row) row.hash = '0'.repeat(16)
    },
    lose: (kind, key) => void store.apply({ k: kind, key, op: 'delete', ver: 1_000_000, hash: '0'.repeat(16) }),
    plant: key => void store.apply({ k: 'person', key, op: 'put', ver: 1, hash: 'f'.repeat(16) }),
    show(card) {
      const held = [...store.held('credential').values()].find(one => one.body?.code === card)?.body
      terminal.pass({ verify: by_card, result: held ? let_through : no_right, code_masked: `****${card.slice(-4)}`, ...(held ? { user_id: String(held.user_id) } : {}) })
    },
    drop_replies(count) {
      terminal.faults.drop_replies = count
    },
  }
}

export type PlayedVf105 = Played & { device: Vf105Device; store: Vf105Store; clock: ManualClock; dropped: number[] }

/** The virtual VF105 with a clock that stands still. */
export function playVf105(): PlayedVf105 {
  const store = new Vf105Store(sn)
  Object.assign(store.config.mqtt ?? {}, { prefix: `${prefix}/${sn}` })
  const clock = new ManualClock(Date.parse('2026-11-23T08:00:00+08:00'))
  const dropped: number[] = []
  let up: ((topic: string, bytes: Uint8Array) => void) | undefined
  const device = new Vf105Device(sn, store, clock, {
    send: (topic, bytes) => up?.(topic, bytes),
    drop(ms) {
      dropped.push(ms)
      device.lost()
      clock.later(ms, () => device.connected())
    },
  })
  const held = (kind: RowKind) => (kind === 'person' ? store.users : kind === 'credential' ? store.keys : store.permissions)
  return {
    device, store, clock, dropped,
    connect(to) {
      up = to
      device.connected()
    },
    disconnect: () => device.lost(),
    down: (topic, bytes) => device.receive(topic, bytes),
    held: kind => [...held(kind)].map(([key, { extra }]): HeldRow => ({ key, hash: String(extra.h) })),
    spoil: (kind, key) => void Object.assign(held(kind).get(key) ?? {}, { extra: { h: '0'.repeat(16) } }),
    lose: (kind, key) => void held(kind).delete(key),
    plant: key => void store.users.set(key, { userId: key, name: key, permissionIds: [], extra: {} }),
    show: card => device.present(card_type, card),
    drop_replies(count) {
      device.faults.drop_replies = count
    },
  }
}
