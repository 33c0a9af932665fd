import type { RulePreview as Seen } from '@campus/devices/contract'
import { Alert, Empty, Table } from 'antd'
import type { ReactNode } from 'react'
import { way_names } from './rule-words.ts'
import { weekday_names } from './week.ts'

const mode_words = { normal: '正常', always_open: '常开', always_closed: '常闭', off: '关机', sleep: '休眠' } as const
const devices_shown = 8
const day_words = { workday: '', weekend: '休', holiday: '假', make_up: '班', unknown: '?' } as const

/** What a rule would do: the next sixty days, their times and who follows. */
export function RulePreview({ seen }: { seen: Seen }): ReactNode {
  const times = new Map(seen.times.map(day => [day.date, day.windows.map(window => `${window.from}-${window.to} ${mode_words[window.mode]}`).join('\n')]))
  return (
    <>
      {seen.conflicts.length > 0 && <Alert type="warning" showIcon title={seen.conflicts.map(one => `与规则“${one.rule_name}”时间冲突`).join('；')} description="同一设备、同一优先级的规则时间不能重叠，请调整时间、日期或优先级。" />}
      <h3>未来60天</h3>
      <ol className="rule-strip">
        {seen.days.map(day => (
          <li key={day.date} className={`rule-day-${day.kind}`} title={[`${day.date} 周${weekday_names[day.weekday - 1] ?? ''}`, day.name, day.follows_weekday === null ? null : `按周${weekday_names[day.follows_weekday - 1] ?? ''}执行`, times.get(day.date)].filter(Boolean).join('\n')}>
            <span>{dayText(day.date)}</span>
            <small>{day_words[day.kind]}</small>
          </li>
        ))}
      </ol>
      <h3>{`生效设备（${seen.devices.length}台）`}</h3>
      {seen.devices.length === 0 ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="所选范围内没有这类设备" /> : (
        <Table size="small" pagination={{ pageSize: devices_shown, hideOnSinglePage: true, showSizeChanger: false }} rowKey="device_id" dataSource={seen.devices} columns={[{ title: '设备', dataIndex: 'device_name' }, { title: '场所', dataIndex: 'node_path_name', render: (path: string | null) => path ?? '未绑定场所' }, { title: '执行方式', dataIndex: 'way', render: (way: keyof typeof way_names) => way_names[way] }, { title: '当前', dataIndex: 'online', render: (online: boolean) => (online ? '在线' : '离线，恢复后生效') }]} />
      )}
    </>
  )
}

/** The day of the month; its first day names the month. */
function dayText(date: string): string {
  const [month = 0, day = 0] = date.slice(5).split('-').map(Number)
  return day === 1 ? `${month}月` : String(day)
}
