import type { Cause } from '@campus/devices/contract'
import { closedParts, withoutClosed } from '@kit/terminal-protocol'
import type { DoorRuleBody } from '@kit/terminal-protocol'
import { expect, test } from 'vitest'
import { permissionOf } from '../sync/permission.ts'
import { tellRow } from './row.sentence.ts'
import type { RowFact } from './row.sentence.ts'
import { whyNot } from './why.sentence.ts'
import type { Door, Held, Right, WhyFacts } from './why.sentence.ts'

// A Monday, 07:30 at school.
const now = new Date('2026-11-23T07:30:00+08:00')
const window = { from: '2026-09-01T00:00:00.000Z', to: '2027-07-01T00:00:00.000Z', weekly: { '1': ['07:00-08:00'] } }
const right: Right = { direction: 3, windows: [window], enforcement: 'local', expires_at: new Date(window.to) }
const door: Door = { device_name: '南门-3', lifecycle: 'active', holds_people: true, is_settable: true, place_name: '南门', direction: 1, online: true, is_push: true, last_seen_at: now, fault_code: null, clock_skew_ms: 0, rule: null, closed: [] }
/** Its door by a rule that says one thing all day on Mondays. */
const ruled = (mode: 'normal' | 'always_open' | 'always_closed'): DoorRuleBody => ({ kind: 'door', unlock_sec: 5, held_open_sec: 0, fire_opens: true, dates: [], weekly: { '1': [{ from: '00:00', to: '24:00', mode, verify: [] }] } })
/** The afternoon taken out of every right. */
const closed = closedParts({ dates: [], weekly: { '1': [{ from: '12:00', to: '18:00', mode: 'always_closed', verify: [] }] } })
const [narrowed] = withoutClosed(permissionOf(window, false), closed)
const row = (kind: Held['kind'], row_key: string, more: Partial<Held> = {}): Held => ({ kind, row_key, want_op: 'put', state: 'applied', attempts: 0, reason_code: null, reason_text: null, next_at: now, acked_at: now, proven_at: null, held: true, ...more })
const permission = (more: Partial<Held> = {}) => row('permission', permissionOf(window, false).id, more)
const [person, card] = [row('person', '7'), row('credential', 'c1')]
const facts: WhyFacts = { user_name: '张三', live: true, door, rights: [right], known: [{ row_key: 'c1', usable: true, blocked_reason: null }], rows: [permission(), person, card], now }
const never = { state: 'pending', acked_at: null, held: false } as const

