import { channelApi, message_channel } from '@campus/messages/contract'
import type { ChannelRow } from '@campus/messages/contract'
import { call, Loading, sentenceOf } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { ChannelDialog } from './channel-dialog.tsx'
import type { Recheck } from './recheck.ts'
import { TestDialog } from './test-dialog.tsx'
import { adapter_names } from './words.ts'

const channel_names: Readonly<Record<string, string>> = message_channel.names

/** The four channels that leave the product. */
export function ChannelsPart({ recheck }: { recheck: Recheck }): ReactNode {
  const query = useQuery({ queryKey: [channelApi.list.call], queryFn: ({ signal }) => call(channelApi.list, {}, { signal, quiet: true }) })
  const [opened, setOpened] = useState<{ view: 'edit' | 'test'; row: ChannelRow } | null>(null)
  const close = () => setOpened(null)
  const saved = async () => {
    close()
    await query.refetch()
  }
  if (!query.data) {
    if (query.isError) return <Alert type="error" showIcon title={sentenceOf(query.error)} action={<Button onClick={() => void query.refetch()}>重试</Button>} />
    return <Loading rows={6} />
  }
  return (
    <div className="message-channels" data-ready="record">
      <p className="message-hint">站内消息总会送达；下列通道在站内之外另行发送。未配置的通道只记录，不外发。</p>
      {query.data.list.map(row => (
        <section key={row.channel} className="message-channel" aria-label={channel_names[row.channel]}>
          <header>
            <h3>{channel_names[row.channel]}</h3>
            {stateOf(row)}
          </header>
          <dl>
            <dt>发送方式</dt><dd>{adapter_names[row.adapter]}</dd>
            <dt>每日上限</dt><dd className="kit-number">{`全校 ${row.day_limit.toLocaleString('en')} 条，每人 ${row.person_day_limit} 条`}</dd>
            <dt>免打扰</dt><dd className="kit-number">{`${row.quiet_from} – ${row.quiet_to}`}</dd>
          </dl>
          <footer>
            <Button aria-label={`设置${channel_names[row.channel] ?? ''}`} onClick={() => setOpened({ view: 'edit', row })}>设置</Button>
            <Button aria-label={`测试${channel_names[row.channel] ?? ''}`} disabled={!row.is_ready} title={row.is_ready ? undefined : '先在设置中选择发送方式并填写完整'} onClick={() => setOpened({ view: 'test', row })}>测试</Button>
          </footer>
        </section>
      ))}
      {opened?.view === 'edit' && <ChannelDialog row={opened.row} onClose={close} onSaved={saved} />}
      {opened?.view === 'test' && <TestDialog row={opened.row} recheck={recheck} onClose={close} />}
    </div>
  )
}

function stateOf({ enabled, is_ready }: ChannelRow): ReactNode {
  if (!enabled) return <Tag>已停用</Tag>
  return is_ready ? <Tag color="green">外发</Tag> : <Tag color="orange">仅记录</Tag>
}
