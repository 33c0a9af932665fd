import type { Cause, WhyNot } from '@campus/devices/contract'
import { DEVICE_DIRECTION } from '@campus/devices/contract'
import { isOver, permissionOf } from '../sync/permission.ts'
import type { GrantWindow } from '../sync/permission.ts'
import { tellBlocked, tellRow } from './row.sentence.ts'
import type { RowFact } from './row.sentence.ts'
import { doorAt, withoutClosed } from '@kit/terminal-protocol'
import type { ClosedPart, DoorRuleBody } from '@kit/terminal-protocol'
import { dayTime, minuteOf, timeText } from './time.ts'

/** A door at a moment: where it stands, its line, its clock (`clock_skew_ms` > 0: it is behind). */
export type Door = {
  device_name: string
  lifecycle: string
  holds_people: boolean
  /** whether its clock is set by a command */
  is_settable: boolean
  place_name: string | null
  direction: number | null
  online: boolean
  is_push: boolean
  last_seen_at: Date | null
  fault_code: string | null
  clock_skew_ms: number | null
  /** what its door rules say day by day */
  rule: DoorRuleBody | null
  /** the times that its rules take out of every right, on hardware that knows no rules */
  closed: readonly ClosedPart[]
}
/** A right at the door's place, also one that has ended or is for the other way. */
export type Right = { direction: number; windows: readonly GrantWindow[]; enforcement: 'local' | 'online'; expires_at: Date }
/** A card, code or password that the door could read, with the key of its row. */
export type Known = { row_key: string; usable: boolean; blocked_reason: string | null }
/** A row of this very device; `held`: the device has said at some time that it holds it. */
export type Held = RowFact & { held: boolean }
/** Everything that decides whether somebody gets in; `rows` are his own and the permissions of the device. */
export type WhyFacts = { user_name: string; live: boolean; door: Door; rights: readonly Right[]; known: readonly Known[]; rows: readonly Held[]; now: Date }

type Finding = { can: WhyNot['can']; reason: string; next_step: string | null; cause?: Cause | null; row?: WhyNot['row'] }
type Verdict = Pick<WhyNot, 'can' | 'sentence' | 'next_step' | 'row'> & { cause: Cause | null }

const both_ways = 3
const [right_s, second_ms] = [60, 1000]
const openings = { yes: '现在可以通过', no: '现在不能通过', maybe: '现在可能不能通过' } as const
const no = (reason: string, next_step: string, cause: Cause | null = null): Finding => ({ can: 'no', reason, next_step, cause })
const maybe = (reason: string, next_step: string): Finding => ({ can: 'maybe', reason, next_step })
const isThere = ({ want_op, state }: RowFact) => want_op === 'put' && (state === 'applied' || state === 'proven')

/** Why somebody does not get in here and now: the first thing that stops him, what to do, and how far the device can be believed; pure (chapter 30 §10.1). */
export function whyNot(facts: WhyFacts): Verdict {
  const { can, reason, next_step, cause = null, row = null } = ofDoor(facts) ?? ofRule(facts) ?? ofRights(facts) ?? ofKnown(facts) ?? ofRows(facts) ?? ofMoment(facts) ?? works
  return { can, sentence: `${facts.user_name}${openings[can]}“${facts.door.device_name}”：${reason}。${contact(facts.door)}。`, next_step, cause, row }
}

const works: Finding = { can: 'yes', reason: '权限、人员和凭证都已在设备上生效', next_step: '如果仍然进不去，请他在设备前再试一次，在“刷卡监控”中查看设备给出的原因' }

function ofDoor({ door }: WhyFacts): Finding | null {
  if (door.lifecycle === 'pending') return no('设备还没有连接过，上面没有任何人的数据', '在设备上填写接入信息，让它连接一次')
  if (door.lifecycle === 'retired') return no('设备已退役', '请到该场所现在使用的设备上查询')
  if (!door.holds_people) return maybe('该型号自己不保存人员，由上级设备判断', '请到它的上级设备上查询')
  if (door.place_name === null) return no('设备没有绑定场所', '点“移动场所”为设备选择场所', 'not_placed')
  return null
}

