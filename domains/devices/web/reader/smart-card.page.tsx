import { card_input_names, card_order_names } from '@campus/devices/contract'
import type { CardFormatRow, ReaderDesk } from '@campus/devices/contract'
import { PageTabs, usePage } from '@kit/web'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { DeskPanel } from './desk-panel.tsx'
import { ReadTest } from './read-test.tsx'
import type { Tried } from './read-test.tsx'
import { Sightings } from './sightings.tsx'
import { useOwnDesk } from './use-smart-card.ts'
import '../devices.css'
import './reader.css'

const DeskDialog = lazy(() => import('./desk-dialog.tsx').then(part => ({ default: part.DeskDialog })))
const FormatDialog = lazy(() => import('./format-dialog.tsx').then(part => ({ default: part.FormatDialog })))
const SocialDialog = lazy(() => import('./social-dialog.tsx').then(part => ({ default: part.SocialDialog })))
type Opened = { view: 'desk'; desk: ReaderDesk | null } | { view: 'format'; format: CardFormatRow } | { view: 'keep'; tried: Tried } | { view: 'social' } | null
const tabs = [{ key: 'test', label: '读卡测试' }, { key: 'seen', label: '卡号核对' }] as const

/** 智能卡管理: where cards are read and how their numbers are written; a card on the reader shows which writing is the right one. */
export default function SmartCard(): ReactNode {
  const { search, setSearch } = usePage()
  const tab = search['tab'] === 'seen' ? 'seen' : 'test'
  const { desk, choose } = useOwnDesk()
  const [opened, open] = useState<Opened>(null)
  const close = () => open(null)
  return (
    <div className="reader-page" data-ready="smart-card">
      <PageTabs tabs={tabs} value={tab} onChange={key => setSearch(key === 'seen' ? { tab: key } : {})} />
      {tab === 'seen' && <Sightings />}
      {tab === 'test' && (
        <div className="reader-main">
          <DeskPanel own={desk} choose={choose} doors={{ edit: one => open({ view: 'desk', desk: one }), editFormat: format => open({ view: 'format', format }), setKey: () => open({ view: 'social' }) }} />
          <ReadTest desk={desk} keep={tried => open({ view: 'keep', tried })} />
        </div>
      )}
      <Suspense>
        {opened?.view === 'desk' && <DeskDialog desk={opened.desk} onClose={close} />}
        {opened?.view === 'format' && <FormatDialog format={opened.format} draft={draftOf(opened.format)} desk={null} onClose={close} />}
        {opened?.view === 'keep' && <FormatDialog format={null} draft={named(opened.tried)} desk={desk} onClose={close} />}
        {opened?.view === 'social' && <SocialDialog onClose={close} />}
      </Suspense>
    </div>
  )
}

function draftOf({ format_name, input, byte_order, truncation, pad, upper, sample }: CardFormatRow) {
  return { format_name, input, byte_order, truncation, pad, upper, sample }
}

/** A format after what was read, under the name of its writing. */
function named({ uid_hex, reading: { format } }: Tried) {
  return { ...format, format_name: `${card_order_names[format.byte_order]}${card_input_names[format.input]}`, sample: uid_hex }
}
