import { card_input_names, card_order_names, card_truncation_names, cardFormatApi, CardUid } from '@campus/devices/contract'
import type { CardReading, ReaderDesk } from '@campus/devices/contract'
import { call, sentenceOf, useCan } from '@kit/web'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Alert, Button, Empty, Input, Table, Tag } from 'antd'
import type { TableColumnType } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { ReaderBar } from './reader-bar.tsx'
import { useReader } from './use-reader.ts'
import { useFormats } from './use-smart-card.ts'

/** A card of which a format is to be made. */
export type Tried = { uid_hex: string; reading: CardReading }

/** Reads a card at this workstation, or takes a number that was typed, and shows every way of writing it and whose it is by each of them. */
export function ReadTest({ desk, keep }: { desk: ReaderDesk | null; keep: (tried: Tried) => void }): ReactNode {
  const [uid_hex, read] = useState<string | null>(null)
  const reader = useReader(desk, card => read(card.uid_hex))
  const query = useQuery({ queryKey: [cardFormatApi.test.call, uid_hex], queryFn: ({ signal }) => (uid_hex === null ? null : call(cardFormatApi.test, { uid_hex }, { signal, quiet: true })), enabled: uid_hex !== null, placeholderData: keepPreviousData })
  const names = new Map((useFormats().data ?? []).map(format => [format.format_id, format.format_name]))
  const may_keep = useCan(cardFormatApi.add)
  const { data } = query
  return (
    <div className="reader-test">
      <ReaderBar reader={reader} name={desk?.desk_name ?? null} />
      <Typed onRead={read} />
      {query.error && <Alert type="error" showIcon title={sentenceOf(query.error)} action={<Button onClick={() => void query.refetch()}>重试</Button>} />}
      {data ? <Verdict uid_hex={data.uid_hex} readings={data.readings} /> : <Empty className="reader-empty" image={Empty.PRESENTED_IMAGE_SIMPLE} description="放卡或输入卡号后，这里列出它的全部写法，并指出哪一种与已发的卡一致" />}
      {data && <Table<CardReading> size="small" rowKey={({ format }) => `${format.byte_order} ${format.input} ${format.truncation}`} pagination={false} columns={columns(names, may_keep ? reading => keep({ uid_hex: data.uid_hex, reading }) : null)} dataSource={data.readings} rowClassName={row => (row.match ? 'reader-match' : '')} />}
    </div>
  )
}

/** A number typed by hand, for a workstation without a reader. */
function Typed({ onRead }: { onRead: (uid_hex: string) => void }): ReactNode {
  const [refused, refuse] = useState<string | null>(null)
  const take = (text: string) => {
    const { data, error } = CardUid.safeParse(text)
    refuse(error?.issues[0]?.message ?? null)
    if (data !== undefined) onRead(data)
  }
  return (
    <div className="reader-typed">
      <Input.Search allowClear aria-label="卡号（十六进制）" placeholder="没有读卡器时，输入十六进制卡号" enterButton="解析" maxLength={60} status={refused === null ? '' : 'error'} onSearch={take} />
      {refused !== null && <small role="alert" className="reader-refused">{refused}</small>}
    </div>
  )
}

function Verdict({ uid_hex, readings }: { uid_hex: string; readings: readonly CardReading[] }): ReactNode {
  const found = readings.find(reading => reading.match)
  const word = found ? `与已发的卡一致：${found.match?.user_name ?? ''}，读数写法为${wayOf(found)}` : '没有与任何已发的卡一致，可能是未发的新卡'
  return <Alert type={found ? 'success' : 'warning'} showIcon title={<><strong className="reader-uid">{uid_hex}</strong>{word}</>} />
}

function wayOf({ format: { input, byte_order, truncation } }: CardReading): string {
  return `${card_order_names[byte_order]}${card_input_names[input]}${truncation === 'none' ? '' : card_truncation_names[truncation]}`
}

function columns(names: ReadonlyMap<string, string>, keep: ((reading: CardReading) => void) | null): TableColumnType<CardReading>[] {
  return [
    { title: '字节顺序', key: 'order', width: 80, render: (_value, { format }) => card_order_names[format.byte_order] },
    { title: '写法', key: 'input', width: 150, render: (_value, { format }) => card_input_names[format.input] },
    { title: '截取', key: 'cut', width: 70, render: (_value, { format }) => card_truncation_names[format.truncation] },
    { title: '读数', key: 'text', width: 170, render: (_value, { text }) => <span className="reader-number">{text}</span> },
    { title: '对应人员', key: 'match', render: (_value, { match }) => match && <><Tag color={match.usable ? 'green' : 'default'}>{match.usable ? '一致' : '已停用'}</Tag>{`${match.user_name} ${match.user_no} ${match.dept_name ?? ''}`}</> },
    { title: '格式', key: 'format', width: 120, render: (_value, reading) => (reading.format_id === null ? keep && <Button type="link" size="small" aria-label={`保存为格式 ${wayOf(reading)}`} onClick={() => keep(reading)}>保存为格式</Button> : names.get(reading.format_id)) },
  ]
}
