import { delivery_names, message_channel, message_reason, messageApi } from '@campus/messages/contract'
import type { MessageRow } from '@campus/messages/contract'
import { AppDrawer, call, instantText, Loading, sentenceOf } from '@kit/web'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Alert, Button, Empty, Pagination } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

const page_size = 50
const channel_names: Readonly<Record<string, string>> = message_channel.names
const reason_names: Readonly<Record<string, string>> = message_reason.names

/** To whom a message went, over which channel, and why it did not arrive; names alone, never an address. */
export function DeliveryDrawer({ message, onClose }: { message: MessageRow; onClose: () => void }): ReactNode {
  const [page_index, setPage] = useState(1)
  const { data, error, refetch } = useQuery({
    queryKey: [messageApi.delivery.call, message.message_id, page_index],
    queryFn: ({ signal }) => call(messageApi.delivery, { id: message.message_id, page_index, page_size }, { signal, quiet: true }),
    placeholderData: keepPreviousData,
  })
  return (
    <AppDrawer size={720} title={message.title} onClose={onClose}>
      {!data && (error ? <Alert type="error" showIcon title={sentenceOf(error)} action={<Button onClick={() => void refetch()}>重试</Button>} /> : <Loading rows={6} />)}
      {data?.total === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="没有发送明细" />}
      {data && data.total > 0 && (
        <div className="message-templates">
          <table>
            <thead><tr><th>接收人</th><th>通道</th><th>状态</th><th>原因</th><th>次数</th><th>时间</th></tr></thead>
            <tbody>
              {data.list.map((row, at) => (
                <tr key={`${row.channel}/${row.to_name}/${at}`}>
                  <th scope="row">{row.to_name || '—'}</th>
                  <td>{channel_names[row.channel]}</td>
                  <td className={row.state === 'failed' ? 'kit-bad' : undefined}>{delivery_names[row.state]}{row.not_before !== null && row.state === 'deferred' && <small>{`至 ${instantText(row.not_before)}`}</small>}</td>
                  <td>{row.reason === null ? '—' : reason_names[row.reason]}</td>
                  <td className="kit-number">{row.attempts}</td>
                  <td className="kit-number">{instantText(row.at)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {data && data.total > page_size && <Pagination size="small" current={page_index} pageSize={page_size} total={data.total} showSizeChanger={false} onChange={setPage} />}
    </AppDrawer>
  )
}
