import { QuestionCircleOutlined } from '@ant-design/icons'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'

const HelpPopup = lazy(() => import('./help-popup.tsx').then((part) => ({ default: part.HelpPopup })))

/** The round button at the bottom right (chapter 10 N8); gone when the help was switched off meanwhile. */
export function HelpButton({ path }: { path: string }): ReactNode {
  const [open, setOpen] = useState(false)
  const [gone, setGone] = useState(false)
  if (gone) return null
  return (
    <>
      <button type="button" className="app-help" aria-label="AI 助手" title="AI 助手" aria-expanded={open} onClick={() => setOpen(!open)}>
        <QuestionCircleOutlined aria-hidden />
      </button>
      <Suspense>{open && <HelpPopup path={path} onClose={() => setOpen(false)} onOff={() => setGone(true)} />}</Suspense>
    </>
  )
}
