import { delivery_names, level_names, message_channel, message_reason } from '@campus/messages/contract'
import type { messageApi, MessageRow } from '@campus/messages/contract'
import type { SchoolViews } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input } from '@kit/contract'
import { asTables } from '@kit/server/db'
import { exportList, listExport, minuteText, rows_per_page } from '@kit/server/excel'
import type { SheetColumn } from '@kit/server/excel'
import type { App, Pre } from '@kit/server/http'
import type { MessagesDb, MessagesHandle } from './db.ts'
import { countMessages, messagesFrom, newestMessage } from './message.list.ts'
import type { Filter } from './message.list.ts'
import { showMessage } from './message.service.ts'
import { declaredTemplate } from './template-port.ts'

type Asked = Input<typeof messageApi.export>

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

type Opened = { newest: string | null; total: number; school_name: string }

/** The filtered messages, in the order of their list. They say to how many, never to whom. */
export const messageExport = listExport<Filter>({
  name: 'messages.message',
  is_about_people: false,
  async open({ app, school_id, read }, query) {
    const { newest, total, school_name } = await read<MessagesDb, Opened>(async db => {
      const last = await newestMessage(db, school_id, query)
      return { newest: last, total: last === null ? 0 : await countMessages(db, school_id, query, last), school_name: await schoolNameOf(db, school_id) }
    })
    const page = (from: { at: string } | { after: string }) => read<MessagesDb, MessageRow[]>(async db => (await messagesFrom(db, school_id, query, from, rows_per_page)).map(row => showMessage(app, row)))
    return {
      title: '发送记录', school_name, total, conditions: conditionsOf(app, query), columns,
      noted: { target_kind: 'messages.message', target_name: `发送记录 ${total}条` },
      async* pages() {
        if (newest === null) return
        for (let rows = await page({ at: newest }), last = rows.at(-1); last; rows = await page({ after: last.message_id }), last = rows.at(-1)) {
          yield rows.map(row => columns.map(column => column.text(row)))
        }
      },
    }
  },
})

/** Begins the export of the filtered messages (chapter 10 J3). @throws Refusal 422 without a reason, or for too many rows */
export async function exportMessages(pre: Pre, { why, ...query }: Asked) {
  pre.note({ target_kind: 'messages.message', target_name: '发送记录' })
  if (why === '') throw fail(commonErrors.exportReason, { errors: [{ field: 'why', msg: commonErrors.exportReason.msg }] })
  return exportList(pre, messageExport, query, why)
}

function conditionsOf(app: App, { source, template, channel, state, reason }: Filter): string[] {
  return [
    ...(source ? [`来源 ${source}`] : []),
    ...(template ? [`消息类型 ${declaredTemplate(app, template)?.name ?? template}`] : []),
    ...(channel ? [`通道 ${channel_names[channel] ?? channel}`] : []),
    ...(state ? [`状态 ${delivery_names[state]}`] : []),
    ...(reason ? [`原因 ${reason_names[reason] ?? reason}`] : []),
  ]
}

async function schoolNameOf(db: MessagesHandle, school_id: number): Promise<string> {
  const row = await asTables<SchoolViews>(db).selectFrom('school_v').select('school_name').where('school_id', '=', school_id).executeTakeFirst()
  return row?.school_name ?? ''
}
