import { channel_names, most_quick, pay_channels, rechargeApi, rechargeFaults } from '@campus/people/contract'
import type { RechargeCard, RechargeRules } from '@campus/people/contract'
import { AppModal, call, leaving, useSaving } from '@kit/web'
import { readNumber } from '@kit/web/number'
import { Alert, Checkbox, Form, InputNumber, Select, Switch } from 'antd'
import type { FormRule } from 'antd'
import type { ReactNode } from 'react'
import { toErrors, validated } from '../refused.ts'
import { PhonePreview } from './phone-preview.tsx'
import { amountOf, fenOf, kind_names, yuanOf } from './recharge-words.ts'

const most_yuan = 100_000
const common: RechargeRules = { is_open: true, channels: ['1'], min_fen: 1000, max_fen: 50_000, quick_fen: [5000, 10_000, 20_000], day_limit_fen: 100_000, balance_cap_fen: 200_000, refund_to_source: true }
const amounts = [['min_fen', '单笔最低'], ['max_fen', '单笔最高'], ['day_limit_fen', '每日限额'], ['balance_cap_fen', '余额上限']] as const
/** The rules as they are typed: quick amounts as texts in yuan, so that none of them is lost that is no amount. */
type Values = Omit<RechargeRules, 'quick_fen'> & { quick_fen: string[] }

const bounds: FormRule = { type: 'number', min: 1, max: fenOf(most_yuan), message: `请输入0.01-${most_yuan}之间的金额` }
const amounts_rule: FormRule = {
  validator: (_: unknown, texts: string[] = []) => {
    const wrong = texts.find(text => amountOf(text) === null)
    return wrong === undefined ? Promise.resolve() : Promise.reject(new Error(`“${wrong}”不是金额，请填写数字，例如50`))
  },
}
/** Fen in the values, yuan in the box. */
const in_yuan = { getValueProps: (fen?: number) => ({ value: fen === undefined ? undefined : yuanOf(fen) }), normalize: (yuan: number | null) => (yuan === null ? undefined : fenOf(yuan)) }

type Props = { card: RechargeCard; onClose: () => void; onDone: () => void }

/** A new version for a person kind; the phone beside it shows what it would look like. */
export function ConfigDialog({ card, onClose, onDone }: Props): ReactNode {
  const [form] = Form.useForm<Values>()
  const rules = rulesIn({ ...valuesOf(card), ...definedOf(Form.useWatch(values => values, form)) })
  const { busy, refused, run } = useSaving(form)
  const save = async () => {
    const typed = await validated(form)
    if (!typed) return
    const values = rulesIn(typed)
    const faults = rechargeFaults(values)
    form.setFields(faults.map(({ field, msg }) => ({ name: field, errors: [msg] })))
    if (faults.length > 0) return void toErrors(form)
    if (!(await run(() => call(rechargeApi.save, { ...values, person_kind: card.person_kind, latest: card.latest }, { quiet: true }), '已提交，等待另一位管理员复核'))) return
    onDone()
    onClose()
  }
  return (
    <AppModal open width={760} title={`充值配置：${kind_names[card.person_kind]}`} okText="提交" confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      {card.pending && <Alert type="info" showIcon title={`第 ${card.pending.version} 版还在等待复核，提交后以新版本为准`} />}
      <div className="recharge-form">
        <Form form={form} name="recharge" layout="vertical" initialValues={valuesOf(card)}>
          <Form.Item name="is_open" label="开放充值" valuePropName="checked"><Switch /></Form.Item>
          <Form.Item name="channels" label="渠道"><Checkbox.Group options={pay_channels.map(value => ({ value, label: channel_names[value] }))} /></Form.Item>
          <div className="recharge-amounts">
            {amounts.map(([name, label]) => (
              <Form.Item key={name} name={name} label={label} rules={[{ required: true, message: `请填写${label}` }, bounds]} {...in_yuan}>
                <InputNumber className="kit-fill" precision={2} parser={readNumber} suffix="元" />
              </Form.Item>
            ))}
          </div>
          <Form.Item name="quick_fen" label="快捷金额" extra={`最多${most_quick}个，输入金额后回车`} rules={[amounts_rule]}>
            <Select mode="tags" className="kit-fill" open={false} maxCount={most_quick} tokenSeparators={[',', '，', ' ']} suffixIcon={null} placeholder="例如：50" />
          </Form.Item>
          <Form.Item name="refund_to_source" valuePropName="checked"><Checkbox>退款时原路退回</Checkbox></Form.Item>
        </Form>
        <PhonePreview rules={rules} />
      </div>
    </AppModal>
  )
}

/** What is edited: the version that waits, else the one that holds, else what most schools begin with. */
function valuesOf({ pending, active }: RechargeCard): Values {
  const { is_open, channels, min_fen, max_fen, quick_fen, day_limit_fen, balance_cap_fen, refund_to_source } = pending ?? active ?? common
  return { is_open, channels, min_fen, max_fen, quick_fen: quick_fen.map(fen => String(yuanOf(fen))), day_limit_fen, balance_cap_fen, refund_to_source }
}

/** What the form says, as it is sent. */
function rulesIn({ quick_fen, ...rules }: Values): RechargeRules {
  return { ...rules, quick_fen: quick_fen.flatMap(text => amountOf(text) ?? []) }
}

function definedOf(values: Partial<Values> | undefined): Partial<Values> {
  return Object.fromEntries(Object.entries(values ?? {}).filter(([, value]) => value !== undefined))
}
