import { PrinterOutlined } from '@ant-design/icons'
import { deptEditApi, studentApi } from '@campus/people/contract'
import type { BoardClass, StudentRow } from '@campus/people/contract'
import { AppDrawer, call, dictionaryName, schoolToday } from '@kit/web'
import { PartState } from '@kit/web/part'
import { useQuery } from '@tanstack/react-query'
import { Button, Empty, Segmented } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import '../deletion/deletion.css'
import './roster.css'

type Props = { dept_id: string; dept_name: string; on: string | undefined; onClose: () => void }
type Roll = { one: BoardClass; rows: StudentRow[] }

const page_size = 300
/** Empty cells beside each name, so that somebody with a pen can tick them off. */
const boxes = { none: [], ticks: Array.from({ length: 10 }, (_, at) => at) } as const
const blank = '\u00a0'
const looks = [{ value: 'none', label: '名单' }, { value: 'ticks', label: '点名册' }] as const

/** 花名册 of a class, or of every class below a department, as of a day: each class on a page of its own, to be printed. */
export function RosterPrint({ dept_id, dept_name, on, onClose }: Props): ReactNode {
  const [look, setLook] = useState<keyof typeof boxes>('none')
  const query = useQuery({ queryKey: [studentApi.list.call, 'print', dept_id, on], queryFn: ({ signal }) => readRolls(dept_id, on, signal) })
  const { data } = query
  const print = <Button type="primary" icon={<PrinterOutlined aria-hidden />} disabled={!data || data.length === 0} onClick={() => window.print()}>打印</Button>
  return (
    <AppDrawer rootClassName="people-print" size={720} title={`打印花名册 · ${dept_name}`} extra={print} onClose={onClose}>
      <div className="roster-look"><Segmented aria-label="版式" options={[...looks]} value={look} onChange={setLook} /></div>
      {!data && <PartState query={query} rows={10} />}
      {data?.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="这一天没有在读学生" />}
      {data?.map(roll => <Sheet key={roll.one.id} roll={roll} cells={boxes[look]} on={on ?? schoolToday()} />)}
    </AppDrawer>
  )
}

function Sheet({ roll: { one, rows }, cells, on }: { roll: Roll; cells: readonly number[]; on: string }): ReactNode {
  return (
    <article className="people-sheet roster-sheet">
      <h2>{one.label} 花名册</h2>
      <p className="roster-facts">
        <span>班主任：{one.head?.user_name ?? '未设'}</span>
        <span>共 {rows.length} 人（男 {one.boys}，女 {one.girls}）</span>
        <span>{on}</span>
      </p>
      <table>
        <thead><tr><th>序号</th><th>学号</th><th>姓名</th><th>性别</th>{cells.length > 0 && <th colSpan={cells.length}>点名</th>}</tr></thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={row.user_id}><td>{at + 1}</td><td>{row.student_no}</td><td>{row.user_name}</td><td>{dictionaryName('SEX', row.sex)}</td>{cells.map(cell => <td key={cell} className="roster-box">{blank}</td>)}</tr>
          ))}
        </tbody>
      </table>
    </article>
  )
}

/** The classes at or below the department on that day with their pupils, in the order of the board. */
async function readRolls(dept_id: string, on: string | undefined, signal: AbortSignal): Promise<Roll[]> {
  const day = on === undefined ? {} : { on }
  const quiet = { signal, quiet: true } as const
  const { list: grades } = await call(deptEditApi.treeByGrade, day, quiet)
  const rows: StudentRow[] = []
  for (let page_index = 1, total = 1; (page_index - 1) * page_size < total; page_index += 1) {
    const page = await call(studentApi.list, { ...day, dept_id, include_sub: '1', sort: 'student_no', page_index, page_size }, quiet)
    rows.push(...page.list)
    total = page.total
  }
  const by_class = Map.groupBy(rows, row => row.dept_id)
  return grades.flatMap(grade => grade.classes).flatMap(one => {
    const own = by_class.get(one.id)
    return own ? [{ one, rows: own }] : []
  })
}
