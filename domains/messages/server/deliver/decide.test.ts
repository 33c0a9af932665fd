import { expect, it } from 'vitest'
import { decide } from './decide.ts'
import type { Decision, Facts } from './decide.ts'

const at = (time: string, day = '2026-11-20') => new Date(`${day}T${time}:00+08:00`)
const setting = { enabled: true, quiet_from: '22:00', quiet_to: '07:00', day_limit: 100, person_day_limit: 10 }
const calm: Facts = { now: at('12:00'), level: 1, expire_at: null, is_withdrawn: false, missing: null, attempts: 0, sent: { channel: 0, person: 0 }, setting }
const end = (state: 'withdrawn' | 'expired' | 'skipped' | 'failed', reason: number | null, next = false): Decision => ({ act: 'end', state, reason, next })
const until = (time: string, day?: string): Decision => ({ act: 'wait', until: at(time, day) })

it.each<[string, Partial<Facts>, Decision]>([
  ['by day it goes', {}, { act: 'send' }],
  ['at 23:10 it waits for 07:00', { now: at('23:10') }, until('07:00', '2026-11-21')],
  ['after midnight it waits for the same morning', { now: at('00:05') }, until('07:00')],
  ['at 22:00 quiet has begun', { now: at('22:00') }, until('07:00', '2026-11-21')],
  ['at 07:00 quiet is over', { now: at('07:00') }, { act: 'send' }],
  ['level 2 waits too', { now: at('23:10'), level: 2 }, until('07:00', '2026-11-21')],
  ['level 3 goes at night', { now: at('23:10'), level: 3 }, { act: 'send' }],
  ['quiet hours within one day', { now: at('12:30'), setting: { ...setting, quiet_from: '12:00', quiet_to: '14:00' } }, until('14:00')],
  ['no quiet hours when both ends are one', { now: at('23:10'), setting: { ...setting, quiet_to: '22:00' } }, { act: 'send' }],
  ['a withdrawn one is not sent', { is_withdrawn: true, level: 3 }, end('withdrawn', 7)],
  ['an old one is not sent', { expire_at: at('12:00') }, end('expired', null)],
  ['one that is not yet old is', { expire_at: at('12:01') }, { act: 'send' }],
  ['a channel that is off is passed over', { setting: { ...setting, enabled: false } }, end('skipped', 5, true)],
  ['without an address the next channel is tried', { missing: 2 }, end('skipped', 2, true)],
  ['who has left gets nothing on any channel', { missing: 5 }, end('skipped', 5)],
  ['the eleventh of a person is too many', { sent: { channel: 0, person: 10 } }, end('skipped', 6)],
  ['the hundred-and-first of a channel is too many', { sent: { channel: 100, person: 0 } }, end('skipped', 6)],
  ['one whose third sending ended with its process is not sent a fourth time', { attempts: 3, level: 3 }, end('failed', 4, true)],
  ['level 3 is never too many', { sent: { channel: 100, person: 10 }, level: 3 }, { act: 'send' }],
])('%s', (_what, facts, decision) => {
  expect(decide({ ...calm, ...facts })).toEqual(decision)
})
