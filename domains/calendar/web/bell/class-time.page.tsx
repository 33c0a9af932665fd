import { MoreOutlined, PlusOutlined } from '@ant-design/icons'
import { bellApi } from '@campus/calendar/contract'
import type { Bell } from '@campus/calendar/contract'
import { call, Can, confirmDanger, Loading, PageFrame, sentenceOf, toast, useCan } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Dropdown, Empty, Tag } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { useCalendarChanged } from '../use-changed.ts'
import { BellStrips } from './bell-strips.tsx'
import { BellYears } from './bell-years.tsx'
import '../calendar.css'

const BellDialog = lazy(() => import('./bell-dialog.tsx').then(part => ({ default: part.BellDialog })))
const SwitchDialog = lazy(() => import('./switch-dialog.tsx').then(part => ({ default: part.SwitchDialog })))
const CopyDialog = lazy(() => import('./copy-dialog.tsx').then(part => ({ default: part.CopyDialog })))

type Opened = { view: 'new' } | { view: 'edit' | 'copy' | 'switch'; bell: Bell } | null

/** 作息时间: all bells side by side to scale, and which of them rings for a grade through the year. */
export default function ClassTime(): ReactNode {
  const query = useQuery({ queryKey: [bellApi.list.call], queryFn: async ({ signal }) => (await call(bellApi.list, {}, { quiet: true, signal })).list })
  const [opened, open] = useState<Opened>(null)
  const may_edit = useCan(bellApi.update)
  const bells = query.data ?? []
  const close = () => open(null)
  return (
    <div className="calendar-page" data-ready={query.error ? 'failed' : query.data ? 'bells' : undefined}>
      <PageFrame
        actions={
          <>
            <Button onClick={() => window.print()}>打印</Button>
            <Can code={bellApi.add}><Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => open({ view: 'new' })}>新增作息</Button></Can>
          </>
        }
      />
      {query.error && <Alert type="error" showIcon title={sentenceOf(query.error)} action={<Button onClick={() => void query.refetch()}>重试</Button>} />}
      {!query.data && !query.error && <Loading rows={10} />}
      {query.data?.length === 0 && <Empty description="还没有作息：点“新增作息”设置每节课的时间，再切换到年级使用" />}
      {bells.length > 0 && (
        <div className="bell-body">
          <BellStrips bells={bells} renderHead={bell => <BellHead bell={bell} acts={may_edit ? open : null} />} />
          <BellYears bells={bells} />
        </div>
      )}
      <Suspense>
        {opened?.view === 'new' && <BellDialog bell={null} onClose={close} />}
        {opened?.view === 'edit' && <BellDialog bell={opened.bell} onClose={close} />}
        {opened?.view === 'copy' && <CopyDialog bell={opened.bell} onClose={close} onCopied={bell => open({ view: 'edit', bell })} />}
        {opened?.view === 'switch' && <SwitchDialog bell={opened.bell} onClose={close} />}
      </Suspense>
    </div>
  )
}

function BellHead({ bell, acts }: { bell: Bell; acts: ((next: Opened) => void) | null }): ReactNode {
  const changed = useCalendarChanged()
  const remove = async () => {
    if (!(await confirmDanger({ title: `删除“${bell.name}”？`, touches: '从未使用过的作息才能删除。', ok: '删除' }))) return
    try {
      await call(bellApi.remove, { id: bell.id }, { quiet: true })
      toast.success('删除成功!')
    } catch (cause) {
      toast.warning(sentenceOf(cause))
    }
    await changed()
  }
  const items = [
    { key: 'edit', label: '编辑', onClick: () => acts?.({ view: 'edit', bell }) },
    { key: 'copy', label: '复制', onClick: () => acts?.({ view: 'copy', bell }) },
    { key: 'switch', label: '切换到此作息', onClick: () => acts?.({ view: 'switch', bell }) },
    { key: 'remove', label: '删除', danger: true, disabled: bell.in_use, onClick: () => void remove() },
  ]
  return (
    <header>
      <h2 title={bell.name}>{bell.name}</h2>
      <Tag color={bell.in_use ? 'green' : 'default'}>{bell.in_use ? '使用中' : '未使用'}</Tag>
      {acts && <Dropdown trigger={['click']} menu={{ items }}><Button type="text" size="small" icon={<MoreOutlined aria-hidden />} aria-label={`管理作息 ${bell.name}`} aria-haspopup="menu" /></Dropdown>}
    </header>
  )
}