test.each<[string, Partial<WhyFacts>, string, string]>([
  ['everything is there', {}, 'yes', '张三现在可以通过“南门-3”：权限、人员和凭证都已在设备上生效。设备在线，最近联系2026-11-23 07:30，时钟准。'],
  ['the device never came', { door: { ...door, lifecycle: 'pending', online: false, last_seen_at: null } }, 'no', '设备还没有连接过，上面没有任何人的数据。设备从未联系过。'],
  ['it stands nowhere', { door: { ...door, place_name: null } }, 'no', '设备没有绑定场所'],
  ['another device decides', { door: { ...door, holds_people: false } }, 'maybe', '由上级设备判断'],
  ['a rule closes the door', { door: { ...door, rule: ruled('always_closed') } }, 'no', '门禁规则规定此时段常闭'],
  ['a rule opens it to everybody', { door: { ...door, rule: ruled('always_open') }, rights: [], rows: [] }, 'yes', '门禁规则规定此时段常开，任何人都能通过'],
  ['a rule leaves it to the rights', { door: { ...door, rule: ruled('normal') } }, 'yes', '权限、人员和凭证都已在设备上生效'],
  ['his right is there without the closed times', { door: { ...door, closed }, rows: [row('permission', narrowed?.id ?? ''), person, card] }, 'yes', '权限、人员和凭证都已在设备上生效'],
  ['he has left', { live: false, rows: [] }, 'no', '他已不在校，没有通行资格。'],
  ['he has left and the device still holds him', { live: false }, 'maybe', '但设备还没有确认删除他的数据'],
  ['no right', { rights: [], rows: [] }, 'no', '他没有“南门”的通行权限'],
  ['the other way', { rights: [{ ...right, direction: 2 }], rows: [] }, 'no', '他只有“出”方向的权限，这台设备是“进”'],
  ['it has ended', { rights: [{ ...right, expires_at: new Date('2026-11-20T10:00:00+08:00') }], rows: [] }, 'no', '他的通行权限已于2026-11-20 10:00到期'],
  ['too early today', { now: new Date('2026-11-23T06:59:00+08:00') }, 'no', '现在不在允许的时间内，今天允许07:00-08:00'],
  ['the end is not part of it', { now: new Date('2026-11-23T08:00:00+08:00') }, 'no', '今天允许07:00-08:00'],
  ['not today', { now: new Date('2026-11-24T07:30:00+08:00') }, 'no', '今天没有允许的时间'],
  ['not yet', { rights: [{ ...right, windows: [{ ...window, from: '2026-11-30T00:00:00.000+08:00' }] }] }, 'no', '权限从2026-11-30 00:00起生效'],
  ['no card', { known: [] }, 'no', '他没有这台设备能识别的卡或密码'],
  ['a lost card', { known: [{ row_key: 'c1', usable: false, blocked_reason: 'lost' }] }, 'no', '他的卡或密码已停用'],
  ['the person was never sent', { rows: [permission(), row('person', '7', never), card], door: { ...door, online: false } }, 'no', '他的人员信息等待下发：设备离线'],
  ['an older version is there', { rows: [permission(), row('person', '7', { state: 'pending' }), card] }, 'maybe', '他的人员信息正在排队下发'],
  ['the card is refused', { rows: [permission(), person, row('credential', 'c1', { state: 'refused', reason_text: '卡号重复', held: false })] }, 'no', '他的卡或密码被设备拒绝：卡号重复'],
  ['full', { rows: [permission(), row('person', '7', { state: 'blocked', reason_code: 'capacity', held: false }), card] }, 'no', '他的人员信息没有下发：设备容量不足'],
  ['nothing is derived yet', { rows: [] }, 'no', '他的通行时段还没有排到这台设备'],
  ['its clock is an hour behind', { door: { ...door, clock_skew_ms: 3_600_000 } }, 'no', '按它的时间不在允许的时间内。设备在线，最近联系2026-11-23 07:30，时钟慢3600秒。'],
  ['its clock is a little ahead', { door: { ...door, clock_skew_ms: -137_000 } }, 'yes', '时钟快137秒'],
  ['asked of a server that is out of reach', { rights: [{ ...right, enforcement: 'online' }], rows: [row('permission', permissionOf(window, true).id), person, card], door: { ...door, online: false } }, 'no', '他的权限需要联网核验，而设备离线'],
  ['faulty', { door: { ...door, fault_code: 'E12' } }, 'maybe', '设备故障（E12）'],
])('%s', (_name, more, can, said) => {
  const told = whyNot({ ...facts, ...more })
  expect([told.can, told.sentence]).toEqual([can, expect.stringContaining(said)])
  expect(told.next_step).not.toBe('')
})

