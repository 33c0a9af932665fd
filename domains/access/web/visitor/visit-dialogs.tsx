import { blackApi, reasonApi, visitApi } from '@campus/access/contract'
import type { VisitDetail, VisitSlip } from '@campus/access/contract'
import { PersonPicker } from '@campus/people/web'
import { AppDrawer, AppModal, call, instantText, leaving, useSaving, validValues } from '@kit/web'
import { Loaded, useCall } from '@kit/web/part'
import { Alert, Button, DatePicker, Descriptions, Form, Input, InputNumber, QRCode, Select, Tag, Timeline, TreeSelect } from 'antd'
import { dayjs } from '@kit/web/day'
import { readNumber, wholeRule } from '@kit/web/number'
import type { Dayjs } from 'dayjs'
import type { ReactNode } from 'react'
import { usePlaceTree } from '../pass/pickers.tsx'
import { state_colors, stateName } from './visitor-words.ts'

type Frame = { onClose: () => void; onDone: () => void }

type Values = { visitor_name: string; mobile: string; company?: string; reason_code: string; reason_text?: string; receiver_user_id: string; student_id?: string | null; followers: number; plate?: string; span: [Dayjs, Dayjs]; place_ids?: string[] }

/** 新增预约、现场登记: a visitor of somebody here. */
export function VisitDialog({ onClose, onDone }: Frame): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form)
  const places = usePlaceTree()
  const reasons = useCall(reasonApi.choices, {}).data?.list ?? []
  const reason_code = Form.useWatch('reason_code', form)
  const reason = reasons.find(one => one.reason_code === reason_code)
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const { span: [begin, end], student_id = null, ...rest } = values
    if (!(await run(() => call(visitApi.create, { ...rest, student_id: student_id ?? null, begin_at: begin.toISOString(), end_at: end.toISOString() }, { quiet: true }), '操作成功'))) return
    onDone()
    onClose()
  }
  const required = (message: string) => [{ required: true, message }]
  return (
    <AppModal open width={720} title="登记访客" okText="登记" confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="visit" layout="vertical" initialValues={{ followers: 0, span: [dayjs(), dayjs().add(1, 'hour')] }}>
        <div className="visit-form-row">
          <Form.Item name="visitor_name" label="访客姓名" rules={required('请填写姓名')}><Input maxLength={50} /></Form.Item>
          <Form.Item name="mobile" label="手机号" rules={required('请填写手机号')}><Input maxLength={20} inputMode="tel" /></Form.Item>
          <Form.Item name="receiver_user_id" label="被访人" rules={required('请选择被访人')}><PersonPicker of={['teacher']} placeholder="姓名或工号" /></Form.Item>
          <Form.Item name="reason_code" label="事由" rules={required('请选择事由')}><Select options={reasons.map(one => ({ value: one.reason_code, label: one.reason_name }))} /></Form.Item>
          {reason?.need_student && <Form.Item name="student_id" label="学生" rules={required('请选择学生')}><PersonPicker of={['student']} placeholder="姓名或学号" /></Form.Item>}
          <Form.Item name="span" label="来访时间" rules={required('请选择来访时间')}><DatePicker.RangePicker className="kit-fill" showTime={{ format: 'HH:mm', minuteStep: 5 }} format="MM-DD HH:mm" /></Form.Item>
          <Form.Item name="followers" label="同行人数" rules={[wholeRule(0, 50)]}>
            <InputNumber className="kit-fill" precision={0} parser={readNumber} />
          </Form.Item>
          <Form.Item name="plate" label="车牌号"><Input maxLength={8} /></Form.Item>
          <Form.Item name="company" label="单位"><Input maxLength={60} /></Form.Item>
        </div>
        <Form.Item name="place_ids" label="通行路线" extra="不选时按事由和学校的默认通行门"><TreeSelect multiple allowClear treeData={places} showSearch={{ treeNodeFilterProp: 'title' }} placeholder="默认通行门" /></Form.Item>
        <Form.Item name="reason_text" label="说明"><Input maxLength={100} /></Form.Item>
      </Form>
    </AppModal>
  )
}

