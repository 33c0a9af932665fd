import { createContext, useContext, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'

type Slots = { help: HTMLElement | null; actions: HTMLElement | null; footer: HTMLElement | null }

const none: Slots = { help: null, actions: null, footer: null }
const PageSlots = createContext<Slots>(none)

type FrameProps = {
  /** one line under the name: what the page is for */
  help?: ReactNode
  /** acts of the whole page, at the right of its name */
  actions?: ReactNode
  /** 保存 and 取消, always in sight below the content */
  footer?: ReactNode
  /** `page` when what is shown has answered, `failed` when it could not; undefined while it loads. Absent where a list inside says it. */
  ready?: string
  children?: ReactNode
}

/**
 * The frame of a page (design `screens.md` §1): the console draws the page's name as its only `h1`, and this adds the line of help, the acts at
 * the right and the footer. Several may stand in one page; each adds to the same head.
 */
export function PageFrame({ help, actions, footer, ready, children }: FrameProps): ReactNode {
  const slots = useContext(PageSlots)
  return (
    <>
      {slots.help && help !== undefined && createPortal(help, slots.help)}
      {slots.actions && actions !== undefined && createPortal(actions, slots.actions)}
      {ready === undefined ? children : <div className="kit-page-content" data-ready={ready}>{children}</div>}
      {slots.footer && footer !== undefined && createPortal(footer, slots.footer)}
    </>
  )
}

/** What the console draws around every page: head with name and tabs, the content that scrolls, the footer. */
export function PageShell({ title, tabs, children }: { title: string; tabs?: ReactNode; children: ReactNode }): ReactNode {
  const [help, setHelp] = useState<HTMLElement | null>(null)
  const [actions, setActions] = useState<HTMLElement | null>(null)
  const [footer, setFooter] = useState<HTMLElement | null>(null)
  const slots = useMemo(() => ({ help, actions, footer }), [help, actions, footer])
  return (
    <PageSlots value={slots}>
      <header className="kit-page-head">
        <h1>{title}</h1>
        <p className="kit-page-help" ref={setHelp} />
        <div className="kit-page-actions" ref={setActions} />
      </header>
      {tabs}
      <div className="kit-page-body" tabIndex={-1}>{children}</div>
      <footer className="kit-page-foot" ref={setFooter} />
    </PageSlots>
  )
}
