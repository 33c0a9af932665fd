import { PrinterOutlined } from '@ant-design/icons'
import type { FreshmanRow, FreshmenSeason } from '@campus/people/contract'
import { AppDrawer, schoolToday } from '@kit/web'
import { Button, QRCode } from 'antd'
import type { ReactNode } from 'react'
import { seasonTitle } from './freshmen-words.ts'
import '../deletion/deletion.css'

/** 录取通知书 of several children, a page each; the code is what is scanned at arrival. */
export function NoticeDrawer({ season, rows, onClose }: { season: FreshmenSeason; rows: readonly FreshmanRow[]; onClose: () => void }): ReactNode {
  const print = <Button type="primary" icon={<PrinterOutlined aria-hidden />} onClick={() => window.print()}>打印</Button>
  return (
    <AppDrawer rootClassName="people-print" size={620} title={`录取通知书（${rows.length} 份）`} extra={print} onClose={onClose}>
      {rows.map(row => (
        <article key={row.id} className="people-sheet fresh-notice">
          <h2>录取通知书</h2>
          <h3>{seasonTitle(season)}</h3>
          <p>{row.user_name} 同学：</p>
          <p>你已被我校录取{row.dept_name === null ? '，班级另行通知' : `，编入${row.dept_name}`}。请在报到当日携带{season.materials.length > 0 ? `${season.materials.map(one => one.name).join('、')}和` : ''}本通知书，由监护人陪同到校办理入学手续。</p>
          <dl>
            <dt>报名编号</dt><dd>{row.apply_no}</dd>
            <dt>监护人</dt><dd>{row.guardian}</dd>
            <dt>签发日期</dt><dd>{schoolToday()}</dd>
          </dl>
          <QRCode type="svg" value={row.apply_no} size={120} bordered={false} aria-label={`${row.user_name}的报到二维码`} />
          <footer>（盖章有效）</footer>
        </article>
      ))}
    </AppDrawer>
  )
}
