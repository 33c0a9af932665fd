import { AlipayLogon, whitelist_purposes, whitelistApi } from '@campus/people/contract'
import type { Payer, WhitelistRow } from '@campus/people/contract'
import { AppModal, call, dictionaryName, leaving, ruleOf, useSaving } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Alert, Form, Input, Radio, Select } from 'antd'
import type { ReactNode } from 'react'
import { validated } from '../refused.ts'
import { PersonPicker } from '../picker/person-picker.tsx'
import { purpose_names } from './whitelist-words.ts'

type Values = { user_id: string; payer_user_id?: string; alipay_logon: string; purpose: WhitelistRow['purpose'] }
const homes = { 'people.whitelistTaken': 'user_id' }

/** 新增: for whom, who pays by which account, and what for; somebody else approves it. */
export function AddDialog({ onClose, onDone }: { onClose: () => void; onDone: () => void }): ReactNode {
  const [form] = Form.useForm<Values>()
  const user_id = Form.useWatch('user_id', form)
  const payers = usePayers(user_id)
  const { busy, refused, run } = useSaving(form, homes)
  const save = async () => {
    const values = await validated(form)
    if (!values || !(await run(() => call(whitelistApi.add, values, { quiet: true }), '已提交，等待另一位管理员复核'))) return
    onDone()
    onClose()
  }
  return (
    <AppModal open width={560} title="新增白名单" okText="提交" confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="whitelist" layout="vertical" initialValues={{ purpose: 'face_pay', alipay_logon: '' }}>
        <Form.Item name="user_id" label="人员" rules={[{ required: true, message: '请选择人员' }]}>
          <PersonPicker of={['student', 'teacher']} onChange={() => form.setFieldValue('payer_user_id', undefined)} />
        </Form.Item>
        <Form.Item name="payer_user_id" label="付款人" extra={payers.length > 1 ? '不选则为第一联系人' : undefined}>
          <Select allowClear disabled={payers.length === 0} placeholder={placeholderOf(user_id, payers)} options={payers.map(payer => ({ value: payer.user_id, label: payerText(payer) }))} />
        </Form.Item>
        <Form.Item name="alipay_logon" label="支付宝账号" required rules={[ruleOf(AlipayLogon)]} extra="付款人在支付宝登录用的手机号或邮箱，保存后只显示部分"><Input maxLength={60} autoComplete="off" /></Form.Item>
        <Form.Item name="purpose" label="用途"><Radio.Group options={whitelist_purposes.map(value => ({ value, label: purpose_names[value] }))} /></Form.Item>
      </Form>
    </AppModal>
  )
}

function usePayers(user_id: string | undefined): readonly Payer[] {
  const { data = [] } = useQuery({
    queryKey: [whitelistApi.payers.call, user_id],
    queryFn: async ({ signal }) => (await call(whitelistApi.payers, { user_id: user_id ?? '' }, { quiet: true, signal })).list,
    enabled: user_id !== undefined,
  })
  return data
}

function placeholderOf(user_id: string | undefined, [first]: readonly Payer[]): string {
  if (user_id === undefined) return '请先选择人员'
  return first ? payerText(first) : '没有可选的付款人'
}

function payerText({ user_name, relation, mobile }: Payer): string {
  return relation === null ? `${user_name}（本人）` : `${user_name}（${[dictionaryName('PICKUP_RELATION', relation), mobile].filter(Boolean).join('，')}）`
}
