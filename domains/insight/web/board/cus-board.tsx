import { dashboardApi } from '@campus/insight/contract'
import type { CardFact } from '@kit/contract'
import { most_cards } from '@kit/contract'
import { Can, instantText, mayDiscard, usePage } from '@kit/web'
import { added, Board } from '@kit/web/dashboard'
import type { CardView } from '@kit/web/dashboard'
import { useBlocker } from '@tanstack/react-router'
import { Alert, Button, Empty, Skeleton } from 'antd'
import { useMemo, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { OpenedRows } from '../morning.tsx'
import { ListLink } from '../row-link.tsx'
import { PublishDialog } from './publish-dialog.tsx'
import { Shelf } from './shelf.tsx'
import { useLayout } from './use-layout.ts'
import type { OwnLayout } from './use-layout.ts'
import { useWall } from './use-wall.ts'
import { WallHead } from './wall-head.tsx'

type Props = { views: readonly CardView[]; version: string; mayOpen: (path: string) => boolean }

/** 自定义看板: the person's own arrangement of the cards that he may see. */
export function CusBoard({ views, version, mayOpen }: Props): ReactNode {
  const { title } = usePage()
  const own = useLayout(views.map(({ fact }) => fact))
  const [shelf, setShelf] = useState(false)
  const board = useRef<HTMLElement>(null)
  const wall = useWall(board)
  useBlocker({ shouldBlockFn: async () => own.dirty && !(await mayDiscard()), enableBeforeUnload: () => own.dirty, disabled: !own.dirty })
  const shown = own.draft ?? own.items
  const rest = views.map(({ fact }) => fact).filter(({ code }) => !shown.some(item => item.code === code))
  const more = useMemo(() => wayFrom(mayOpen), [mayOpen])
  const is_empty = own.layout !== undefined && shown.every(item => !views.some(({ fact }) => fact.code === item.code))
  const add = (fact: CardFact) => own.change(added(shown, fact))
  return (
    <section ref={board} className={wall.on ? 'insight-board board-wall' : 'insight-board'} aria-label={title} data-ready={own.failure === null ? own.layout && 'dashboard' : 'failed'}>
      <Head own={own} rest={rest.length} onShelf={() => setShelf(true)} wall={wall.on} onWall={wall.toggle} />
      {own.refused !== null && <Alert type="warning" showIcon title={own.refused} />}
      {own.failure !== null && <Alert type="error" showIcon title={own.failure} action={<Button onClick={own.retry}>重试</Button>} />}
      {own.failure === null && own.layout === undefined && <Skeleton active paragraph={{ rows: 8 }} />}
      {is_empty && <Nothing editing={own.draft !== undefined} onStart={own.start} />}
      {own.layout && <Board views={views} items={shown} version={version} more={more} onChange={own.draft && own.change} />}
      {own.draft && <Shelf open={shelf} facts={rest} full={shown.length >= most_cards} onAdd={add} onClose={() => setShelf(false)} />}
      <OpenedRows />
    </section>
  )
}

/** The way from a card to its page, for whoever may open it. */
function wayFrom(mayOpen: Props['mayOpen']): (fact: CardFact) => ReactNode {
  return ({ path, title }) => path !== undefined && mayOpen(path) && <ListLink to={path} label={`查看明细：${title}`}>查看明细</ListLink>
}

type HeadProps = { own: OwnLayout; rest: number; onShelf: () => void; wall: boolean; onWall: () => void }

function Head({ own, rest, onShelf, wall, onWall }: HeadProps): ReactNode {
  const [publishing, setPublishing] = useState(false)
  return (
    <WallHead on={wall} help={own.draft ? '拖动组件调整位置，拖动右下角改变大小；也可用Tab选中后按方向键' : sourceText(own)}>
        {own.draft ? (
          <>
            <Button onClick={onShelf}>{`添加组件（${rest}）`}</Button>
            <Button onClick={() => void own.cancel()}>取消</Button>
            <Button type="primary" loading={own.busy} onClick={() => void own.save()}>保存布局</Button>
          </>
        ) : own.layout && (
          <>
            <Button onClick={onWall}>{wall ? '退出全屏' : '全屏（F11）'}</Button>
            {own.layout.source === 'own' && <Button loading={own.busy} onClick={() => void own.reset()}>恢复默认</Button>}
            <Can code={dashboardApi.publish}><Button onClick={() => setPublishing(true)}>发布布局</Button></Can>
            <Button type="primary" onClick={own.start}>调整布局</Button>
          </>
        )}
      {publishing && <PublishDialog items={own.items} onClose={() => setPublishing(false)} onDone={own.retry} />}
    </WallHead>
  )
}

function Nothing({ editing, onStart }: { editing: boolean; onStart: () => void }): ReactNode {
  return (
    <div className="insight-card insight-empty">
      <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={editing ? '点击“添加组件”，从组件库中选择' : '看板上还没有组件'} />
      {!editing && <Button type="primary" onClick={onStart}>调整布局</Button>}
    </div>
  )
}

function sourceText({ layout }: OwnLayout): string {
  if (!layout) return ''
  const { source, published } = layout
  if (source === 'own') return published ? '您自己的布局，可恢复为发布给您的布局' : '您自己的布局'
  if (published) return `${published.by}于${instantText(published.at)}发布给${published.target === 2 ? '您的角色' : '全校'}的布局`
  return '默认布局，可调整为您自己的布局'
}
