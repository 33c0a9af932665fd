import { channel_names, most_quick, pay_channels, rechargeApi, rechargeFaults } from '@campus/people/contract'
import type { RechargeCard, RechargeRules } from '@campus/people/contract'
import { AppModal, call, mayDiscard, useSaving } from '@kit/web'
import { Alert, Checkbox, Form, InputNumber, Select, Switch } from 'antd'
import type { ReactNode } from 'react'
import { toErrors, validated } from '../refused.ts'
import { PhonePreview } from './phone-preview.tsx'
import { fenOf, kind_names, yuanOf } from './recharge-words.ts'

const most_yuan = 100_000
const common: RechargeRules = { is_open: true, channels: ['1'], min_fen: 1000, max_fen: 50_000, quick_fen: [5000, 10_000, 20_000], day_limit_fen: 100_000, balance_cap_fen: 200_000, refund_to_source: true }
const amounts = [['min_fen', '单笔最低'], ['max_fen', '单笔最高'], ['day_limit_fen', '每日限额'], ['balance_cap_fen', '余额上限']] as const
/** Fen in the values, yuan in the box. */
const in_yuan = { getValueProps: (fen?: number) => ({ value: fen === undefined ? undefined : yuanOf(fen) }), normalize: (yuan: number | null) => (yuan === null ? undefined : fenOf(yuan)) }

type Props = { card: RechargeCard; onClose: () => void; onDone: () => void }

/** A new version for a person kind; the phone beside it shows what it would look like. */
export function ConfigDialog({ card, onClose, onDone }: Props): ReactNode {
  const [form] = Form.useForm<RechargeRules>()
  const rules = { ...rulesOf(card), ...definedOf(Form.useWatch(values => values, form)) }
  const { busy, refused, run } = useSaving(form)
  const save = async () => {
    const values = await validated(form)
    if (!values) return
    const faults = rechargeFaults(values)
    form.setFields(faults.map(({ field, msg }) => ({ name: field, errors: [msg] })))
    if (faults.length > 0) return void toErrors(form)
    if (!(await run(() => call(rechargeApi.save, { ...values, person_kind: card.person_kind, latest: card.latest }, { quiet: true }), '已提交，等待另一位管理员复核'))) return
    onDone()
    onClose()
  }
  const leave = async () => {
    if (!form.isFieldsTouched() || (await mayDiscard())) onClose()
  }
  return (
    <AppModal open width={760} title={`充值配置：${kind_names[card.person_kind]}`} okText="提交" confirmLoading={busy} onOk={() => void save()} onCancel={() => void leave()}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      {card.pending && <Alert type="info" showIcon title={`第 ${card.pending.version} 版还在等待复核，提交后以新版本为准`} />}
      <div className="recharge-form">
        <Form form={form} name="recharge" layout="vertical" initialValues={rulesOf(card)}>
          <Form.Item name="is_open" label="开放充值" valuePropName="checked"><Switch /></Form.Item>
          <Form.Item name="channels" label="渠道"><Checkbox.Group options={pay_channels.map(value => ({ value, label: channel_names[value] }))} /></Form.Item>
          <div className="recharge-amounts">
            {amounts.map(([name, label]) => (
              <Form.Item key={name} name={name} label={label} rules={[{ required: true, message: `请填写${label}` }]} {...in_yuan}>
                <InputNumber className="kit-fill" min={0.01} max={most_yuan} precision={2} suffix="元" />
              </Form.Item>
            ))}
          </div>
          <Form.Item name="quick_fen" label="快捷金额" extra={`最多${most_quick}个，输入金额后回车`} getValueProps={(fen: number[] = []) => ({ value: fen.map(one => String(yuanOf(one))) })} normalize={quickOf}>
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
function rulesOf({ pending, active }: RechargeCard): RechargeRules {
  const { is_open, channels, min_fen, max_fen, quick_fen, day_limit_fen, balance_cap_fen, refund_to_source } = pending ?? active ?? common
  return { is_open, channels, min_fen, max_fen, quick_fen, day_limit_fen, balance_cap_fen, refund_to_source }
}

/** Typed amounts in yuan as fen; what is no amount is left out. */
function quickOf(texts: readonly string[]): number[] {
  return texts.map(text => fenOf(Number(text))).filter(fen => Number.isFinite(fen) && fen > 0)
}

function definedOf(values: Partial<RechargeRules> | undefined): Partial<RechargeRules> {
  return Object.fromEntries(Object.entries(values ?? {}).filter(([, value]) => value !== undefined))
}
