import { z } from 'zod'
import type { FieldReceipt, Receipt, Reply, Request, SyncRow } from '../driver.ts'
import { codes, row_errors } from './code.ts'
import { isFace, keyRow } from './credential.ts'

const Faults = z.array(z.looseObject({ userId: z.string().optional(), keyId: z.string().optional(), permissionId: z.string().optional(), errmsg: z.string() }))
const Groups = z.record(z.string(), z.record(z.string(), z.unknown()))
const not_there: readonly string[] = [row_errors.person, row_errors.voucher, row_errors.no_vouchers, row_errors.permission]
const taken: readonly string[] = [row_errors.duplicate, row_errors.biometric]
const longest_text = 200

/** What became of every row of a command (chapter 31 §5.7.5–7). */
export function settleRows({ action, rows }: Request, reply: Reply): Receipt[] {
  if (action === 'setConfig') return rows.map(row => settleConfig(row, reply))
  const faults = new Map((Faults.safeParse(reply.data).data ?? []).map(fault => [fault.keyId ?? fault.userId ?? fault.permissionId ?? '', fault.errmsg]))
  return rows.map(row => ({ k: row.k, key: row.key, ver: row.ver, ...outcome(row, reply, faults, rows.length) }))
}

type Outcome = Pick<Receipt, 'status' | 'code' | 'text' | 'ask' | 'is_alone'>

function outcome(row: SyncRow, { code, message }: Reply, faults: ReadonlyMap<string, string>, count: number): Outcome {
  if (code === codes.ok) return { status: 'applied' }
  if (code === codes.timed_out) return { status: 'unknown', code }
  if (code === codes.offline) return { status: 'retry', code }
  if (code === codes.failed && faults.size > 0) return faults.has(row.key) ? rowOutcome(row, faults.get(row.key) ?? '') : { status: 'applied' }
  // Nobody says which are done.
  if (code === codes.failed) return { status: 'unknown', code, text: message.slice(0, longest_text) }
  // Nothing of the batch was done; which row is at fault shows when each goes alone.
  if (count > 1) return { status: 'retry', code, text: message.slice(0, longest_text), is_alone: true }
  return { status: 'refused', code, text: message.slice(0, longest_text) }
}

/** A row that is gone already is gone; a credential that somebody else holds is looked for. */
function rowOutcome(row: SyncRow, errmsg: string): Outcome {
  if (row.op === 'delete') return not_there.includes(errmsg) ? { status: 'applied' } : { status: 'retry', code: codes.failed, text: errmsg.slice(0, longest_text) }
  if (taken.includes(errmsg)) return { status: 'conflict', code: 'duplicate', text: errmsg, ask: holderOf(row) }
  if (errmsg === row_errors.person) return { status: 'retry', code: codes.failed, text: errmsg }
  return { status: 'refused', code: codes.failed, text: errmsg.slice(0, longest_text) }
}

/** Who holds this credential on the device: by its code, a face by its person. */
function holderOf(row: SyncRow): Request {
  const { type, code, userId } = keyRow(row)
  return { action: 'getKey', data: isFace(row) ? { page: 0, size: 1, userId, type } : { page: 0, size: 1, type, code }, rows: [row], is_read: true }
}

const Holder = z.object({ content: z.array(z.looseObject({ keyId: z.string() })) })

/** What to do about a credential that is taken: delete what the school does not want there any more and send again, or leave what is not the school's. */
export function resolveHolder(reply: Reply, is_ours: (key_id: string) => boolean): { delete_key: string } | { foreign: string } | 'gone' {
  const key_id = Holder.safeParse(reply.data).data?.content[0]?.keyId
  if (key_id === undefined) return 'gone'
  return is_ours(key_id) ? { delete_key: key_id } : { foreign: key_id }
}

/** A field is set when the device says that it has the value, whatever the code (§5.7.7). */
function settleConfig({ k, key, ver, body }: SyncRow, reply: Reply): Receipt {
  const { code } = reply
  if (code === codes.timed_out) return { k, key, ver, status: 'unknown', code }
  const fields = fieldsOf(String(body?.group), z.record(z.string(), z.unknown()).catch({}).parse(body?.values), reply)
  const refused = fields.filter(field => !field.is_applied)
  if (refused.length === 0) return { k, key, ver, status: 'applied', fields }
  return { k, key, ver, status: 'refused', code, text: refused.map(field => field.text ?? field.field).join('; ').slice(0, longest_text), fields }
}

/** What became of the fields of a group, by what the device says that it has now. */
export function fieldsOf(group: string, wanted: Readonly<Record<string, unknown>>, { message, data }: Pick<Reply, 'message' | 'data'>): FieldReceipt[] {
  const held = Groups.safeParse(data).data?.[group] ?? {}
  return Object.entries(wanted).map(([field, value]) => fieldReceipt(`${group}.${field}`, JSON.stringify(held[field]) === JSON.stringify(value), message))
}

function fieldReceipt(field: string, is_applied: boolean, message: string): FieldReceipt {
  if (is_applied) return { field, is_applied }
  const text = message.replace(/^部分配置处理失败: /u, '').split('; ').find(part => part.includes(field))
  return { field, is_applied, ...(text === undefined ? {} : { text }) }
}
