import { z } from 'zod'
import type { Limits, Plan, Receipt, Request, SyncRow } from '../driver.ts'
import { PermissionBody, PersonBody } from '../jdev/row.ts'
import { reconnects, restarts } from './config.ts'
import { credentialFault, isFace, keyRow } from './credential.ts'
import { permissionRow } from './permission.ts'

const longest_name = 128
const Fields = z.record(z.string(), z.unknown())
type Row = { row: SyncRow; wire: unknown }

/**
 * The commands of some rows, in their order: what goes away first, then permissions, people, their credentials and one face a command; permissions that nobody
 * uses any more last, because deleting one takes it from everybody (chapter 31 §5.7.2–5). Only upserts and deletions by key: never a change, never a clearing.
 */
export function planRows(rows: readonly SyncRow[], limits: Limits): Plan {
  const faults = new Map(rows.flatMap(row => {
    const fault = faultOf(row, limits)
    return fault ? [[row, fault] as const] : []
  }))
  const good = rows.filter(row => !faults.has(row))
  const of = (op: SyncRow['op'], k: SyncRow['k'], is_face = false) => good.filter(row => row.op === op && row.k === k && (op === 'delete' || isFace(row) === is_face))
  return {
    blocked: [...faults].map(([{ k, key, ver }, fault]): Receipt => ({ k, key, ver, status: 'blocked', ...fault })),
    requests: [
      ...cut('delKey', of('delete', 'credential'), limits, row => row.key, list => ({ keyIds: list, userIds: [] })),
      ...cut('delUser', of('delete', 'person'), limits, row => row.key),
      ...cut('insertPermission', of('put', 'permission'), limits, row => permissionRow(PermissionBody.parse(row.body), row.hash)),
      ...cut('insertUser', of('put', 'person'), limits, userRow),
      ...cut('insertKey', of('put', 'credential'), limits, keyRow),
      ...of('put', 'credential', true).map((row): Request => ({ action: 'insertKey', data: [keyRow(row)], rows: [row], is_read: false })),
      ...settings(of('put', 'config')),
      ...cut('delPermission', of('delete', 'permission'), limits, row => row.key),
    ],
  }
}

/** A person with every field, always: whatever is left out is lost on the device. */
function userRow({ key, body, hash }: SyncRow) {
  const { name, no, dept, permission_ids } = PersonBody.parse(body)
  return { userId: key, name: [...(name || key)].slice(0, longest_name).join(''), permissionIds: permission_ids, extra: { type: 0, department: dept ?? '', employeeNo: no, idCard: '', dualVerify: { mode: 'any', userIds: [] }, h: hash } }
}

function faultOf(row: SyncRow, limits: Limits): Pick<Receipt, 'code' | 'text'> | undefined {
  if (row.op === 'delete') return row.k === 'credential' || row.k === 'person' || row.k === 'permission' ? undefined : unsupported
  if (row.k === 'credential') return credentialFault(row, limits)
  if (row.k === 'person') return PersonBody.safeParse(row.body).success ? undefined : { code: 'body', text: '人员内容不完整' }
  if (row.k === 'permission') return permissionFault(row)
  return row.k === 'config' && typeof row.body?.group === 'string' && typeof row.body.values === 'object' ? undefined : unsupported
}

/** Settings in one command; what has the device leave or restart goes by itself, after the others: its answer may be its last word for a while. */
function settings(rows: readonly SyncRow[]): Request[] {
  const values = ({ body }: SyncRow) => Object.entries(Fields.catch({}).parse(body?.values)).map(([name, value]) => ({ group: String(body?.group), name, value }))
  const is_quiet = (row: SyncRow) => values(row).every(({ group, name }) => !reconnects(`${group}.${name}`) && !restarts(`${group}.${name}`, 0, 1) && group !== 'net')
  const quiet = rows.filter(is_quiet)
  return [...(quiet.length > 0 ? [quiet] : []), ...rows.filter(row => !quiet.includes(row)).map(row => [row])].map((part): Request => {
    const data: Record<string, Record<string, unknown>> = {}
    for (const { group, name, value } of part.flatMap(values)) data[group] = { ...data[group], [name]: value }
    return { action: 'setConfig', data, rows: part, is_read: false }
  })
}

const unsupported = { code: 'unsupported', text: '此设备不支持' } as const

function permissionFault({ body }: SyncRow): Pick<Receipt, 'code' | 'text'> | undefined {
  const read = PermissionBody.safeParse(body).data
  if (!read) return { code: 'body', text: '权限内容不完整' }
  return read.max_times !== undefined && !read.online ? { code: 'max_times', text: '此设备不能限制次数，请改为在线核验' } : undefined
}

/** Rows in commands of at most so many rows and bytes; a row that travels alone has a command of its own. */
function cut(action: string, rows: readonly SyncRow[], { rows_per_command, packet_bytes }: Limits, wire: (row: SyncRow) => unknown, whole: (list: unknown[]) => unknown = list => list): Request[] {
  const parts: Row[][] = []
  let size = 0
  for (const row of rows) {
    const one = { row, wire: wire(row) }
    const length = Buffer.byteLength(JSON.stringify(one.wire))
    const last = parts.at(-1)
    const fits = last !== undefined && !row.is_alone && !last.some(other => other.row.is_alone) && last.length < rows_per_command && size + length <= packet_bytes
    if (fits) last.push(one)
    else parts.push([one])
    size = fits ? size + length : length
  }
  return parts.map(part => ({ action, data: whole(part.map(one => one.wire)), rows: part.map(one => one.row), is_read: false }))
}