/** What the door's own rule says stands above every right (chapter 30 rule 18). */
function ofRule({ door: { rule }, now }: WhyFacts): Finding | null {
  const mode = rule === null ? undefined : doorAt(rule, now)?.mode
  if (mode === 'always_closed') return no('门禁规则规定此时段常闭', '请在“门禁规则”中查看，急用时请远程开门', 'rule_closed')
  if (mode === 'always_open') return { can: 'yes', reason: '门禁规则规定此时段常开，任何人都能通过', next_step: null }
  return null
}

function ofRights(facts: WhyFacts): Finding | null {
  const { live, rights, door, now } = facts
  if (!live) return staying(facts, '他已不在校，没有通行资格', '如已返校，请先在人员档案中办理', 'person_data')
  if (rights.length === 0) return staying(facts, `他没有“${door.place_name}”的通行权限`, '请为他开通该场所的通行权限')
  const fitting = rights.filter(right => fits(right, door))
  const [other] = rights
  if (fitting.length === 0) return staying(facts, `他只有“${way(other?.direction)}”方向的权限，这台设备是“${way(door.direction)}”`, '换用对应方向的设备，或调整权限的方向')
  const current = fitting.filter(right => isCurrent(right, now))
  if (current.length === 0) return staying(facts, `他的通行权限已于${timeText(latest(fitting))}到期`, '请为他续期通行权限')
  if (openNow(current, now).length === 0) return no(`现在不在允许的时间内，${timesOf(current, now)}`, '请在允许的时间通过，或调整他的通行时间')
  return null
}

function ofKnown({ known }: WhyFacts): Finding | null {
  if (known.some(one => one.usable)) return null
  const [first] = known
  if (!first) return no('他没有这台设备能识别的卡或密码', '请为他发卡', 'person_data')
  const { next_step, cause } = tellBlocked(first.blocked_reason)
  return no('他的卡或密码已停用', next_step ?? '请为他换发', cause)
}

/** The person, one of what he is known by and one of his rights must be on this very device. */
function ofRows(facts: WhyFacts): Finding | null {
  const { rows, known, rights, door, now } = facts
  const open = openNow(rights.filter(right => fits(right, door) && isCurrent(right, now)), now)
  const permissions = new Set(open.flatMap(([right, window]) => namesOf(permissionOf(window, right.enforcement === 'online'), door)))
  const usable = new Set(known.filter(one => one.usable).map(one => one.row_key))
  return (
    ofPart(facts, '通行时段', rows.filter(row => row.kind === 'permission' && permissions.has(row.row_key))) ??
    ofPart(facts, '人员信息', rows.filter(row => row.kind === 'person')) ??
    ofPart(facts, '卡或密码', rows.filter(row => row.kind === 'credential' && usable.has(row.row_key)))
  )
}

/** The names of a right's permissions on this very device. */
function namesOf(permission: ReturnType<typeof permissionOf>, { closed }: Door): string[] {
  return (closed.length === 0 ? [permission] : withoutClosed(permission, closed)).map(one => one.id)
}

function ofPart({ door }: WhyFacts, name: string, rows: readonly Held[]): Finding | null {
  if (rows.some(isThere)) return null
  const row = rows.find(one => one.held) ?? rows[0]
  if (!row) return no(`他的${name}还没有排到这台设备`, '数据刚刚变更，请稍后再查，仍没有时重新下发', 'not_derived')
  const { sentence, next_step, cause } = tellRow(row, door)
  return { can: row.held || row.state === 'unknown' || row.state === 'sent' ? 'maybe' : 'no', reason: `他的${name}${sentence}`, next_step, cause, row: { kind: row.kind, row_key: row.row_key } }
}

