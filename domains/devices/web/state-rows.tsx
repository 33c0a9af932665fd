import { row_kind_names, row_states, syncApi } from '@campus/devices/contract'
import type { Device, Remedy, StateRow, WhyNot } from '@campus/devices/contract'
import type { Input } from '@kit/contract'
import { call, instantText } from '@kit/web'
import { PartState } from '@kit/web/part'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Alert, Button, Empty, Select, Table, Tag } from 'antd'
import type { TableColumnType } from 'antd'
import Search from 'antd/es/input/Search'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { RemedyButton } from './remedy-button.tsx'
import { row_colors } from './row-colors.ts'

type Asked = Partial<Pick<Input<typeof syncApi.state_rows>, 'kind' | 'state' | 'keyword'>>

const page_size = 20
const face_key = 'f'
const verdicts = { yes: 'success', maybe: 'warning', no: 'error' } as const

/** What is mended row by row; the rest is of the whole device and stands above the rows. */
const of_row: readonly Remedy[] = ['resend', 'photo', 'person']
/** How often it is looked again after a press, and how long. */
const [look_ms, looks_ms] = [1500, 30_000]

/** `mended`: the button of a row was pressed. */
const columnsOf = (device: Device, mended: () => void): TableColumnType<StateRow>[] => [
  { title: '数据', key: 'what', width: 204, render: (_value, row) => <>{whatOf(row)}<small className="device-quiet">{whoseOf(row)}</small></> },
  { title: '状态', key: 'state', width: 84, render: (_value, row) => <Tag color={row_colors[row.state]}>{row.want_op === 'delete' && row.state !== 'gone' ? `删除${row_states[row.state]}` : row_states[row.state]}</Tag> },
  { title: '说明', key: 'sentence', render: (_value, row) => <>{row.sentence}{row.next_step !== null && <small className="device-quiet">{row.next_step}</small>}{row.remedy !== null && of_row.includes(row.remedy) && <RemedyButton device={device} remedy={row.remedy} row={{ kind: row.kind, row_key: row.row_key }} user_id={row.user_id} onDone={mended} />}</> },
  { title: '发送时间', key: 'sent_at', width: 132, render: (_value, row) => (row.sent_at === null ? '' : instantText(row.sent_at)) },
]

/** 下发数据: what a device is to hold and what became of it; who is searched for is told of why he does not get in. */
export function StateRows({ device }: { device: Device }): ReactNode {
  const { device_id } = device
  const [mended_at, setMended] = useState(0)
  const mended = () => setMended(Date.now())
  const [asked, setAsked] = useState<Asked>({})
  const [page_index, setPage] = useState(1)
  const ask = (more: Asked) => {
    setAsked({ ...asked, ...more })
    setPage(1)
  }
  const query = useQuery({ queryKey: [syncApi.state_rows.call, device_id, asked, page_index], queryFn: ({ signal }) => call(syncApi.state_rows, { id: device_id, ...asked, page_index, page_size }, { signal, quiet: true }), placeholderData: keepPreviousData, refetchInterval: () => (Date.now() - mended_at < looks_ms ? look_ms : false) })
  const { data } = query
  return (
    <div className="device-rows">
      <div className="device-rows-bar">
        <Search className="device-rows-word" allowClear maxLength={50} placeholder="姓名或编号，查为什么进不去" aria-label="查找人员" onSearch={text => ask({ keyword: text.trim() || undefined })} />
        <Select className="device-rows-choice" allowClear placeholder="全部数据" aria-label="数据种类" value={asked.kind} options={optionsOf(row_kind_names)} onChange={kind => ask({ kind })} />
        <Select className="device-rows-choice" allowClear placeholder="全部状态" aria-label="数据状态" value={asked.state} options={optionsOf(row_states)} onChange={state => ask({ state })} />
        <Button loading={query.isFetching && data !== undefined} onClick={() => void query.refetch()}>刷新</Button>
      </div>
      {!query.data && <PartState query={query} />}
      {data && asked.keyword !== undefined && !query.isPlaceholderData && <Why why={data.why} device={device} mended={mended} />}
      {asked.keyword === undefined && <Mending rows={data?.list ?? []} device={device} mended={mended} />}
      {data && (
        <Table<StateRow>
          size="small" rowKey={row => `${row.kind} ${row.row_key}`} columns={columnsOf(device, mended)} dataSource={data.list} loading={query.isPlaceholderData}
          locale={{ emptyText: <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={Object.values(asked).some(value => value !== undefined) ? '没有符合条件的下发数据' : '这台设备没有下发数据：还没有人能在这里通行，或设备还没有连接过'} /> }}
          pagination={{ current: page_index, pageSize: page_size, total: data.total, showSizeChanger: false, showTotal: total => `共${total}条`, onChange: setPage }}
        />
      )}
    </div>
  )
}

/** What these rows wait for and one press mends for all of them. */
function Mending({ rows, device, mended }: { rows: readonly StateRow[]; device: Device; mended: () => void }): ReactNode {
  const waiting = [...Map.groupBy(rows.filter(row => row.remedy !== null && !of_row.includes(row.remedy)), row => row.sentence).values()]
  return waiting.map(([first]) => first?.remedy && <Alert key={first.sentence} type="warning" showIcon title={first.sentence} action={<RemedyButton device={device} remedy={first.remedy} row={null} user_id={null} onDone={mended} />} />)
}

/** One sentence for each person whom the search names. */
function Why({ why, device, mended }: { why: readonly WhyNot[]; device: Device; mended: () => void }): ReactNode {
  if (why.length === 0) return <Alert type="info" showIcon title="没有找到此人，设备上没有他的数据时请输入完整的姓名或编号" />
  return why.map(({ user_id, user_no, dept_name, can, sentence, next_step, remedy, row }) => (
    <Alert
      key={user_id} className="device-why" type={verdicts[can]} showIcon title={sentence} description={<>{next_step}<small className="device-quiet">{[user_no, dept_name].filter(Boolean).join(' · ')}</small></>}
      action={remedy !== null && <RemedyButton device={device} remedy={remedy} row={row} user_id={user_id} onDone={mended} />}
    />
  ))
}

function whatOf({ kind, row_key, rule_name, title }: StateRow): string {
  if (rule_name !== null) return 'AI预警规则'
  if (title !== null) return title
  if (kind !== 'credential') return row_kind_names[kind]
  return row_key.startsWith(face_key) ? '人脸' : '卡或密码'
}

function whoseOf({ user_id, user_name, user_no, dept_name, rule_name, kind }: StateRow): string {
  if (rule_name !== null) return rule_name
  if (user_id === null) return kind === 'permission' ? '这台设备上的人员共用' : ''
  return user_name === null ? '已注销人员' : [user_name, user_no, dept_name].filter(Boolean).join(' · ')
}

/** The choices of a table of names, typed as its keys. */
function optionsOf<K extends string>(names: Readonly<Record<K, string>>): { value: K; label: string }[]
function optionsOf(names: Readonly<Record<string, string>>) {
  return Object.entries(names).map(([value, label]) => ({ value, label }))
}
