import type { ReactNode } from 'react'
import { MineTasks } from './mine-tasks.tsx'
import './collect.css'

/** 信息收集弹窗: what the school asks of me and my children, and the form of each, without anything around it. */
export default function InformationDialog(): ReactNode {
  return (
    <div className="collect-alone">
      <h1>请核对信息</h1>
      <MineTasks />
    </div>
  )
}
