import { PrinterOutlined } from '@ant-design/icons'
import { AppDrawer } from '@kit/web'
import { Button, QRCode } from 'antd'
import type { ReactNode } from 'react'
import '../deletion/deletion.css'

type Props = { title: string; until: string; address: string; onClose: () => void }

/** A sheet with the code of a form, to be printed. */
export function PosterDrawer({ title, until, address, onClose }: Props): ReactNode {
  const print = <Button type="primary" icon={<PrinterOutlined aria-hidden />} onClick={() => window.print()}>打印</Button>
  return (
    <AppDrawer rootClassName="people-print" size={620} title="二维码海报" extra={print} onClose={onClose}>
      <article className="people-sheet register-poster">
        <h2>{title}</h2>
        <p>请用手机扫码填写</p>
        <QRCode type="svg" value={address} size={360} errorLevel="M" bordered={false} aria-label={`${title}二维码`} />
        <p>{until}</p>
      </article>
    </AppDrawer>
  )
}
