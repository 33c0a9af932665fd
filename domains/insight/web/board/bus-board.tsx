import { usePage } from '@kit/web'
import { Board, usualLayout } from '@kit/web/dashboard'
import type { CardView } from '@kit/web/dashboard'
import { Button, Empty } from 'antd'
import { useRef } from 'react'
import type { ReactNode } from 'react'
import { useWall } from './use-wall.ts'
import { WallHead } from './wall-head.tsx'

/** What transport will put here, and what it stands on. */
const coming = ['今日线路与发车、到站情况', '乘车学生上下车与未乘车提醒', '车辆位置与晚点', '下车清点与预警'] as const

/** 校车数据看板: the cards of transport, for a screen on the wall. While nobody contributes any, it says what will be here and what to do until then. */
export function BusBoard({ views, version }: { views: readonly CardView[]; version: string }): ReactNode {
  const { title } = usePage()
  const board = useRef<HTMLElement>(null)
  const wall = useWall(board)
  const shown = views.filter(({ fact }) => fact.boards.includes('bus'))
  return (
    <section ref={board} className={wall.on ? 'insight-board board-wall' : 'insight-board'} aria-label={title} data-ready="dashboard">
      <WallHead on={wall.on}><Button onClick={wall.toggle}>{wall.on ? '退出全屏' : '全屏（F11）'}</Button></WallHead>
      {shown.length > 0 ? <Board views={shown} items={usualLayout(shown.map(({ fact }) => fact))} version={version} /> : <Coming />}
    </section>
  )
}

function Coming(): ReactNode {
  return (
    <div className="insight-card insight-coming">
      <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="校车功能尚未提供，看板暂无数据" />
      <p>校车功能提供后，这里会显示：</p>
      <ul>{coming.map(line => <li key={line}>{line}</li>)}</ul>
      <p>现在可以先完成：在“学生家长档案”中登记乘车学生的家长与联系电话。暂不使用时，可由管理员在“学校信息 → 导航与应用”中隐藏本页。</p>
    </div>
  )
}
