import { command_names, row_kind_names } from '@campus/devices/contract'
import type { WireLine, WireRow } from '@campus/devices/contract'

/** What messages are, by type (our own envelope) or action (VF105). */
const kinds: Readonly<Record<string, string>> = {
  hello: '上线问候', state: '状态心跳', event: '事件', reply: '应答', ack: '确认收到', cmd: '命令', 'sync.rows': '下发数据', 'sync.digest': '核对摘要', 'sync.bucket': '核对明细', 'sync.config': '读取配置', unreadable: '无法识别的报文',
  connect: '上线', heartbeat: '心跳', offline: '离线', access: '通行记录', alarm: '报警', access_online: '在线核验', getCallList: '查询呼叫名单', call: '呼叫',
  getConfig: '读取配置', setConfig: '写入配置', upgradeFirmware: '升级固件', control: '控制',
  insertUser: '下发人员', delUser: '删除人员', clearUser: '清空人员', getUser: '回读人员', insertKey: '下发凭证', delKey: '删除凭证', clearKey: '清空凭证', getKey: '回读凭证',
  insertPermission: '下发通行时段', delPermission: '删除通行时段', clearPermission: '清空通行时段', getPermission: '回读通行时段', getRecords: '补取通行记录', delRecords: '清理通行记录',
}
const statuses: Readonly<Record<WireRow['status'], string>> = { put: '下发', delete: '删除', applied: '已生效', same: '已是最新', refused: '被拒', retry: '稍后重试' }
const commands: Readonly<Record<string, string>> = command_names

/** A message with what it answers and how long that took in milliseconds; null where it answers nothing that was seen. */
export type Rung = { line: WireLine; asked: WireLine | null; took_ms: number | null }

/** Adds what has come, in the order of time, and lets go of the oldest beyond `most`. */
export function addLines(lines: readonly WireLine[], fresh: readonly WireLine[], most: number): WireLine[] {
  const known = new Set(lines.map(line => line.line_id))
  return [...lines, ...fresh.filter(line => !known.has(line.line_id))].slice(-most)
}

/** The messages with what they answer. */
export function climb(lines: readonly WireLine[]): Rung[] {
  const asked = new Map(lines.flatMap(line => (line.id === null ? [] : [[line.id, line] as const])))
  return lines.map(line => {
    const before = (line.re === null ? undefined : asked.get(line.re)) ?? null
    return { line, asked: before, took_ms: before === null ? null : Date.parse(line.at) - Date.parse(before.at) }
  })
}

/** What a message is, in words: an answer says to what. */
export function titleOf({ line, asked }: Rung): string {
  const own = kinds[line.kind] ?? line.kind
  if (line.kind === 'cmd') return `${own}：${commands[line.name ?? ''] ?? line.name ?? ''}`
  if (line.re === null || (line.kind !== 'reply' && line.id !== null)) return own
  return asked === null ? `${own}${line.kind === 'reply' ? '' : '的应答'}` : `${kinds[asked.kind] ?? asked.kind}的应答`
}

/** Receipts by what became of them: 已生效 3. */
export function receiptsOf({ rows, rows_more }: WireLine): { key: string; text: string; is_bad: boolean }[] {
  const counted = [...Map.groupBy(rows, row => row.status)].map(([status, of]) => ({ key: status, text: `${statuses[status]} ${of.length}${rows_more > 0 ? '+' : ''}`, is_bad: status === 'refused' }))
  const refused = rows.filter(row => row.status === 'refused').map(row => ({ key: `${row.kind} ${row.row_key}`, text: `${row.kind === null ? '' : row_kind_names[row.kind]} ${row.row_key}：${row.text ?? '没有说明原因'}`, is_bad: true }))
  return [...counted, ...refused]
}

/** All of it as text, for a message to the maker of a device. */
export function ladderText(rungs: readonly Rung[]): string {
  return rungs.map(rung => `${rung.line.at} ${rung.line.way === 'down' ? '服务器→设备' : '设备→服务器'} ${titleOf(rung)}${rung.line.code === null ? '' : ` ${rung.line.code}`}\n${rung.line.text}`).join('\n\n')
}
