import { channelApi, messageApi } from '@campus/messages/contract'
import { PageContext, PageTabs, useMay, usePage } from '@kit/web'
import type { PageSearch } from '@kit/web'
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { ChannelsPart } from './channels-part.tsx'
import type { Recheck } from './recheck.ts'
import { RecordsPart } from './records-part.tsx'
import { TemplatesPart } from './templates-part.tsx'

const parts = [
  { key: 'channels', label: '通道', call: channelApi.list },
  { key: 'templates', label: '模板', call: channelApi.list },
  { key: 'records', label: '发送记录', call: messageApi.page },
] as const

/** 消息通道: how messages leave the product, in which words, and what became of them. */
export function MessageSettings({ recheck }: { recheck: Recheck }): ReactNode {
  const page = usePage()
  const { search, setSearch } = page
  const may = useMay()
  const shown = parts.filter(part => may(part.call))
  const key = shown.find(part => part.key === search.part)?.key ?? shown[0]?.key
  const list_page = useMemo(() => {
    const { tab, part, ...own } = search
    const kept = { ...(tab === undefined ? {} : { tab }), ...(part === undefined ? {} : { part }) }
    return { ...page, search: own, setSearch: (next: PageSearch) => setSearch({ ...next, ...kept }) }
  }, [page, search, setSearch])
  return (
    <div className="message-settings" data-part={key}>
      <PageTabs tabs={shown} value={key ?? 'channels'} onChange={part => setSearch({ ...(search.tab === undefined ? {} : { tab: search.tab }), part })} />
      {key === 'channels' && <ChannelsPart recheck={recheck} />}
      {key === 'templates' && <TemplatesPart />}
      {key === 'records' && <PageContext value={list_page}><RecordsPart /></PageContext>}
    </div>
  )
}
