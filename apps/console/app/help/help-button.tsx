import { QuestionCircleOutlined } from '@ant-design/icons'
import { Button, Tooltip } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'

const HelpPopup = lazy(() => import('./help-popup.tsx').then((part) => ({ default: part.HelpPopup })))

/** The help in the top bar (chapter 10 N8), where it covers no number and no row; gone when it was switched off meanwhile. */
export function HelpButton({ path }: { path: string }): ReactNode {
  const [open, setOpen] = useState(false)
  const [gone, setGone] = useState(false)
  if (gone) return null
  return (
    <>
      <Tooltip title="AI 助手">
        <Button type="text" className="app-help" icon={<QuestionCircleOutlined />} aria-label="AI 助手" aria-expanded={open} onClick={() => setOpen(!open)} />
      </Tooltip>
      <Suspense>{open && <HelpPopup path={path} onClose={() => setOpen(false)} onOff={() => setGone(true)} />}</Suspense>
    </>
  )
}
