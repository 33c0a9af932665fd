import { cardApi, CARD_MEDIA, lost_reasons } from '@campus/cards/contract'
import type { CardPerson, CardResult, HeldCard } from '@campus/cards/contract'
import { AppModal, call, leaving, toast, useSaving, validValues } from '@kit/web'
import { amountRule, readNumber } from '@kit/web/number'
import { Alert, Checkbox, DatePicker, Form, Input, InputNumber, Radio, Select, Switch } from 'antd'
import type { Dayjs } from 'dayjs'
import type { ReactNode } from 'react'
import { fenOf, mainCard, slot_names } from './card-words.ts'
import { useCardCalls } from './use-card-calls.ts'

type Frame = { onClose: () => void; onDone: () => void }
const number_rule = [{ required: true, message: '请刷卡或填写卡号' }]
const numbers = ['card_no'] as const
/** Refusals that are about the number of the new card. */
const at_number = { 'cards.wrongNumber': 'card_no', 'cards.cardInUse': 'card_no', 'cards.cardVoid': 'card_no', 'cards.cardLost': 'card_no', 'cards.sameCard': 'card_no', 'cards.printTaken': 'print_no' }

/** 发卡 or 发副卡 for one person. `card_no`: a card that lies on the reader. */
export function IssueDialog({ person, card_no = '', onClose, onDone }: Frame & { person: CardPerson; card_no?: string }): ReactNode {
  const [form] = Form.useForm<{ card_no: string; print_no?: string; media: '1'; slot: number; valid_to?: Dayjs; deposit?: number }>()
  const { busy, refused, run } = useSaving(form, at_number)
  const calls = useCardCalls()
  const has_main = mainCard(person) !== undefined
  const free = [1, 2, 3, 4].filter(slot => !person.cards.some(card => card.slot === slot))
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const { valid_to, deposit, print_no, ...rest } = values
    const body = { user_id: person.user_id, ...rest, ...(print_no ? { print_no } : {}), ...(valid_to ? { valid_to: valid_to.format('YYYY-MM-DD') } : {}), deposit: fenOf(deposit), via: card_no === '' ? 2 as const : 1 as const }
    if (!(await run(() => call(calls.issue, body, { quiet: true }), `已发卡：${person.user_name}`))) return
    onDone()
    onClose()
  }
  return (
    <AppModal open width={560} title={`发卡 · ${person.user_name}（${person.dept_name ?? person.user_no}）`} okText="发卡" confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="card-issue" layout="vertical" initialValues={{ card_no, media: '1', slot: has_main ? (free[0] ?? 1) : 0 }}>
        <Form.Item name="card_no" label="卡号" rules={number_rule} extra="10位十进制，或8、14、16、20位十六进制"><Input maxLength={40} autoComplete="off" /></Form.Item>
        <Form.Item name="slot" label="卡位" rules={[{ required: true, message: '请选择卡位' }]}>
          <Radio.Group options={(has_main ? free : [0]).map(slot => ({ value: slot, label: slot_names[slot] }))} />
        </Form.Item>
        <Form.Item name="print_no" label="印刷卡号"><Input maxLength={20} autoComplete="off" /></Form.Item>
        <Form.Item name="media" label="卡介质"><Select options={Object.entries(CARD_MEDIA.names).map(([value, label]) => ({ value, label }))} /></Form.Item>
        <Form.Item name="valid_to" label="有效期至" extra="不填为长期"><DatePicker className="kit-fill" /></Form.Item>
        <Form.Item name="deposit" label="押金(元)" rules={[amountRule(0, 999)]}>
          <InputNumber className="kit-fill" precision={2} parser={readNumber} />
        </Form.Item>
      </Form>
    </AppModal>
  )
}

type Chosen = { person: CardPerson; card: HeldCard }

/** Says what became of several cards: how many, and why the others not. */
function sayResults(results: readonly CardResult[], done: string): void {
  const failed = results.filter(one => !one.ok)
  const [first] = failed
  if (!first) return toast.success(`${done}${results.length}张`)
  toast.warning(`${done}${results.length - failed.length}张，${failed.length}张未办理：${first.msg ?? ''}`)
}

/** 挂失: which readers have to forget the card is shown afterwards in the list. */
export function LossDialog({ chosen, onClose, onDone }: Frame & { chosen: readonly Chosen[] }): ReactNode {
  const [form] = Form.useForm<{ lost_reason: number; with_slaves: boolean; freeze_wallet: boolean; remark?: string }>()
  const { busy, refused, run } = useSaving(form)
  const calls = useCardCalls()
  const asks_slaves = chosen.some(({ person, card }) => card.slot === 0 && person.cards.some(one => one.slot >= 1 && one.slot <= 4))
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const ok = await run(async () => {
      const { results } = await call(calls.loss, { card_ids: chosen.map(one => one.card.card_id), ...values }, { quiet: true })
      sayResults(results, '已挂失')
    })
    if (!ok) return
    onDone()
    onClose()
  }
  return (
    <AppModal open width={480} title={`挂失 ${chosen.length}张`} okText="挂失" okButtonProps={{ danger: true }} confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <p>{chosen.slice(0, 3).map(({ person, card }) => `${person.user_name} ${card.card_no}`).join('、')}{chosen.length > 3 ? '等' : ''}。挂失后所有读卡设备将停止识别，列表中可查看每台设备的进度。</p>
      <Form form={form} name="card-loss" layout="vertical" initialValues={{ lost_reason: 1, with_slaves: false, freeze_wallet: false }}>
        <Form.Item name="lost_reason" label="原因"><Radio.Group options={Object.entries(lost_reasons).map(([value, label]) => ({ value: Number(value), label }))} /></Form.Item>
        {asks_slaves && <Form.Item name="with_slaves" valuePropName="checked"><Checkbox>同时挂失副卡</Checkbox></Form.Item>}
        <Form.Item name="freeze_wallet" valuePropName="checked"><Checkbox>同时冻结账户</Checkbox></Form.Item>
        <Form.Item name="remark" label="备注"><Input maxLength={100} /></Form.Item>
      </Form>
    </AppModal>
  )
}

