import { boxApi, deviceStatesChannel, monitored_types } from '@campus/devices/contract'
import { call, dictionaryName, useChannel, usePage } from '@kit/web'
import { PartState } from '@kit/web/part'
import { useQuery } from '@tanstack/react-query'
import { Empty, Segmented } from 'antd'
import type { ReactNode } from 'react'
import { BoxCard } from './box-card.tsx'
import { byTrouble, troubleOf } from './trouble.ts'
import '../devices.css'
import './box.css'

const [all, refresh_ms] = ['all', 60_000] as const

/** 盒子监控: recorders, AI boxes, power controllers and vehicle terminals, those in trouble first. */
export default function BoxMonitoring(): ReactNode {
  const { search, setSearch } = usePage()
  const query = useQuery({ queryKey: [boxApi.list.call], queryFn: ({ signal }) => call(boxApi.list, {}, { signal, quiet: true }), placeholderData: before => before, refetchInterval: refresh_ms })
  useChannel(deviceStatesChannel, rows => {
    const shown = query.data?.list ?? []
    if (rows.some(row => shown.some(box => box.device_id === row.device_id || box.children.some(child => child.device_id === row.device_id)))) void query.refetch()
  }, { onGap: () => void query.refetch() })
  if (!query.data) return <PartState query={query} rows={8} />
  const { list, at } = query.data
  const chosen = search['type'] ?? all
  const shown = byTrouble(list.filter(box => chosen === all || box.device_type === chosen))
  const troubled = list.filter(box => troubleOf(box).rank > 1).length
  const waiting = list.filter(box => box.device_state === '5').length
  const types = [{ value: all, label: `全部 ${list.length}` }, ...monitored_types.map(type => ({ value: type, label: `${dictionaryName('DEVICE_TYPE', type)} ${list.filter(box => box.device_type === type).length}` }))]
  return (
    <div className="box-page" data-ready="box-monitoring">
      <header className="box-bar"><Segmented aria-label="设备类型" options={types} value={chosen} onChange={type => setSearch({ type })} /><span role="status">{[troubled === 0 ? (waiting === 0 ? '全部正常' : '没有故障或离线') : `${troubled}台需要处理，排在最前`, ...(waiting === 0 ? [] : [`${waiting}台还没有连接过`])].join('，')}</span></header>
      {shown.length === 0 ? <Empty description="没有这类设备，可在设备管理中登记录像机、AI盒子、电控箱或车载终端" /> : <div className="box-grid">{shown.map(box => <BoxCard key={box.device_id} box={box} now={at} />)}</div>}
    </div>
  )
}
