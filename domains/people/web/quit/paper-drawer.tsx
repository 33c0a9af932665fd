import { PrinterOutlined } from '@ant-design/icons'
import { closeName, quitApi } from '@campus/people/contract'
import type { QuitFile } from '@campus/people/contract'
import { AppDrawer, call, dictionaryName, schoolToday } from '@kit/web'
import { PartState } from '@kit/web/part'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import '../deletion/deletion.css'

const pupil = 1

/** 离校证明: what the school attests about somebody who left, to be printed. */
export function PaperDrawer({ user_id, onClose }: { user_id: string; onClose: () => void }): ReactNode {
  const query = useQuery({ queryKey: [quitApi.detail.call, user_id], queryFn: ({ signal }) => call(quitApi.detail, { id: user_id }, { signal, quiet: true }) })
  const { data } = query
  const print = <Button type="primary" icon={<PrinterOutlined aria-hidden />} disabled={!data} onClick={() => window.print()}>打印</Button>
  return (
    <AppDrawer rootClassName="people-print" size={620} title="离校证明" extra={print} onClose={onClose}>
      {!data && <PartState query={query} />}
      {data && <Sheet file={data} />}
    </AppDrawer>
  )
}

function Sheet({ file }: { file: QuitFile }): ReactNode {
  const { user_name, sex, user_no, dept_name, enrol_month, left_on, close_kind, to_where } = file
  const since = enrol_month === null ? '' : `${enrol_month.slice(0, 4)}年${Number(enrol_month.slice(4))}月`
  const [first] = file.spans
  const words = file.person_kind === pupil
    ? `学生${user_name}，${dictionaryName('SEX', sex)}，学号${user_no}，${since}入学，曾在我校${dept_name ?? ''}就读，${left_on}因${closeName(close_kind)}离校${to_where === null ? '' : `，去往${to_where}`}。`
    : `教职工${user_name}，${dictionaryName('SEX', sex)}，工号${user_no}，${since}到校，曾在我校${dept_name ?? ''}任职，${left_on}因${closeName(close_kind)}离校。`
  return (
    <article className="people-sheet">
      <h2>{file.school_name}</h2>
      <h3>离校证明</h3>
      <p>兹证明{words}</p>
      <p>特此证明。</p>
      <dl>
        <dt>在校时间</dt><dd>{first ? `${first.from} 至 ${left_on}` : left_on}</dd>
        <dt>经办人</dt><dd>　</dd>
        <dt>开具日期</dt><dd>{schoolToday()}</dd>
      </dl>
      <footer>（盖章有效）</footer>
    </article>
  )
}
