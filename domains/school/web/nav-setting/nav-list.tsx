import { HolderOutlined } from '@ant-design/icons'
import { Button, Tag } from 'antd'
import { useId, useLayoutEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { useDragOrder } from '@kit/web/order'
import { schoolPorts } from '../ports.ts'
import { iconOf, nameOf } from './nav-model.ts'
import type { DraftPage } from './nav-model.ts'

type Props = {
  title: string
  items: readonly DraftPage[]
  chosen?: number
  onChoose?: (nav_id: number) => void
  onMove: (from: number, to: number) => void
  onHide: (nav_id: number, hidden: boolean) => void
  onOpen: (nav_id: number) => void
}

/** Groups, or the pages of one: in their order, by drag or by keys, each with what is done to it. */
export function NavList({ title, items, chosen, onChoose, onMove, onHide, onOpen }: Props): ReactNode {
  const head = useId()
  const list = useDragOrder(onMove)
  const focusLater = useFocusAfter(items)
  const step = (item: DraftPage, at: number, to: number, name: string) => {
    focusLater(`nav-${name}-${item.node.nav_id}`)
    onMove(at, to)
  }
  return (
    <section className="record-card nav-list" aria-labelledby={head}>
      <h3 id={head}>{title}</h3>
      <ol ref={list}>
        {items.map((item, at) => (
          <li key={item.node.nav_id} draggable aria-current={onChoose ? item.node.nav_id === chosen : undefined} data-off={item.own.hidden || !item.node.licensed}>
            <HolderOutlined className="nav-holder" aria-hidden />
            <span className="nav-icon" aria-hidden>{schoolPorts().icon(iconOf(item))}</span>
            <Name item={item} onChoose={onChoose} />
            <Marks item={item} />
            <span className="nav-tools">
              <Button id={`nav-up-${item.node.nav_id}`} type="text" size="small" aria-label={`上移${nameOf(item)}`} aria-disabled={at === 0} onClick={() => at > 0 && step(item, at, at - 1, 'up')}>↑</Button>
              <Button id={`nav-down-${item.node.nav_id}`} type="text" size="small" aria-label={`下移${nameOf(item)}`} aria-disabled={at === items.length - 1} onClick={() => at < items.length - 1 && step(item, at, at + 1, 'down')}>↓</Button>
              {!item.node.fixed && !item.node.detail && <Button type="link" size="small" aria-label={`${item.own.hidden ? '显示' : '隐藏'}${nameOf(item)}`} onClick={() => onHide(item.node.nav_id, !item.own.hidden)}>{item.own.hidden ? '显示' : '隐藏'}</Button>}
              <Button type="link" size="small" aria-label={`编辑${nameOf(item)}`} onClick={() => onOpen(item.node.nav_id)}>编辑</Button>
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

function Name({ item, onChoose }: { item: DraftPage; onChoose?: (nav_id: number) => void }): ReactNode {
  const usual = item.own.show_name !== null && <small title={`原名：${item.node.name}`}>{item.node.name}</small>
  if (!onChoose) return <span className="nav-name">{nameOf(item)}{usual}</span>
  return <button type="button" className="nav-name" onClick={() => onChoose(item.node.nav_id)}>{nameOf(item)}{usual}</button>
}

function Marks({ item: { node, own } }: { item: DraftPage }): ReactNode {
  return (
    <>
      {node.detail && <Tag title="由其他页面打开，不在侧边栏显示">下级页</Tag>}
      {own.hidden && <Tag>已隐藏</Tag>}
      {!node.licensed && <Tag color="orange">未开通</Tag>}
    </>
  )
}

/** A line that moved was put into the page anew: the button that moved it keeps the focus. */
function useFocusAfter(items: readonly DraftPage[]): (id: string) => void {
  const wanted = useRef<string>(undefined)
  useLayoutEffect(() => {
    if (wanted.current !== undefined) document.getElementById(wanted.current)?.focus()
    wanted.current = undefined
  }, [items])
  return id => {
    wanted.current = id
  }
}
