import { facePolicyApi, strictness_names } from '@campus/faces/contract'
import type { FacePolicy } from '@campus/faces/contract'
import { AppModal, call, confirmDanger, leaving, useCan, useSaving, validValues } from '@kit/web'
import { Loaded, useCall } from '@kit/web/part'
import { useQueryClient } from '@tanstack/react-query'
import { Alert, Checkbox, DatePicker, Form, Input, InputNumber, Radio, Switch } from 'antd'
import type { Dayjs } from 'dayjs'
import { dayjs } from '@kit/web/day'
import { readNumber, wholeRule } from '@kit/web/number'
import type { ReactNode } from 'react'

type Values = { enabled: boolean; protocol_title: string; protocol_text: string; material: boolean; assessed_on: Dayjs | null; strictness: number; dup_threshold: number; minor_14_17: number }

/** 人脸设置: whether the school uses faces, and what people agree to. */
export function PolicyDialog({ onClose }: { onClose: () => void }): ReactNode {
  const query = useCall(facePolicyApi.read, {})
  return <Loaded query={query}>{policy => <PolicyForm policy={policy} onClose={onClose} />}</Loaded>
}

function PolicyForm({ policy, onClose }: { policy: FacePolicy; onClose: () => void }): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form)
  const may = useCan(facePolicyApi.write)
  const client = useQueryClient()
  const { detector, counts } = policy
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const stops = policy.enabled && !values.enabled
    if (stops && !(await confirmDanger({ title: '停用人脸功能？', touches: `将删除全部${counts.faces}张人脸照片，并从所有设备清除，不能恢复。`, ok: '停用并删除' }))) return
    const body = { ...values, assessed_on: values.assessed_on?.format('YYYY-MM-DD') ?? null, row_version: policy.row_version }
    if (!(await run(() => call(facePolicyApi.write, body, { quiet: true }), '设置成功'))) return
    await client.invalidateQueries({ queryKey: [facePolicyApi.read.call] })
    onClose()
  }
  const initial = { ...policy, assessed_on: policy.assessed_on === null ? null : dayjs(policy.assessed_on) }
  return (
    <AppModal open width={640} title="人脸设置" okText="保存" okButtonProps={{ disabled: !may }} confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <p>人脸照片 <b className="kit-number">{counts.faces}</b> 张，已授权下发 <b className="kit-number">{counts.pushed}</b> 人。人脸检测：{detector.ready ? detector.note : `不可用（${detector.note}），新照片须人工核验`}</p>
      <Form form={form} name="face-policy" layout="vertical" disabled={!may} initialValues={initial}>
        <Form.Item name="enabled" label="启用人脸功能" valuePropName="checked"><Switch /></Form.Item>
        <Form.Item name="assessed_on" label="个人信息保护影响评估日期" extra="启用前须完成评估，每3年重新评估"><DatePicker className="kit-fill" /></Form.Item>
        <Form.Item name="protocol_title" label="授权协议标题"><Input maxLength={60} /></Form.Item>
        <Form.Item name="protocol_text" label="授权协议正文" extra={policy.protocol_version > 0 ? `当前第${policy.protocol_version}版` : '说明用途、保存地点和期限、下发到哪些设备、如何撤回'}><Input.TextArea rows={6} maxLength={8000} /></Form.Item>
        <Form.Item name="material" valuePropName="checked"><Checkbox>内容有实质变化，已授权的人员须重新确认</Checkbox></Form.Item>
        <Form.Item name="strictness" label="照片质量要求"><Radio.Group options={Object.entries(strictness_names).map(([value, label]) => ({ value: Number(value), label }))} /></Form.Item>
        <Form.Item name="dup_threshold" label="相似提示阈值(%)" extra="两人照片相似度达到该值时提示核对" rules={[wholeRule(50, 99)]}>
          <InputNumber className="kit-fill" precision={0} parser={readNumber} />
        </Form.Item>
        <Form.Item name="minor_14_17" label="14至17周岁学生由谁确认"><Radio.Group options={[{ value: 1, label: '本人和监护人' }, { value: 2, label: '本人' }]} /></Form.Item>
      </Form>
    </AppModal>
  )
}