/** Everything is on the device; what is left is its own clock, its line and its health. */
function ofMoment({ door, rights, now }: WhyFacts): Finding | null {
  const here = rights.filter(right => fits(right, door) && isCurrent(right, now))
  const by_its_clock = new Date(now.getTime() - (door.clock_skew_ms ?? 0))
  if (openNow(here, by_its_clock).length === 0) return no('设备的时钟不准，按它的时间不在允许的时间内', '请校准设备时间', door.online && door.is_settable ? 'clock_wrong' : null)
  if (!door.online && openNow(here, now).every(([right]) => right.enforcement === 'online')) return no('他的权限需要联网核验，而设备离线', '检查设备的电源和网络')
  if (door.fault_code !== null) return maybe(`设备故障（${door.fault_code}）`, '请先处理设备故障')
  return null
}

/** Nobody may pass by what is declared, yet a device keeps what it was not told to forget. */
function staying({ rows }: WhyFacts, reason: string, next_step: string, cause: Cause | null = null): Finding {
  const left = rows.some(row => row.kind === 'person' && row.held && row.state !== 'gone')
  return left ? { can: 'maybe', reason: `${reason}，但设备还没有确认删除他的数据，可能仍会放行`, next_step: '检查设备的电源和网络，恢复连接后最先删除' } : no(reason, next_step, cause)
}

function fits(right: Right, door: Door): boolean {
  return right.direction === both_ways || door.direction === both_ways || right.direction === door.direction
}

function isCurrent({ expires_at, windows }: Right, now: Date): boolean {
  return expires_at.getTime() > now.getTime() && windows.some(window => !isOver(window, now))
}

/** What lets in at a moment; ranges are half open (chapter 30 rule 17). */
function openNow(rights: readonly Right[], at: Date): [Right, GrantWindow][] {
  return rights.flatMap(right => right.windows.filter(window => isOpen(window, at)).map((window): [Right, GrantWindow] => [right, window]))
}

function isOpen({ from, to, weekly }: GrantWindow, at: Date): boolean {
  if (at.getTime() < Date.parse(from) || at.getTime() >= Date.parse(to)) return false
  if (weekly === undefined) return true
  const { weekday, minute } = dayTime(at)
  return (weekly[weekday] ?? []).some(range => {
    const [begin = '', end = ''] = range.split('-')
    return minute >= minuteOf(begin) && minute < minuteOf(end)
  })
}

function latest(rights: readonly Right[]): Date {
  const ends = rights.flatMap(({ expires_at, windows }) => windows.map(window => Math.min(expires_at.getTime(), Date.parse(window.to))))
  return new Date(Math.max(...ends))
}

/** When these rights open today, or from when on. */
function timesOf(rights: readonly Right[], now: Date): string {
  const windows = rights.flatMap(right => right.windows).filter(window => !isOver(window, now))
  const begun = windows.filter(window => Date.parse(window.from) <= now.getTime())
  if (begun.length === 0) return `权限从${timeText(new Date(Math.min(...windows.map(window => Date.parse(window.from)))))}起生效`
  const { weekday } = dayTime(now)
  const today = [...new Set(begun.flatMap(window => window.weekly?.[weekday] ?? []))].toSorted()
  return today.length === 0 ? '今天没有允许的时间' : `今天允许${today.join('、')}`
}

/** When the device was last heard of, and its clock. */
function contact({ online, last_seen_at, clock_skew_ms }: Door): string {
  if (last_seen_at === null) return '设备从未联系过'
  const seconds = Math.round((clock_skew_ms ?? 0) / second_ms)
  const clock = Math.abs(seconds) <= right_s ? '时钟准' : `时钟${seconds > 0 ? '慢' : '快'}${Math.abs(seconds)}秒`
  return `${online ? '设备在线' : '设备离线'}，最近联系${timeText(last_seen_at)}，${clock}`
}

function way(direction: number | null | undefined): string {
  const names: Readonly<Record<string, string>> = DEVICE_DIRECTION.names
  return names[String(direction ?? both_ways)] ?? ''
}
