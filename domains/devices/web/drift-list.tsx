import { drift_names, read_back_span_hours, resolution_names, row_kind_names, syncApi } from '@campus/devices/contract'
import type { Drift, SyncProof } from '@campus/devices/contract'
import { call, instantText, sentenceOf, toast } from '@kit/web'
import { PartState } from '@kit/web/part'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Alert, Button, Empty, Segmented, Space, Table, Tag } from 'antd'
import type { TableColumnType } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useDevicesChanged } from './use-devices.ts'

const page_size = 20
const [again_ms, hours_a_day] = [1000, 24] as const
const views = [{ value: 'open', label: '待处理' }, { value: 'over', label: '已处理' }]
const colors = { missing: 'orange', different: 'orange', foreign: 'red' } as const

/** What each decision does to foreign rows, in words. */
const acts = [['delete', '从设备删除'], ['adopt', '保留'], ['ignore', '本次忽略']] as const

const columns: TableColumnType<Drift>[] = [
  { title: '差异', key: 'found', width: 84, render: (_value, row) => <Tag color={colors[row.found]}>{drift_names[row.found]}</Tag> },
  { title: '数据', key: 'what', render: (_value, row) => <>{row_kind_names[row.kind]}<small className="device-quiet">{row.user_name === null ? `编号 ${row.row_key}` : `${row.user_name} · ${row.user_no}`}</small></> },
  { title: '处理', key: 'how', width: 200, render: (_value, row) => howOf(row) },
  { title: '发现时间', key: 'found_at', width: 140, render: (_value, row) => instantText(row.found_at) },
]

/** 差异: what the last whole read-back has found otherwise than it is to be; foreign rows are decided here. */
export function DriftList({ device_id }: { device_id: string }): ReactNode {
  const [view, setView] = useState('open')
  const [page_index, setPage] = useState(1)
  const [chosen, choose] = useState<string[]>([])
  const changed = useDevicesChanged()
  const query = useQuery({
    queryKey: [syncApi.drift.call, device_id, view, page_index],
    queryFn: ({ signal }) => call(syncApi.drift, { device_id, resolved: view === 'over' ? '1' : '0', page_index, page_size }, { signal, quiet: true }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.proof?.state === 'waiting' ? again_ms : false),
  })
  const { data } = query
  const decide = async (action: (typeof acts)[number][0]) => {
    const failed = await call(syncApi.drift_resolve, { ids: chosen, action }, { quiet: true }).then(() => null, (error: unknown) => sentenceOf(error))
    if (failed === null) toast.success('操作成功')
    else toast.error(failed)
    choose([])
    await changed()
  }
  return (
    <div className="device-rows">
      <div className="device-rows-bar">
        <Segmented options={views} value={view} onChange={next => { setView(next); setPage(1); choose([]) }} />
        <Space>{chosen.length > 0 && acts.map(([action, label]) => <Button key={action} danger={action === 'delete'} onClick={() => void decide(action)}>{label}</Button>)}</Space>
      </div>
      {!query.data && <PartState query={query} />}
      {data && <Proof proof={data.proof} read_back_hour={data.read_back_hour} />}
      {data && (
        <Table<Drift>
          size="small" rowKey="drift_id" columns={columns} dataSource={data.list} loading={query.isPlaceholderData}
          {...(view === 'open' ? { rowSelection: { selectedRowKeys: chosen, onChange: (_keys, rows) => choose(rows.map(row => row.drift_id)), getCheckboxProps: row => ({ disabled: row.found !== 'foreign', 'aria-label': `选择 ${row.row_key}` }) } } : {})}
          locale={{ emptyText: <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={view === 'open' ? '没有待处理的差异' : '还没有处理过差异'} /> }}
          pagination={{ current: page_index, pageSize: page_size, total: data.total, showSizeChanger: false, hideOnSinglePage: true, onChange: setPage }}
        />
      )}
    </div>
  )
}

/** How the last read-back went, in one sentence. */
function Proof({ proof, read_back_hour }: { proof: SyncProof | null; read_back_hour: number }): ReactNode {
  if (proof === null) return <Alert type="info" showIcon title={`还没有回读核对过，每天${read_back_hour}点至${(read_back_hour + read_back_span_hours) % hours_a_day}点自动核对，也可以在列表的“更多”中立即核对`} />
  if (proof.state === 'waiting') return <Alert type="info" showIcon title={`${instantText(proof.asked_at)}开始的回读核对正在进行，设备离线时在恢复连接后进行`} />
  if (proof.state === 'failed') return <Alert type="warning" showIcon title={`${instantText(proof.ended_at ?? proof.asked_at)}的回读核对没有完成：设备没有回答，请检查设备后重新核对`} />
  const found = [['缺少', proof.rows_missing], ['不一致', proof.rows_different], ['外来', proof.rows_foreign]] as const
  const wrong = found.filter(([, count]) => count > 0).map(([word, count]) => `${word}${count}条`).join('，')
  return <Alert type={wrong === '' ? 'success' : 'warning'} showIcon title={`${instantText(proof.ended_at ?? proof.asked_at)}核对了${proof.rows_checked}条：${wrong === '' ? '全部一致' : `${wrong}${proof.rows_foreign === 0 ? '，已重新下发' : ''}`}`} />
}

function howOf({ found, resolution, resolved_at, delete_at }: Drift): string {
  if (resolution !== null) return `${resolution_names[resolution]}${resolved_at === null ? '' : ` ${instantText(resolved_at)}`}`
  if (delete_at !== null) return `不是由平台下发，选中后决定；不处理将于${instantText(delete_at)}自动删除`
  return found === 'foreign' ? '不是由平台下发，选中后决定是否删除' : '已重新下发，下次核对时确认'
}
