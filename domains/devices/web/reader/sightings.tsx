import { card_input_names, card_order_names, readerApi } from '@campus/devices/contract'
import type { CardSighting } from '@campus/devices/contract'
import { call, instantText } from '@kit/web'
import { PartState } from '@kit/web/part'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Empty, Radio, Table } from 'antd'
import type { TableColumnType } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

const page_size = 20
type Kind = 'unknown' | 'other_format'
const kinds = [{ value: 'unknown', label: '未知卡' }, { value: 'other_format', label: '两种写法' }]
const about: Readonly<Record<Kind, string>> = {
  unknown: '设备读到、但没有发给任何人的卡。次数多的多半是漏发或漏登记的卡，请持卡人到读卡点读一次，再办理发卡。',
  other_format: '卡已发，但这台设备读出的写法与登记的不同，持卡人在这里会被当作未知卡。请按“设备的写法”调整该设备的读卡格式。',
}
const none: Readonly<Record<Kind, string>> = { unknown: '最近90天没有设备读到未知的卡', other_format: '所有设备读出的写法都与登记的一致' }

const where: TableColumnType<CardSighting>[] = [
  { title: '设备', key: 'device', width: 200, render: (_value, row) => row.device_name },
  { title: '场所', key: 'place', render: (_value, row) => row.node_path_name ?? '未绑定场所' },
]
const when: TableColumnType<CardSighting>[] = [
  { title: '次数', key: 'times', width: 70, align: 'right', render: (_value, row) => row.times },
  { title: '第一次', key: 'first', width: 150, render: (_value, row) => instantText(row.first_at) },
  { title: '最近一次', key: 'last', width: 150, render: (_value, row) => instantText(row.last_at) },
]
const columns: Readonly<Record<Kind, TableColumnType<CardSighting>[]>> = {
  unknown: [{ title: '卡号尾号', key: 'code', width: 130, render: (_value, row) => <span className="reader-number">{row.code_masked}</span> }, ...where, ...when],
  other_format: [
    { title: '持卡人', key: 'who', width: 190, render: (_value, row) => `${row.user_name ?? ''} ${row.dept_name ?? ''}` },
    { title: '设备的写法', key: 'heard', width: 160, render: (_value, row) => row.heard_order && row.heard_input && `${card_order_names[row.heard_order]}${card_input_names[row.heard_input]}` },
    ...where, ...when,
  ],
}

/** 卡号核对: cards that devices have read and nobody knows, and cards that a device writes otherwise than they were issued. */
export function Sightings(): ReactNode {
  const [kind, choose] = useState<Kind>('unknown')
  const [page_index, turn] = useState(1)
  const query = useQuery({ queryKey: [readerApi.sightings.call, kind, page_index], queryFn: ({ signal }) => call(readerApi.sightings, { kind, page_index, page_size }, { signal, quiet: true }), placeholderData: keepPreviousData })
  const { data } = query
  const show = (next: Kind) => {
    choose(next)
    turn(1)
  }
  return (
    <section className="reader-sightings" aria-label="卡号核对">
      <Radio.Group optionType="button" options={kinds} value={kind} onChange={event => show(event.target.value === 'unknown' ? 'unknown' : 'other_format')} />
      <p className="device-hint">{about[kind]}</p>
      {!query.data && <PartState query={query} />}
      {data && (
        <Table<CardSighting>
          size="small" rowKey="sighting_id" columns={columns[kind]} dataSource={data.list} loading={query.isPlaceholderData}
          locale={{ emptyText: <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={none[kind]} /> }}
          pagination={{ current: page_index, pageSize: page_size, total: data.total, showSizeChanger: false, hideOnSinglePage: true, onChange: turn, showTotal: total => `共${total}条` }}
        />
      )}
    </section>
  )
}
