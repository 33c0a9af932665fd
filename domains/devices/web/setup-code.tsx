import { QRCode } from 'antd'
import type { ReactNode } from 'react'

/** What a VF105 reads by its camera instead of being typed into; it holds a password. */
export function SetupCode({ text, sn }: { text: string; sn: string }): ReactNode {
  return (
    <figure className="device-setup-code">
      <QRCode type="svg" value={text} size={220} errorLevel="L" aria-label="设备扫码接入的二维码" />
      <figcaption>{`把二维码对准VF105（${sn}）的摄像头，设备会自动填写以上内容。二维码含有密码，请勿拍照转发。`}</figcaption>
    </figure>
  )
}
