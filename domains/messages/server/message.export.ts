import { delivery_names, level_names, message_channel, message_reason } from '@campus/messages/contract'
import type { messageApi, MessageRow } from '@campus/messages/contract'
import type { SchoolViews } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input } from '@kit/contract'
import { asTables } from '@kit/server/db'
import { direct_rows, headedSheet, minuteText, requireExportable } from '@kit/server/excel'
import type { SheetColumn } from '@kit/server/excel'
import type { FileReply, Pre } from '@kit/server/http'
import type { MessagesDb, MessagesHandle } from './db.ts'
import { listMessages } from './message.service.ts'
import { declaredTemplate } from './template-port.ts'

type Asked = Input<typeof messageApi.export>
type Read = { list: MessageRow[]; total: number; school_name: string }

const channel_names: Readonly<Record<string, string>> = message_channel.names
const reason_names: Readonly<Record<string, string>> = message_reason.names
const levels: Readonly<Record<number, string>> = level_names
const number = (label: string, text: (row: MessageRow) => number): SheetColumn<MessageRow> => ({ label, numeric: true, text: row => String(text(row)) })

const columns: readonly SheetColumn<MessageRow>[] = [
  { label: '时间', text: row => minuteText(new Date(row.at)) },
  { label: '消息类型', text: row => row.template_name },
  { label: '标题', text: row => row.title },
  { label: '级别', text: row => levels[row.level] ?? String(row.level) },
  number('接收人数', row => row.people),
  number('已读', row => row.read),
  number('外发', row => row.outside),
  number('待发送', row => row.waiting),
  number('失败', row => row.failed),
  { label: '是否撤回', text: row => (row.is_withdrawn ? '已撤回' : '') },
]

/**
 * The filtered messages as a sheet, in the order of their list (chapter 10 J3). It says to how many, never to whom.
 * @throws Refusal 422 without a reason, or for too many rows
 */
export async function exportMessages(pre: Pre, { why, ...query }: Asked): Promise<FileReply> {
  const { me, app, now } = pre
  if (!me) throw fail(commonErrors.unauthorized)
  const { school_id } = me
  pre.note({ target_kind: 'messages.message', target_name: '发送记录', reason: why })
  if (why === '') throw fail(commonErrors.exportReason, { errors: [{ field: 'why', msg: commonErrors.exportReason.msg }] })
  const { list, total, school_name } = await pre.own<MessagesDb, Read>(school_id, async db => {
    const found = await listMessages({ ...pre, db, me, school_id, scoped: () => undefined }, { ...query, page_index: 1, page_size: direct_rows })
    return { ...found, school_name: await schoolNameOf(db, school_id) }
  })
  requireExportable(total, why, false)
  const { source, template, channel, state, reason } = query
  const conditions = [
    ...(source ? [`来源 ${source}`] : []),
    ...(template ? [`消息类型 ${declaredTemplate(app, template)?.name ?? template}`] : []),
    ...(channel ? [`通道 ${channel_names[channel] ?? channel}`] : []),
    ...(state ? [`状态 ${delivery_names[state]}`] : []),
    ...(reason ? [`原因 ${reason_names[reason] ?? reason}`] : []),
  ]
  return headedSheet({ title: '发送记录', school_name, me, now, conditions, reason: why, columns, rows: list })
}

async function schoolNameOf(db: MessagesHandle, school_id: number): Promise<string> {
  const row = await asTables<SchoolViews>(db).selectFrom('school_v').select('school_name').where('school_id', '=', school_id).executeTakeFirst()
  return row?.school_name ?? ''
}
