import { isNearAddress, reader_mode_names, reader_port, readerDeskApi, ReaderDeskDraft } from '@campus/devices/contract'
import type { ReaderDesk } from '@campus/devices/contract'
import type { Request } from '@kit/contract'
import { AppModal, call, mayDiscard, ruleOf, useSaving, validValues } from '@kit/web'
import { readNumber } from '@kit/web/number'
import { Alert, Form, Input, InputNumber, Select } from 'antd'
import type { ReactNode } from 'react'
import { not_near } from './reader-words.ts'
import { useFormats, useReadersChanged } from './use-smart-card.ts'

type Values = Request<typeof readerDeskApi.add>
const homes = { 'devices.readerDeskTaken': 'desk_name', 'devices.readerIp': 'reader_ip' }
const empty: Values = { desk_name: '', reader_ip: '127.0.0.1', port: reader_port, mode: 'uid', card_format_id: null }
const modes = Object.entries(reader_mode_names).map(([value, label]) => ({ value, label }))

/** Sets up a desk at which cards are read, or changes one. */
export function DeskDialog({ desk, onClose }: { desk: ReaderDesk | null; onClose: () => void }): ReactNode {
  const [form] = Form.useForm<Values>()
  const formats = useFormats().data ?? []
  const { busy, refused, run } = useSaving(form, homes)
  const changed = useReadersChanged()
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const draft = { ...values, card_format_id: values.card_format_id ?? null }
    const send = () => (desk ? call(readerDeskApi.update, { ...draft, desk_id: desk.desk_id, row_version: desk.row_version }, { quiet: true }) : call(readerDeskApi.add, draft, { quiet: true }))
    if (!(await run(send, desk ? '设置成功' : '添加成功'))) return
    await changed()
    onClose()
  }
  const leave = async () => {
    if (!form.isFieldsTouched() || (await mayDiscard())) onClose()
  }
  const near = { validator: (_: unknown, ip: string) => (isNearAddress(ip) ? Promise.resolve() : Promise.reject(new Error(not_near))) }
  return (
    <AppModal open width={480} title={desk ? `编辑读卡点：${desk.desk_name}` : '新增读卡点'} okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={() => void leave()}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="reader-desk" layout="vertical" initialValues={desk ?? empty}>
        <Form.Item name="desk_name" label="名称" required rules={[ruleOf(ReaderDeskDraft.shape.desk_name)]}><Input maxLength={30} showCount placeholder="例如：总务处发卡窗口" /></Form.Item>
        <div className="device-pair">
          <Form.Item name="reader_ip" label="读卡器IP地址" required rules={[near]} extra="读卡器接在本机时填127.0.0.1；只能是本机或局域网地址"><Input /></Form.Item>
          <Form.Item name="port" label="端口" required rules={[ruleOf(ReaderDeskDraft.shape.port)]}><InputNumber className="kit-fill" controls={false} parser={readNumber} /></Form.Item>
          <Form.Item name="mode" label="读取内容" extra="扇区和社保卡需要先设置密钥"><Select options={modes} /></Form.Item>
          <Form.Item name="card_format_id" label="卡号格式"><Select allowClear placeholder="不换算" options={formats.map(format => ({ value: format.format_id, label: format.format_name }))} /></Form.Item>
        </div>
      </Form>
    </AppModal>
  )
}
