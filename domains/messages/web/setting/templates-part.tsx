import { message_channel, templateApi } from '@campus/messages/contract'
import type { TemplateRow } from '@campus/messages/contract'
import { call, Loading, sentenceOf } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { TemplateDialog } from './template-dialog.tsx'
import { preview } from './template-words.ts'
import { source_names } from './words.ts'

const channel_names: Readonly<Record<string, string>> = message_channel.names

/** Every kind of message the product sends, with the school's own words. */
export function TemplatesPart(): ReactNode {
  const query = useQuery({ queryKey: [templateApi.list.call], queryFn: ({ signal }) => call(templateApi.list, {}, { signal, quiet: true }) })
  const [opened, setOpened] = useState<TemplateRow | null>(null)
  const saved = async () => {
    setOpened(null)
    await query.refetch()
  }
  if (!query.data) {
    if (query.isError) return <Alert type="error" showIcon title={sentenceOf(query.error)} action={<Button onClick={() => void query.refetch()}>重试</Button>} />
    return <Loading rows={6} />
  }
  return (
    <div className="message-templates" data-ready="record">
      <table>
        <thead><tr><th>消息</th><th>来源</th><th>内容</th><th>外发通道</th><th>状态</th><th>操作</th></tr></thead>
        <tbody>
          {query.data.list.map(row => (
            <tr key={row.code}>
              <th scope="row">{row.name}</th>
              <td className="message-source">{source_names[row.source] ?? row.source}</td>
              <td className="message-sample"><b>{preview(row.title, row.field_names)}</b><span>{preview(row.body, row.field_names)}</span></td>
              <td>{row.channels.length === 0 ? '仅站内' : row.channels.map(channel => channel_names[channel]).join(row.all_channels ? '、' : ' → ')}</td>
              <td>{row.enabled ? <Tag color="green">启用</Tag> : <Tag>停用</Tag>}{row.row_version > 0 && <Tag color="blue">已改</Tag>}</td>
              <td><Button type="link" size="small" aria-label={`编辑${row.name}`} onClick={() => setOpened(row)}>编辑</Button></td>
            </tr>
          ))}
        </tbody>
      </table>
      {opened && <TemplateDialog row={opened} onClose={() => setOpened(null)} onSaved={saved} />}
    </div>
  )
}