test.each<[string, Partial<WhyFacts>, Cause | null]>([
  ['everything is there', {}, null],
  ['it is paused', { rows: [permission(), row('person', '7', never), card], door: { ...door, is_push: false } }, 'push_paused'],
  ['it is disabled', { rows: [permission(), row('person', '7', never), card], door: { ...door, lifecycle: 'disabled' } }, 'device_disabled'],
  ['it is offline: no button brings power back', { rows: [permission(), row('person', '7', never), card], door: { ...door, online: false } }, null],
  ['a mass change is held', { rows: [permission({ state: 'blocked', reason_code: 'held', held: false }), person, card] }, 'mass_held'],
  ['it gave up', { rows: [permission(), row('person', '7', { state: 'refused', reason_code: 'retry_exhausted', held: false }), card] }, 'retry_exhausted'],
  ['the device refuses the face', { rows: [permission(), person, row('credential', 'f7', { state: 'refused', reason_text: '人脸质量低', held: false })], known: [{ row_key: 'f7', usable: true, blocked_reason: null }] }, 'face_refused'],
  ['the photo is no JPG', { rows: [permission(), person, row('credential', 'f7', { state: 'blocked', reason_code: 'photo_not_jpg', held: false })], known: [{ row_key: 'f7', usable: true, blocked_reason: null }] }, 'photo_unfit'],
  ['nothing is derived yet', { rows: [] }, 'not_derived'],
  ['nobody knows what it holds', { rows: [permission(), row('person', '7', { state: 'unknown' }), card] }, 'unanswered'],
  ['its clock is an hour behind', { door: { ...door, clock_skew_ms: 3_600_000 } }, 'clock_wrong'],
  ['its clock is set by no command', { door: { ...door, clock_skew_ms: 3_600_000, is_settable: false } }, null],
  ['it stands nowhere', { door: { ...door, place_name: null } }, 'not_placed'],
  ['a rule closes the door', { door: { ...door, rule: ruled('always_closed') } }, 'rule_closed'],
  ['no card', { known: [] }, 'person_data'],
  ['he has left and the device still holds him: it is told already', { live: false }, null],
])('30 §10.1 the cause that a button mends: %s', (_name, more, cause) => {
  expect(whyNot({ ...facts, ...more }).cause).toBe(cause)
})

const here = { online: true, is_push: true, lifecycle: 'active' }
const held: RowFact = { kind: 'person', row_key: '7', want_op: 'put', state: 'applied', attempts: 0, reason_code: null, reason_text: null, next_at: now, acked_at: now, proven_at: null }
const waiting: RowFact = { ...held, state: 'pending' }

test.each<[RowFact, Partial<typeof here>, string, string | null]>([
  [held, {}, '已于2026-11-23 07:30由设备确认生效', null],
  [{ ...held, state: 'proven', proven_at: now }, {}, '已于2026-11-23 07:30回读核对一致', null],
  [{ ...held, state: 'gone', want_op: 'delete' }, {}, '已于2026-11-23 07:30由设备确认删除', null],
  [{ ...held, state: 'gone', want_op: 'delete', acked_at: null }, {}, '设备上没有这条数据', null],
  [{ ...held, state: 'sent' }, {}, '已发给设备，还没有确认', '无需处理，等待设备确认'],
  [{ ...held, state: 'unknown' }, { online: false }, '已发出但设备没有回应，不清楚是否已保存', '检查设备的电源和网络，恢复连接后先回读核对'],
  [waiting, {}, '正在排队下发', '无需处理，等待设备确认'],
  [waiting, { lifecycle: 'disabled' }, '等待下发：设备已停用', '在“更多”中启用设备'],
  [waiting, { is_push: false }, '等待下发：设备已暂停下发', '选中设备点“恢复下发”'],
  [{ ...waiting, attempts: 3 }, {}, '暂时没能保存到设备，已试3次', '无需处理，2026-11-23 07:30再试'],
  [{ ...waiting, want_op: 'delete' }, { is_push: false }, '正在从设备删除', '无需处理，等待设备确认'],
  [{ ...waiting, want_op: 'delete' }, { online: false }, '应当删除，但设备离线，现在可能仍然有效', '检查设备的电源和网络，恢复连接后最先删除'],
  [{ ...waiting, want_op: 'delete', kind: 'permission' }, { is_push: false }, '不再使用，恢复下发后删除', '已没有人使用，无需处理'],
  [{ ...held, state: 'refused', reason_code: 'retry_exhausted' }, {}, '被设备拒绝：多次下发仍未成功', '检查设备是否正常，再重新下发'],
  [{ ...held, state: 'blocked', reason_code: 'no_consent' }, {}, '没有下发：没有人脸采集同意', '请家长或本人完成人脸采集授权'],
])('a row says what is the matter and what to do: %o %o', (fact, device, sentence, next_step) => {
  expect(tellRow(fact, { ...here, ...device })).toMatchObject({ sentence, next_step })
})
