import { cardSettingApi } from '@campus/cards/contract'
import type { CardSetting } from '@campus/cards/contract'
import { cardFormatApi } from '@campus/devices/contract'
import { AppModal, call, leaving, useCan, useSaving, validValues } from '@kit/web'
import { Loaded, useCall } from '@kit/web/part'
import { amountRule, readNumber, wholeRule } from '@kit/web/number'
import { useQueryClient } from '@tanstack/react-query'
import { Alert, Form, InputNumber, Select, Switch } from 'antd'
import type { ReactNode } from 'react'
import { fenOf } from './card-words.ts'

type Values = Omit<CardSetting, 'row_version' | 'deposit' | 'reissue_fee'> & { deposit: number; reissue_fee: number }
const fen = 100

/** 卡务设置: the format of numbers, limits and fees. */
export function SettingDialog({ onClose }: { onClose: () => void }): ReactNode {
  const query = useCall(cardSettingApi.read, {})
  return <Loaded query={query}>{setting => <SettingForm setting={setting} onClose={onClose} />}</Loaded>
}

function SettingForm({ setting, onClose }: { setting: CardSetting; onClose: () => void }): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form)
  const client = useQueryClient()
  const formats = useCall(cardFormatApi.list, {}, { enabled: useCan(cardFormatApi.list) }).data?.list ?? []
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const body = { ...values, card_format_id: values.card_format_id ?? null, deposit: fenOf(values.deposit), reissue_fee: fenOf(values.reissue_fee), row_version: setting.row_version }
    if (!(await run(() => call(cardSettingApi.write, body, { quiet: true }), '设置成功'))) return
    await client.invalidateQueries({ queryKey: [cardSettingApi.read.call] })
    onClose()
  }
  return (
    <AppModal open width={480} title="卡务设置" okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="card-setting" layout="vertical" initialValues={{ ...setting, deposit: setting.deposit / fen, reissue_fee: setting.reissue_fee / fen }}>
        <Form.Item name="card_format_id" label="卡号格式" extra="只影响显示与录入的写法，不改变卡片"><Select allowClear placeholder="10位十进制（正码）" options={formats.map(one => ({ value: one.format_id, label: `${one.format_name} ${one.shown}` }))} /></Form.Item>
        <Form.Item name="slave_max" label="每人副卡上限(张)" rules={[wholeRule(0, 4)]}>
          <InputNumber className="kit-fill" precision={0} parser={readNumber} />
        </Form.Item>
        <Form.Item name="low_stock" label="白卡库存提醒(张)" rules={[wholeRule(0, 100000)]}>
          <InputNumber className="kit-fill" precision={0} parser={readNumber} />
        </Form.Item>
        <Form.Item name="block_limit_s" label="挂失阻断时限(秒)" rules={[wholeRule(1, 600)]}>
          <InputNumber className="kit-fill" precision={0} parser={readNumber} />
        </Form.Item>
        <Form.Item name="deposit" label="默认押金(元)" rules={[amountRule(0, 999)]}>
          <InputNumber className="kit-fill" precision={2} parser={readNumber} />
        </Form.Item>
        <Form.Item name="reissue_fee" label="补卡工本费(元)" rules={[amountRule(0, 999)]}>
          <InputNumber className="kit-fill" precision={2} parser={readNumber} />
        </Form.Item>
        <Form.Item name="self_loss" label="家长和教职工手机自助挂失" valuePropName="checked"><Switch /></Form.Item>
      </Form>
    </AppModal>
  )
}
