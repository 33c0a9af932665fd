import { QRCode } from 'antd'
import type { ReactNode } from 'react'

/** The QR that the gate reads; its own part, so that who only books does not load it. */
export function VisitQr({ text }: { text: string }): ReactNode {
  return <QRCode type="svg" value={text} size={220} errorLevel="M" aria-label="通行二维码" />
}
