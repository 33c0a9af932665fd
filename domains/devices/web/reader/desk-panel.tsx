import { PlusOutlined } from '@ant-design/icons'
import { card_order_names, card_input_names, card_truncation_names, cardFormatApi, readerApi, readerDeskApi } from '@campus/devices/contract'
import type { CardFormatRow, ReaderDesk } from '@campus/devices/contract'
import { call, Can, confirmDanger, Loading, sentenceOf, toast, useCan } from '@kit/web'
import { Alert, Button, Radio } from 'antd'
import type { ReactNode } from 'react'
import { useDesks, useFormats, useReadersChanged } from './use-smart-card.ts'

type Doors = { edit: (desk: ReaderDesk | null) => void; editFormat: (format: CardFormatRow) => void; setKey: () => void }

/** The desks of the school, one of which is this workstation's, and its formats of numbers. */
export function DeskPanel({ own, choose, doors }: { own: ReaderDesk | null; choose: (desk: ReaderDesk) => void; doors: Doors }): ReactNode {
  const desks = useDesks()
  const formats = useFormats()
  const error = desks.error ?? formats.error
  if (error) return <Alert type="error" showIcon title={sentenceOf(error)} action={<Button onClick={() => void Promise.all([desks.refetch(), formats.refetch()])}>重试</Button>} />
  if (!desks.data || !formats.data) return <Loading rows={6} />
  return (
    <aside className="reader-desks">
      <header><h2>读卡点</h2><Can code={readerDeskApi.add}><Button size="small" icon={<PlusOutlined aria-hidden />} onClick={() => doors.edit(null)}>新增读卡点</Button></Can></header>
      {desks.data.length === 0 && <p className="device-hint">还没有读卡点。读卡器接在本机时，新增一个地址为127.0.0.1的读卡点即可。</p>}
      <ul>{desks.data.map(desk => <DeskLine key={desk.desk_id} desk={desk} is_own={desk.desk_id === own?.desk_id} choose={choose} edit={doors.edit} />)}</ul>
      <header><h2>卡号格式</h2><Can code={readerApi.social_key}><Button size="small" onClick={doors.setKey}>社保卡密钥</Button></Can></header>
      {formats.data.length === 0 && <p className="device-hint">还没有格式。读一张已发的卡，把对应的一行保存为格式。</p>}
      <ul>{formats.data.map(format => <FormatLine key={format.format_id} format={format} edit={doors.editFormat} />)}</ul>
    </aside>
  )
}

function DeskLine({ desk, is_own, choose, edit }: { desk: ReaderDesk; is_own: boolean; choose: (desk: ReaderDesk) => void; edit: (desk: ReaderDesk) => void }): ReactNode {
  const changed = useReadersChanged()
  const remove = async () => {
    const is_sure = await confirmDanger({ title: `删除读卡点“${desk.desk_name}”？`, touches: '使用它的电脑需要重新选择读卡点', ok: '删除' })
    if (!is_sure) return
    await call(readerDeskApi.delete, { desk_id: desk.desk_id, row_version: desk.row_version }, { quiet: true }).then(() => toast.success('删除成功!'), (cause: unknown) => toast.error(sentenceOf(cause)))
    await changed()
  }
  return (
    <li>
      <Radio checked={is_own} onChange={() => choose(desk)}>{desk.desk_name}{is_own && <small className="reader-own">本机</small>}</Radio>
      <small>{`${desk.reader_ip}:${desk.port} · ${desk.format_name ?? '不换算'}`}</small>
      <Can code={readerDeskApi.update}>
        <span>
          <Button type="link" size="small" aria-label={`编辑 ${desk.desk_name}`} onClick={() => edit(desk)}>编辑</Button>
          <Button type="link" size="small" danger aria-label={`删除 ${desk.desk_name}`} onClick={() => void remove()}>删除</Button>
        </span>
      </Can>
    </li>
  )
}

function FormatLine({ format, edit }: { format: CardFormatRow; edit: (format: CardFormatRow) => void }): ReactNode {
  const may_edit = useCan(cardFormatApi.update)
  const { format_name, byte_order, input, truncation, shown, sample, desks } = format
  return (
    <li>
      <strong>{format_name}</strong>
      <small>{`${card_order_names[byte_order]}${card_input_names[input]}${truncation === 'none' ? '' : `，${card_truncation_names[truncation]}`} · ${desks}个读卡点`}</small>
      <small className="reader-number" title="样卡在此格式下的卡号">{`${sample} → ${shown}`}</small>
      {may_edit && <span><Button type="link" size="small" aria-label={`编辑 ${format_name}`} onClick={() => edit(format)}>编辑</Button></span>}
    </li>
  )
}
