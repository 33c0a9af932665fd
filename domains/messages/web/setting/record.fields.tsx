import { delivery_names, level_names, message_channel, message_reason, MessageRow } from '@campus/messages/contract'
import { fields, instantText, selectFilter } from '@kit/web'
import type { Fields } from '@kit/web'
import { Tag } from 'antd'
import { source_names, source_options } from './words.ts'

type RecordField = 'source' | 'channel' | 'delivery' | 'reason' | 'at' | 'title' | 'template_name' | 'level' | 'people' | 'read' | 'outside' | 'waiting' | 'failed'

const options = (names: Readonly<Record<string, string>>) => Object.entries(names).map(([value, label]) => ({ value, label }))
const levels: Readonly<Record<number, string>> = level_names
const level_colours: Readonly<Record<number, string | undefined>> = { 2: 'orange', 3: 'red' }

/** Fields of 发送记录. */
export const recordFields: Fields<MessageRow, RecordField> = fields(MessageRow, 'message_id', {
  channel: { label: '通道', filter: selectFilter('channel', options(message_channel.names)) },
  delivery: { label: '状态', filter: selectFilter('state', options(delivery_names)) },
  reason: { label: '原因', filter: selectFilter('reason', options(message_reason.names)) },
  source: { label: '来源', width: 96, filter: selectFilter('source', source_options), cell: row => source_names[row.source] ?? row.source },
  at: { label: '时间', width: 140, cell: row => instantText(row.at) },
  title: { label: '标题', width: 240, default_action: true, cell: row => <>{row.is_withdrawn && <Tag>已撤回</Tag>}{row.title}</> },
  template_name: { label: '消息', width: 132 },
  level: { label: '级别', width: 72, cell: row => <Tag color={level_colours[row.level]}>{levels[row.level] ?? row.level}</Tag> },
  people: { label: '接收人数', width: 84, kind: 'number' },
  read: { label: '已读', width: 68, kind: 'number' },
  outside: { label: '外发', width: 68, kind: 'number' },
  waiting: { label: '待发送', width: 76, kind: 'number' },
  failed: { label: '失败', width: 68, kind: 'number', cell: row => <span className={row.failed > 0 ? 'kit-bad' : undefined}>{row.failed}</span> },
})