const modes = {
  reissue: { title: '补卡', hint: '原卡已挂失，补卡后原卡作废。' },
  reissue_fast: { title: '快速补卡', hint: '挂失原卡并发放新卡，一次完成。' },
  exchange: { title: '换卡', hint: '收回原卡并换发新卡，原卡作废。' },
} as const

/** 补卡, 快速补卡, 换卡: the old card ends and the new one begins together. */
export function ReplaceDialog({ person, card, mode, onClose, onDone }: Frame & Chosen & { mode: keyof typeof modes }): ReactNode {
  const [form] = Form.useForm<{ card_no: string; fee?: number }>()
  const { busy, refused, run } = useSaving(form, at_number)
  const calls = useCardCalls()
  const endpoint = { reissue: calls.reissue, reissue_fast: calls.reissueFast, exchange: cardApi.exchange }[mode]
  const { title, hint } = modes[mode]
  const save = async () => {
    const values = await validValues(form, [...numbers, 'fee'])
    if (!values) return
    if (!(await run(() => call(endpoint, { old_card_id: card.card_id, card_no: values.card_no, fee: fenOf(values.fee) }, { quiet: true }), `已${title}：${person.user_name}`))) return
    onDone()
    onClose()
  }
  return (
    <AppModal open width={520} title={`${title} · ${person.user_name}`} okText={title} confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <p>{hint} 原卡：<b className="kit-number">{card.card_no}</b></p>
      <Form form={form} name="card-replace" layout="vertical">
        <Form.Item name="card_no" label="新卡号" rules={number_rule}><Input maxLength={40} autoComplete="off" /></Form.Item>
        <Form.Item name="fee" label="工本费(元)" rules={[amountRule(0, 999)]}>
          <InputNumber className="kit-fill" precision={2} parser={readNumber} />
        </Form.Item>
      </Form>
    </AppModal>
  )
}

/** 退卡: handed in or not, and what is paid back of the deposit. */
export function RevokeDialog({ chosen, onClose, onDone }: Frame & { chosen: readonly Chosen[] }): ReactNode {
  const [form] = Form.useForm<{ returned: boolean; with_slaves: boolean; refund?: number; reason?: string }>()
  const { busy, refused, run } = useSaving(form, { 'cards.refundTooMuch': 'refund' })
  const calls = useCardCalls()
  const [only] = chosen.length === 1 ? chosen : []
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const { refund, ...rest } = values
    const ok = await run(async () => {
      const { results } = await call(calls.revoke, { card_ids: chosen.map(one => one.card.card_id), ...rest, ...(refund ? { refund: fenOf(refund) } : {}) }, { quiet: true })
      sayResults(results, '已退卡')
    })
    if (!ok) return
    onDone()
    onClose()
  }
  return (
    <AppModal open width={480} title={`退卡 ${chosen.length}张`} okText="退卡" okButtonProps={{ danger: true }} confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="card-revoke" layout="vertical" initialValues={{ returned: true, with_slaves: true }}>
        <Form.Item name="returned" label="卡片已收回" valuePropName="checked" extra="未收回的卡片登记为丢失，不能再发放"><Switch /></Form.Item>
        <Form.Item name="with_slaves" valuePropName="checked"><Checkbox>同时退副卡</Checkbox></Form.Item>
        {only && (
          <Form.Item name="refund" label={`退还押金(元)，余额 ${(only.person.deposit / 100).toFixed(2)}`} rules={[amountRule(0, 999)]}>
            <InputNumber className="kit-fill" precision={2} parser={readNumber} />
          </Form.Item>
        )}
        <Form.Item name="reason" label="原因"><Input maxLength={100} /></Form.Item>
      </Form>
    </AppModal>
  )
}

/** 延期. */
export function RenewDialog({ chosen, onClose, onDone }: Frame & { chosen: readonly Chosen[] }): ReactNode {
  const [form] = Form.useForm<{ valid_to: Dayjs }>()
  const { busy, refused, run } = useSaving(form, { 'cards.renewLater': 'valid_to' })
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const ok = await run(async () => {
      const { results } = await call(cardApi.renew, { card_ids: chosen.map(one => one.card.card_id), valid_to: values.valid_to.format('YYYY-MM-DD') }, { quiet: true })
      sayResults(results, '已延期')
    })
    if (!ok) return
    onDone()
    onClose()
  }
  return (
    <AppModal open width={420} title={`延期 ${chosen.length}张`} okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="card-renew" layout="vertical">
        <Form.Item name="valid_to" label="有效期至" rules={[{ required: true, message: '请选择日期' }]}><DatePicker className="kit-fill" /></Form.Item>
      </Form>
    </AppModal>
  )
}
