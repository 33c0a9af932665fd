import { z } from 'zod'
import type { Reply, Request } from '../driver.ts'
import { codes, types } from './code.ts'

/** A question of a probe and what came of it; no reply: none came in time. */
export type Probed = { ask: string; bytes: number; reply: Reply | undefined }
/** What a device has shown of itself; what it did not let itself be asked is absent. `loses_hash`: rows that it keeps without our mark, so that they can never be proven. */
export type Findings = { rows_per_command?: number; photo_max_bytes?: number; packet_max_bytes?: number; loses_hash: string[] }

const kib = 1024
const [batch_sizes, picture_kb] = [[100, 50, 20], [512, 256, 128]] as const
/** Nobody: a person whose only permission ended in 1970, under names that no row of ours has. */
const [who, right, card, face, mark] = ['campus-probe', 'CAMPUSPROBE', 'campus-probe-card', 'campus-probe-face', '0123456789abcdef']
const page = { page: 0, size: 1 }
const kept = ['permission', 'person', 'card', 'face'] as const
const Held = z.object({ content: z.array(z.looseObject({ extra: z.looseObject({ h: z.string().optional() }).catch({}) })) })
/** The smallest picture there is, one grey dot. */
const dot = Buffer.from('/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AN//Z', 'base64')
const longest_comment = 65_000

/**
 * What to ask next of a device that is probed (chapter 31 §5.9): twelve commands about a person who may pass nowhere, more where a size is refused and a smaller one is tried. The
 * last ones take everything away again. Undefined when all is asked.
 */
export function nextProbe(said: readonly Probed[]): { ask: string; request: Request } | undefined {
  const asks = new Set(said.map(one => one.ask))
  const step = steps(said).find(one => !asks.has(one.ask))
  return step && { ask: step.ask, request: { action: step.action, data: step.data(), rows: [], is_read: step.action.startsWith('get') } }
}

/** What the answers say. */
export function findingsOf(said: readonly Probed[]): Findings {
  const [rows, kb] = [taken(said, 'rows', batch_sizes), taken(said, 'picture', picture_kb)]
  const longest = Math.max(0, ...said.flatMap(({ reply, bytes }) => (reply ? [bytes] : [])))
  const has_hash = (ask: string) => said.some(one => one.ask === `read ${ask}` && marks(one.reply).includes(mark))
  const is_held = (ask: string) => said.some(one => one.ask === `read ${ask}` && marks(one.reply).length > 0)
  return { ...(rows === undefined ? {} : { rows_per_command: rows }), ...(kb === undefined ? {} : { photo_max_bytes: kb * kib }), ...(longest === 0 ? {} : { packet_max_bytes: longest }), loses_hash: kept.filter(one => is_held(one) && !has_hash(one)) }
}

type Step = { ask: string; action: string; data: () => unknown }

function steps(said: readonly Probed[]): Step[] {
  const extra = { h: mark }
  const person = { userId: who, name: '设备测试', permissionIds: [right], extra: { type: 0, department: '', employeeNo: '', idCard: '', dualVerify: { mode: 'any', userIds: [] }, ...extra } }
  const read = (ask: (typeof kept)[number], action: string, by: Record<string, string>): Step => ({ ask: `read ${ask}`, action, data: () => ({ ...page, ...by }) })
  return [
    { ask: 'settings', action: 'getConfig', data: () => ['sys', 'access'] },
    { ask: 'permission', action: 'insertPermission', data: () => [{ permissionId: right, index: 0, time: { type: 1, range: { beginTime: 1, endTime: 2 } }, extra }] },
    ...tried(said, 'rows', batch_sizes).map((n): Step => ({ ask: `rows ${n}`, action: 'insertUser', data: () => Array.from({ length: n }, () => person) })),
    { ask: 'card', action: 'insertKey', data: () => [{ keyId: card, userId: who, type: types.card, code: 'CA4905B0BE', extra }] },
    ...tried(said, 'picture', picture_kb).map((kb): Step => ({ ask: `picture ${kb}`, action: 'insertKey', data: () => [{ keyId: face, userId: who, type: types.face, code: pictureOf(kb * kib).toString('base64'), extra: { faceType: '0', ...extra } }] })),
    read('permission', 'getPermission', { permissionId: right }),
    read('person', 'getUser', { userId: who }),
    read('card', 'getKey', { keyId: card }),
    read('face', 'getKey', { keyId: face }),
    { ask: 'forget keys', action: 'delKey', data: () => ({ keyIds: [card, face], userIds: [] }) },
    { ask: 'forget person', action: 'delUser', data: () => [who] },
    { ask: 'forget permission', action: 'delPermission', data: () => [right] },
  ]
}

/** Sizes that are tried: the next smaller one as long as each was refused. */
function tried(said: readonly Probed[], ask: string, sizes: readonly number[]): readonly number[] {
  const first = sizes.findIndex(size => !said.some(one => one.ask === `${ask} ${size}` && isTooMuch(one.reply)))
  return first < 0 ? sizes : sizes.slice(0, first + 1)
}

/** The largest size that was not refused for being too large; a picture without a face may be refused for that. */
function taken(said: readonly Probed[], ask: string, sizes: readonly number[]): number | undefined {
  return sizes.find(size => said.some(one => one.ask === `${ask} ${size}` && !isTooMuch(one.reply)))
}

/** Nothing was done for what was sent as a whole, or nothing was said at all. */
function isTooMuch(reply: Reply | undefined): boolean {
  return reply === undefined || reply.code === codes.timed_out || (reply.code === codes.parameter && /不能超过|过大|too (?:large|many)/iu.test(reply.message))
}

function marks(reply: Reply | undefined): (string | undefined)[] {
  return (Held.safeParse(reply?.data).data?.content ?? []).map(({ extra }) => extra.h)
}

/** A picture of exactly so many bytes: comments before the dot. */
function pictureOf(bytes: number): Buffer {
  const parts = [dot.subarray(0, 2)]
  const head = 4
  for (let left = bytes - dot.length; left > 0;) {
    const length = left - longest_comment < head && left > longest_comment ? longest_comment - head : Math.min(left, longest_comment)
    const comment = Buffer.alloc(length)
    comment.set([0xff, 0xfe])
    comment.writeUInt16BE(length - 2, 2)
    parts.push(comment)
    left -= length
  }
  return Buffer.concat([...parts, dot.subarray(2)])
}
