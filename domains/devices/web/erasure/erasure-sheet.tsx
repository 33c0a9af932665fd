import { PrinterOutlined } from '@ant-design/icons'
import { erasure_words } from '@campus/devices/contract'
import type { Erasure, ErasureLine } from '@campus/devices/contract'
import { AppDrawer, instantText } from '@kit/web'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import './erasure.css'

/** 人脸清除证明 as it is printed for a parent or an inspector; what is not done is said first and by name. */
export function ErasureSheet({ erasure, onClose }: { erasure: Erasure; onClose: () => void }): ReactNode {
  const { school_name, person, reason, issued_at, issued_by_name, lines, open } = erasure
  const print = <Button type="primary" icon={<PrinterOutlined aria-hidden />} onClick={() => window.print()}>打印</Button>
  return (
    <AppDrawer rootClassName="erasure-print" size={760} title="人脸清除证明" extra={print} onClose={onClose}>
      <article className="erasure-sheet" data-ready="erasure">
        <h2>{school_name}</h2>
        <h3>人脸数据清除证明</h3>
        <p>{`${person.user_name}（编号 ${person.user_no}${person.dept_name === null ? '' : `，${person.dept_name}`}）`}</p>
        <Verdict lines={lines} open={open} />
        <dl>
          <dt>出具原因</dt><dd>{reason}</dd>
          <dt>出具时间</dt><dd>{instantText(issued_at)}</dd>
          <dt>出具人</dt><dd>{issued_by_name ?? '—'}</dd>
        </dl>
        {lines.length > 0 && <Lines lines={lines} />}
        <footer>{lines.length > 0 && '“回读核对”指系统读出设备内的全部数据，其中没有此人的人脸。'}本证明由系统按设备的回执生成。</footer>
      </article>
    </AppDrawer>
  )
}

function Verdict({ lines, open }: Pick<Erasure, 'lines' | 'open'>): ReactNode {
  if (lines.length === 0) return <p>没有任何设备报告过保存此人的人脸。</p>
  if (open === 0) return <p>{`保存过此人人脸的${lines.length}台设备均已清除。`}</p>
  return <p className="erasure-open">{`保存过此人人脸的${lines.length}台设备中，${open}台尚未核实清除：${lines.filter(line => !isDone(line)).map(line => line.device_name).join('、')}。`}</p>
}

function Lines({ lines }: { lines: readonly ErasureLine[] }): ReactNode {
  return (
    <table>
      <thead><tr><th>设备</th><th>首次保存</th><th>设备确认删除</th><th>回读核对</th><th>结果</th></tr></thead>
      <tbody>
        {lines.map(line => (
          <tr key={line.device_sn}>
            <td>{line.device_name}<small>{`${line.device_sn} ${line.node_path_name ?? ''}`}</small></td>
            <td>{timeOf(line.first_applied_at)}</td>
            <td>{timeOf(line.delete_acked_at)}</td>
            <td>{timeOf(line.proven_gone_at)}</td>
            <td className={isDone(line) ? undefined : 'erasure-open'}>{erasure_words[line.state]}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function isDone({ state }: ErasureLine): boolean {
  return state === 'proven' || state === 'wiped'
}

function timeOf(at: string | null): string {
  return at === null ? '—' : instantText(at)
}
