import { leaveTypeName, recordApi } from '@campus/leave/contract'
import type { Ribbon } from '@campus/leave/contract'
import { AppModal, schoolToday, usePage } from '@kit/web'
import { useDialog } from '@kit/web/act'
import { PaintGrid } from '@kit/web/grid'
import type { GridLine } from '@kit/web/grid'
import { Loaded, useCall } from '@kit/web/part'
import { Button, DatePicker, Tag } from 'antd'
import { dayjs } from '@kit/web/day'
import type { ReactNode } from 'react'
import { typeColor } from './leave-words.ts'

const pupil = 1
const week = 7
const weekday_names = ['周一', '周二', '周三', '周四', '周五', '周六', '周日']

/** 周视图: classes against the days of a week, each cell with who is on leave of which type; Enter or a double click names them. */
export function WeekView({ onOpen }: { onOpen: (leave_id: string) => void }): ReactNode {
  const { search, setSearch } = usePage()
  const date = search.date ?? schoolToday()
  const query = useCall(recordApi.week, { date }, { keep: true })
  const go = (days: number) => setSearch({ ...search, date: dayjs(date).add(days, 'day').format('YYYY-MM-DD') })
  const choose = (day: dayjs.Dayjs | null) => day && setSearch({ ...search, date: day.format('YYYY-MM-DD') })
  return (
    <div className="leave-week" data-ready={query.data ? 'page' : undefined}>
      <div className="leave-buttons">
        <Button onClick={() => go(-week)}>上一周</Button>
        <DatePicker aria-label="所在周" picker="week" allowClear={false} value={dayjs(date)} onChange={choose} />
        <Button onClick={() => go(week)}>下一周</Button>
        <Legend />
      </div>
      <Loaded query={query} empty="这一周没有人请假" isEmpty={({ classes }) => classes.length === 0}>{ribbon => <Grid ribbon={ribbon} onOpen={onOpen} />}</Loaded>
    </div>
  )
}

function Legend(): ReactNode {
  return <span className="leave-legend"><Tag color={typeColor('2')}>病假</Tag><Tag color={typeColor('1')}>事假等</Tag><Tag color={typeColor('8')}>集体活动、竞赛</Tag></span>
}

type Row = GridLine & { dept_id: string; dept_name: string }
type Column = GridLine & { day: string }

function Grid({ ribbon, onOpen }: { ribbon: Ribbon; onOpen: (leave_id: string) => void }): ReactNode {
  const { open, close, dialog } = useDialog()
  const rows = ribbon.classes.map((one): Row => ({ key: one.dept_id, ...one, label: one.dept_name }))
  const columns = ribbon.days.map((day, at): Column => ({ key: day, day, label: <>{weekday_names[at]}<small>{day.slice(5)}</small></> }))
  const cellsOf = (row: Row, column: Column) => ribbon.cells.filter(cell => cell.dept_id === row.dept_id && cell.day === column.day)
  const show = (key: string) => {
    const [dept_id = '', day = ''] = key.split('/')
    const chosen = rows.find(row => row.dept_id === dept_id)
    if (chosen) open(<DayPeople dept_id={dept_id} dept_name={chosen.dept_name} date={day} onClose={close} onOpen={onOpen} />)
  }
  return (
    <>
      <PaintGrid
        label="每周请假" corner="班级" rows={rows} columns={columns}
        keyOf={(row, column) => (cellsOf(row, column).length === 0 ? null : `${row.dept_id}/${column.day}`)}
        renderCell={(row, column) => cellsOf(row, column).map(cell => <Tag key={cell.leave_type} color={typeColor(cell.leave_type)}>{leaveTypeName(pupil, cell.leave_type)} {cell.people}</Tag>)}
        titleOf={(row, column) => `${row.dept_name} ${column.day} ${cellsOf(row, column).map(cell => `${leaveTypeName(pupil, cell.leave_type)}${cell.people}人`).join('、')}`}
        onPaint={keys => keys.length === 1 && show(keys[0] ?? '')}
        onOpen={show}
      />
      {dialog}
    </>
  )
}

function DayPeople({ dept_id, dept_name, date, onClose, onOpen }: { dept_id: string; dept_name: string; date: string; onClose: () => void; onOpen: (leave_id: string) => void }): ReactNode {
  const query = useCall(recordApi.people, { dept_id, date })
  const show = (leave_id: string) => {
    onClose()
    onOpen(leave_id)
  }
  return (
    <AppModal open width={420} title={`${dept_name} ${date}`} footer={null} onCancel={onClose}>
      <Loaded query={query} empty="没有人请假">{({ list }) => (
        <ul className="leave-lines">
          {list.map(one => <li key={`${one.leave_id}-${one.user_id}`}><Tag color={typeColor(one.leave_type)}>{leaveTypeName(pupil, one.leave_type)}</Tag><Button type="link" size="small" onClick={() => show(one.leave_id)}>{one.user_name}</Button></li>)}
        </ul>
      )}</Loaded>
    </AppModal>
  )
}
