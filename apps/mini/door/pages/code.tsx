import { useState } from 'react'
import type { ReactNode } from 'react'
import { sentenceOf } from '../../shell/ask.ts'
import { Card } from '../../shell/parts.tsx'
import type { DoorPage } from '../page.ts'

/** 扫码开门: the code at a door has led here; it opens for who may pass it now (chapter 35 R53). */
export function Code({ call, scanned }: DoorPage & { scanned: string | null }): ReactNode {
  const [said, say] = useState<{ msg: string; is_open: boolean } | null>(null)
  const [busy, setBusy] = useState(false)
  const open = async () => {
    setBusy(true)
    say(
      await call('scan', { token: scanned ?? '' }).then(
        ({ place_name }) => ({ msg: `${place_name}已打开，请通行`, is_open: true }),
        (cause: unknown) => ({ msg: sentenceOf(cause), is_open: false }),
      ),
    )
    setBusy(false)
  }
  return (
    <Card title="扫码开门">
      {scanned === null ? (
        <p className="empty">请用手机相机或微信扫描门上的二维码，打开后在此页确认开门。</p>
      ) : (
        <>
          <p>您已扫描门上的二维码。系统按您的通行规则判断，有权限才会开门。</p>
          <div className="leave-acts">
            <button type="button" className="button button-first" disabled={busy} onClick={() => void open()}>
              开门
            </button>
          </div>
        </>
      )}
      <p role="status" className={said !== null && !said.is_open ? 'entry-msg' : undefined}>
        {said?.msg ?? ''}
      </p>
    </Card>
  )
}
