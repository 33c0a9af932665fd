import { alertApi, attendChannel, clockApi } from '@campus/attendance/contract'
import type { Tile } from '@campus/attendance/contract'
import { PageFrame, schoolToday, useCan, useChannel, usePage, usePageKeys } from '@kit/web'
import { lazyDialog, useDialog } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { useQueryClient } from '@tanstack/react-query'
import { DatePicker, Segmented, Switch, Table } from 'antd'
import { dayjs } from '@kit/web/day'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { AlertRail } from './alert-rail.tsx'
import '../attendance.css'

const ClassDrawer = lazyDialog(() => import('./class-drawer.tsx').then(part => part.ClassDrawer))

/** 班级打卡: one tile a class, live; red = missing though in school, hatched = a device is silent (chapter 55 §5). */
export default function ClassClock(): ReactNode {
  const { active } = usePage()
  const [date, choose] = useState(schoolToday())
  const [slot, pick] = useState<string>()
  const [is_table, showTable] = useState(false)
  const [at, move] = useState(0)
  const { open, close, dialog } = useDialog()
  const client = useQueryClient()
  const slots = useCall(clockApi.now, { date }).data?.slots ?? []
  const shown = slot ?? slots.find(one => one.is_now)?.key
  const asked = { date, ...(shown === undefined ? {} : { slot: shown }) }
  const query = useCall(clockApi.page, asked, { keep: true })
  const may_alert = useCan(alertApi.page)
  const list = query.data?.list ?? []
  const again = () => {
    for (const one of [clockApi.page, clockApi.ofClass, alertApi.page]) void client.invalidateQueries({ queryKey: [one.call] })
  }
  useChannel(attendChannel, again, { on: active, onGap: again })
  const look = (nth: number) => {
    const tile = list[nth]
    if (!tile) return
    move(nth)
    open(<ClassDrawer key={tile.dept_id} tile={tile} asked={{ date, slot: query.data?.slot ?? undefined }} onClose={close} onDone={again} />)
  }
  usePageKeys({ j: () => look(Math.min(at + 1, list.length - 1)), k: () => look(Math.max(at - 1, 0)) })
  const tabs = slots.map(one => ({ value: one.key, label: `${one.name} ${one.begin}` }))
  return (
    <PageFrame help="J/K 切换班级；灰色斜线为设备没有上传记录，待核实，不计缺勤" actions={<>表格 <Switch checked={is_table} onChange={showTable} aria-label="表格" /></>}>
      <div className="attend-clock" data-ready={query.data ? 'clock' : query.error ? 'failed' : undefined}>
        <section aria-label="班级">
          <div className="attend-ask">
            <DatePicker aria-label="日期" allowClear={false} value={dayjs(date)} onChange={day => choose(dayjs(day).format('YYYY-MM-DD'))} />
            {tabs.length > 0 && <Segmented options={tabs} value={query.data?.slot ?? tabs[0]?.value} onChange={pick} />}
          </div>
          <Loaded query={query} rows={8} empty="没有可查看的班级" isEmpty={data => data.list.length === 0}>
            {data => (is_table ? <Tiles list={data.list} look={look} /> : <div className="attend-wall">{data.list.map((tile, nth) => <ClassTile key={tile.dept_id} tile={tile} look={() => look(nth)} />)}</div>)}
          </Loaded>
        </section>
        {may_alert && <AlertRail />}
      </div>
      {dialog}
    </PageFrame>
  )
}

function ClassTile({ tile, look }: { tile: Tile; look: () => void }): ReactNode {
  const { dept_name, expected, present, late, missing, unverified, leave, absent, waiting } = tile
  const part = expected === 0 ? 0 : (100 * present) / expected
  const words = [`${dept_name}，应到${expected}，已到${present}`, late > 0 ? `迟到${late}` : '', absent > 0 ? `缺勤${absent}` : '', leave > 0 ? `请假${leave}` : '', unverified > 0 ? `待核实${unverified}` : '', missing > 0 ? `在校缺课${missing}` : ''].filter(Boolean).join('，')
  return (
    <button type="button" className="attend-tile" data-alert={missing > 0 || undefined} data-silent={unverified > 0 || undefined} data-none={expected === 0 || undefined} title={words} onClick={look}>
      <i className="attend-ring" style={{ background: `conic-gradient(#389e0d ${part}%, #f0f0f0 0)` }}><em>{expected === 0 ? '—' : present}</em></i>
      <span>{dept_name}<small>{expected === 0 ? '无课' : `应到 ${expected}${late > 0 ? ` 迟${late}` : ''}${absent > 0 ? ` 缺${absent}` : ''}${waiting > 0 && present === 0 ? ' 未到时间' : ''}`}</small></span>
    </button>
  )
}

function Tiles({ list, look }: { list: readonly Tile[]; look: (nth: number) => void }): ReactNode {
  const number = (key: keyof Tile & string, title: string) => ({ key, title, dataIndex: key, width: 80, align: 'right' as const })
  const columns = [
    { key: 'dept_name', title: '班级', width: 144, render: (_: unknown, tile: Tile) => <button type="button" className="attend-link" onClick={() => look(list.indexOf(tile))}>{tile.dept_name}</button> },
    { key: 'title', title: '课程', width: 112, dataIndex: 'title' },
    number('expected', '应到'), number('present', '实到'), number('late', '迟到'), number('absent', '缺勤'), number('leave', '请假'), number('unverified', '待核实'), number('missing', '在校缺课'),
  ]
  return <Table<Tile> size="small" rowKey="dept_id" columns={columns} dataSource={[...list]} pagination={false} scroll={{ y: 480 }} />
}
