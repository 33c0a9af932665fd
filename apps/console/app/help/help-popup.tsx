import { CloseOutlined, HolderOutlined } from '@ant-design/icons'
import { aiHelpApi } from '@campus/identity/contract'
import { call, CallError, toast } from '@kit/web'
import { Button } from 'antd'
import { useEffect, useRef, useState } from 'react'
import type { ReactNode, RefObject } from 'react'
import { popup } from './place.ts'
import { usePlace } from './use-place.ts'
import './help.css'

/** Looked up so often while it is open: it has to be gone five seconds after it was switched off. */
const LOOK_MS = 4000
const CONFLICT = 409
/** Our own pages need nothing of the console; a provider's page keeps its own origin, or it could keep no conversation. */
const own_sandbox = 'allow-scripts'
const partner_sandbox = 'allow-scripts allow-same-origin allow-forms allow-popups'

type Frame = { url: string; is_partner: boolean }
type Props = { path: string; onClose: () => void; onOff: () => void }

/** The AI help beside the work: movable, closed by Esc, at the article of the page that is open. */
export function HelpPopup({ path, onClose, onOff }: Props): ReactNode {
  const frame = useFrame(onOff)
  const { place, handle, moving } = usePlace()
  const inside = useRef<HTMLIFrameElement>(null)
  useEscape(onClose, inside)
  return (
    <section className="app-help-popup" role="dialog" aria-label="AI 助手" style={{ left: place.x, top: place.y, width: popup.width, height: popup.height }}>
      <header className="app-help-head">
        <button type="button" className="app-help-grip" aria-label="AI 助手，拖动或用方向键移动" title="拖动移动，也可用方向键" {...handle}><HolderOutlined aria-hidden /> AI 助手</button>
        <Button type="text" size="small" icon={<CloseOutlined />} aria-label="关闭" onClick={onClose} />
      </header>
      {frame && (
        <iframe
          className={moving ? 'app-help-frame app-help-still' : 'app-help-frame'} title="帮助内容" referrerPolicy="no-referrer"
          ref={inside} sandbox={frame.is_partner ? partner_sandbox : own_sandbox} src={frame.is_partner ? frame.url : `${frame.url}#${path}`}
        />
      )}
      {!frame && <p className="app-help-wait" role="status">正在打开…</p>}
    </section>
  )
}

/** The address it was opened with stays; later answers only say whether the help is still there. */
function useFrame(onOff: () => void): Frame | undefined {
  const [frame, setFrame] = useState<Frame>()
  const off = useRef(onOff)
  useEffect(() => {
    off.current = onOff
  }, [onOff])
  useEffect(() => {
    const look = () =>
      call(aiHelpApi.frame, {}, { quiet: true }).then(
        given => setFrame(before => before ?? given),
        (cause: unknown) => {
          if (!(cause instanceof CallError) || cause.status !== CONFLICT) return
          toast.warning(cause.msg)
          off.current()
        },
      )
    void look()
    const timer = window.setInterval(() => void look(), LOOK_MS)
    return () => window.clearInterval(timer)
  }, [])
  return frame
}

/** Esc closes it, also from within the pages of the help, which say so. */
function useEscape(onClose: () => void, inside: RefObject<HTMLIFrameElement | null>): void {
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  }, [onClose])
  useEffect(() => {
    const press = (event: KeyboardEvent) => event.key === 'Escape' && close.current()
    const told = ({ source, data }: MessageEvent) => source === inside.current?.contentWindow && data === 'help:close' && close.current()
    window.addEventListener('keydown', press)
    window.addEventListener('message', told)
    return () => {
      window.removeEventListener('keydown', press)
      window.removeEventListener('message', told)
    }
  }, [inside])
}