/** A reason for one act: 拒绝、取消、解除. */
export function ReasonDialog({ title, save, onClose, onDone }: Frame & { title: string; save: (reason: string) => Promise<unknown> }): ReactNode {
  const [form] = Form.useForm<{ reason: string }>()
  const { busy, refused, run } = useSaving(form, { 'common.malformed': 'reason' })
  const submit = async () => {
    const values = await validValues(form)
    if (!values || !(await run(() => save(values.reason), '操作成功'))) return
    onDone()
    onClose()
  }
  return (
    <AppModal open width={440} title={title} okText="确定" confirmLoading={busy} onOk={() => void submit()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="visit-reason" layout="vertical"><Form.Item name="reason" label="原因" rules={[{ required: true, whitespace: true, min: 2, message: '请填写原因' }]}><Input.TextArea maxLength={200} showCount rows={3} /></Form.Item></Form>
    </AppModal>
  )
}

/** 加入黑名单: by mobile or plate; whoever is listed is stopped at once. */
export function BlackDialog({ onClose, onDone }: Frame): ReactNode {
  const [form] = Form.useForm<{ name?: string; mobile?: string; plate?: string; reason: string; valid_to?: Dayjs }>()
  const { busy, refused, run } = useSaving(form, { 'access.blackTarget': 'mobile' })
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const { valid_to, ...rest } = values
    if (!(await run(() => call(blackApi.create, { ...rest, valid_to: valid_to?.endOf('day').toISOString() ?? null }, { quiet: true }), '操作成功'))) return
    onDone()
    onClose()
  }
  return (
    <AppModal open width={480} title="加入黑名单" okText="加入" confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="visit-black" layout="vertical">
        <Form.Item name="name" label="姓名"><Input maxLength={50} /></Form.Item>
        <Form.Item name="mobile" label="手机号"><Input maxLength={20} /></Form.Item>
        <Form.Item name="plate" label="车牌号"><Input maxLength={8} /></Form.Item>
        <Form.Item name="valid_to" label="截止日期" extra="不填为长期"><DatePicker className="kit-fill" /></Form.Item>
        <Form.Item name="reason" label="原因" rules={[{ required: true, whitespace: true, min: 2, message: '请填写原因' }]}><Input.TextArea maxLength={200} rows={2} /></Form.Item>
      </Form>
    </AppModal>
  )
}

/** One visit: who, why, the steps, the doors that know him, earlier visits. */
export function VisitDrawer({ apply_id, onClose }: { apply_id: string; onClose: () => void }): ReactNode {
  const query = useCall(visitApi.detail, { apply_id })
  return <AppDrawer title="访客详情" size={560} onClose={onClose}><Loaded query={query}>{detail => <Detail detail={detail} />}</Loaded></AppDrawer>
}

function Detail({ detail: { visit, steps, past, delivery } }: { detail: VisitDetail }): ReactNode {
  const items = [
    ['单号', visit.apply_no], ['访客', `${visit.visitor_name} ${visit.mobile}`], ['单位', visit.company ?? '—'], ['事由', [visit.reason_name, visit.reason_text].filter(Boolean).join('：')], ['被访人', `${visit.receiver_name ?? ''} ${visit.receiver_dept ?? ''}`],
    ['来访时间', `${instantText(visit.begin_at)} 至 ${instantText(visit.end_at)}`], ['同行', `${visit.followers}人`], ['车牌', visit.plate ?? '—'], ['路线', visit.route], ['到访', visit.arrived_at === null ? '—' : instantText(visit.arrived_at)], ['离校', visit.left_at === null ? '—' : instantText(visit.left_at)],
    ...(visit.refuse_reason === null ? [] : [['原因', visit.refuse_reason]]),
  ]
  return (
    <>
      <p><Tag color={state_colors[visit.state]}>{stateName(visit.state)}</Tag>{visit.is_overdue && <Tag color="red">超时未离</Tag>}</p>
      <Descriptions size="small" column={1} bordered items={items.map(([label = '', text]) => ({ key: label, label, children: text }))} />
      <h3>审核</h3>
      {steps.length === 0 ? <p>还没有审核</p> : <Timeline items={steps.map(step => ({ key: step.step, color: step.verdict === 1 ? 'green' : 'red', content: `${instantText(step.at)} ${step.auditor_name ?? ''} ${step.verdict === 1 ? '同意' : '拒绝'} ${step.opinion ?? ''}` }))} />}
      <h3>下发</h3>
      {delivery.length === 0 ? <p>没有门持有该访客的权限</p> : <ul>{delivery.map(one => <li key={one.device_name}>{`${one.device_name}：${one.reason_text ?? one.state}`}</li>)}</ul>}
      <h3>历史来访</h3>
      {past.length === 0 ? <p>第一次来访</p> : <ul>{past.map(one => <li key={one.apply_id}>{`${instantText(one.begin_at)} ${one.receiver_name ?? ''} ${stateName(one.state)}`}</li>)}</ul>}
    </>
  )
}

/** 打印访客单: code and QR for the gate. */
export function SlipDialog({ apply_id, onClose }: { apply_id: string; onClose: () => void }): ReactNode {
  const query = useCall(visitApi.slip, { apply_id })
  return <AppModal open width={440} title="访客单" footer={<Button type="primary" onClick={() => window.print()}>打印</Button>} onCancel={onClose}><Loaded query={query}>{slip => <Slip slip={slip} />}</Loaded></AppModal>
}

function Slip({ slip: { visit, school_name, pass_code, qr } }: { slip: VisitSlip }): ReactNode {
  return (
    <div className="visit-slip visit-qr">
      <b>{`${school_name} 访客单`}</b>
      <QRCode type="svg" value={qr} size={200} errorLevel="M" aria-label="访客二维码" />
      <p>通行码 <b className="kit-number">{pass_code}</b></p>
      <p>{`${visit.visitor_name}（同行${visit.followers}人） 访 ${visit.receiver_name ?? ''}`}</p>
      <p>{`${instantText(visit.begin_at)} 至 ${instantText(visit.end_at)}`}</p>
      <p>{visit.route}</p>
    </div>
  )
}

