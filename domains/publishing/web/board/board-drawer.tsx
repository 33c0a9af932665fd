import { BoardTile } from '@campus/devices/web'
import { boardApi } from '@campus/devices/contract'
import { classBoardApi, name_modes } from '@campus/publishing/contract'
import type { BoardRow } from '@campus/publishing/contract'
import { AppDrawer, call, instantText, serverNow, useCan } from '@kit/web'
import { useAct } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { Alert, Button, Radio, Slider, Switch, Table, Tabs, Tag } from 'antd'
import type { TableColumnType } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { DeliveryTable } from './delivery-table.tsx'
import { ScreenView } from './screen-view.tsx'

type Props = { row: BoardRow; onClose: () => void; onChanged: () => void }
const [day_minutes, minute_ms, zone_ms] = [1440, 60_000, 8 * 3_600_000] as const
const clockOf = (minutes: number) => `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

/** One board: what it shows now and why, its contents by receipts, its plans, its hardware, and how it is paired. */
export function BoardDrawer({ row, onClose, onChanged }: Props): ReactNode {
  const tabs = [
    { key: 'now', label: '此刻此屏', children: <NowTab row={row} /> },
    { key: 'content', label: '内容送达', children: <Deliveries device_id={row.device_id} /> },
    { key: 'plans', label: '播放计划', children: <Plans device_id={row.device_id} /> },
    ...(useCan(boardApi.detail) ? [{ key: 'device', label: '屏幕', children: <BoardTile device_id={row.device_id} /> }] : []),
    { key: 'set', label: '设置与配对', children: <SetTab row={row} onChanged={onChanged} /> },
  ]
  return <AppDrawer size={760} title={row.class_name === null ? row.device_name : `${row.class_name} · ${row.device_name}`} onClose={onClose}><Tabs items={tabs} /></AppDrawer>
}

/** A time of today or tomorrow is dragged; the screen is what the board's own plan says for it. */
function NowTab({ row }: { row: BoardRow }): ReactNode {
  const now = serverNow()
  const midnight = Math.floor((now + zone_ms) / (day_minutes * minute_ms)) * day_minutes * minute_ms - zone_ms
  const [minutes, setMinutes] = useState(Math.floor((now - midnight) / minute_ms))
  const [is_newest, setNewest] = useState(false)
  const at = new Date(midnight + minutes * minute_ms).toISOString()
  const query = useCall(classBoardApi.preview, { id: row.device_id, at, newest: is_newest ? '1' : '0' }, { keep: true, enabled: row.plan_version !== null })
  if (row.plan_version === null) return <p className="pub-hint">这块班牌还没有播放计划：在“设置与配对”中配对，首次同步时生成。</p>
  return (
    <>
      <div className="brd-line"><b>{clockOf(minutes % day_minutes)}{minutes >= day_minutes ? '（明天）' : ''}</b><Switch checkedChildren="最新计划" unCheckedChildren="班牌正在播放的计划" checked={is_newest} onChange={setNewest} /></div>
      <Slider ariaLabelForHandle="时间" min={0} max={2 * day_minutes - 1} value={minutes} onChange={setMinutes} tooltip={{ formatter: value => clockOf((value ?? 0) % day_minutes) }} marks={{ 0: '今天', [day_minutes]: '明天' }} />
      <Loaded query={query} rows={8}>
        {preview => (
          <>
            {row.plan_state !== '1' && <Alert type="warning" showIcon title={row.plan_state === '3' ? '班牌还没有回执，下面是它应播放的计划' : '班牌还在播放旧计划，新计划下载完成后切换'} />}
            <ScreenView preview={preview} />
            <ul className="brd-why">
              {[preview.urgent, preview.full, preview.ticker, ...preview.shown].flatMap(zone => (zone === null ? [] : [(
                <li key={zone.zone + zone.why}>
                  <b>{zone.zone === 'ticker' ? '滚动字幕' : zone.title}</b>
                  <span>{zone.content_title ?? '区域本身'} · {zone.why}{zone.waiting.map(one => <p className="brd-quiet" key={one.content_id}>未显示：{one.title}（{one.why}）</p>)}</span>
                </li>
              )]))}
            </ul>
          </>
        )}
      </Loaded>
    </>
  )
}

function Deliveries({ device_id }: { device_id: string }): ReactNode {
  const query = useCall(classBoardApi.deliveries, { id: device_id, page_size: 300 })
  return <Loaded query={query} empty="这块班牌还没有内容">{({ list }) => <DeliveryTable rows={list} by="content" />}</Loaded>
}

type PlanRow = { version: number; hash: string; reason: string; compiled_at: string; items: number; files: number; bytes_total: number; is_playing: boolean; superseded_at: string | null }
const plan_columns: TableColumnType<PlanRow>[] = [
  { title: '版本', dataIndex: 'version', width: 64 },
  { title: '原因', dataIndex: 'reason' },
  { title: '生成时间', key: 'at', width: 140, render: (_value, plan) => instantText(plan.compiled_at) },
  { title: '内容', key: 'items', width: 110, render: (_value, plan) => `${plan.items}项 ${plan.files}个文件` },
  { title: '状态', key: 'state', width: 100, render: (_value, plan) => (plan.is_playing ? <Tag color="green">正在播放</Tag> : plan.superseded_at === null ? <Tag color="orange">最新</Tag> : '') },
]

function Plans({ device_id }: { device_id: string }): ReactNode {
  const query = useCall(classBoardApi.plans, { id: device_id })
  return <Loaded query={query} empty="还没有播放计划">{({ list }) => <Table<PlanRow> size="small" rowKey="version" pagination={false} columns={plan_columns} dataSource={list} />}</Loaded>
}

function SetTab({ row, onChanged }: Omit<Props, 'onClose'>): ReactNode {
  const { act, busy } = useAct([], onChanged)
  const [code, setCode] = useState<{ code: string; path: string; expires_at: string } | null>(null)
  const may = { edit: useCan(classBoardApi.update), pair: useCan(classBoardApi.pair) }
  const pair = async () => {
    const made = await act(() => call(classBoardApi.pair, { device_id: row.device_id }, { quiet: true }))
    if (made) setCode(made)
  }
  return (
    <div className="pub-audience">
      <b>姓名显示</b>
      <Radio.Group disabled={!may.edit || busy} defaultValue={row.name_mode} options={Object.entries(name_modes).map(([value, label]) => ({ value: Number(value), label }))} onChange={event => void act(() => call(classBoardApi.update, { id: row.device_id, name_mode: Number(event.target.value) }, { quiet: true }), { done: '已保存' })} />
      <b>播放页面</b>
      <p className="pub-hint">{row.is_paired ? `已配对${row.player_version === null ? '' : `，版本${row.player_version}`}。重新配对后原来的播放页面失效。` : '在屏幕的浏览器里打开播放页面并输入配对码。'}</p>
      {may.pair && <div><Button loading={busy} onClick={() => void pair()}>生成配对码</Button></div>}
      {code && <Alert type="info" showIcon title={<span>配对码 <b>{code.code}</b>，{instantText(code.expires_at)} 前有效</span>} description={`在屏幕上打开 ${window.location.origin}${code.path}`} />}
    </div>
  )
}
