import { socialApi, SocialRow } from '@campus/cards/contract'
import type { social_lanes } from '@campus/cards/contract'
import { AppModal, call, Can, fields, Filters, leaving, ListPage, selectFilter, Table, textFilter, useResourceList, useSaving, validValues } from '@kit/web'
import { lazyDialog, useAct, useDialog } from '@kit/web/act'
import { Alert, Button, DatePicker, Form, Input, Tag } from 'antd'
import type { Dayjs } from 'dayjs'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { state_colors, state_names } from './card-words.ts'
import './cards.css'

const AutoIssue = lazyDialog(() => Promise.resolve(AutoDialog))
const social_fields = fields(SocialRow, 'card_id', {
  keyword: { label: '关键字', filter: textFilter('keyword', '姓名/编号/社保号末四位') },
  user_name: { label: '姓名', width: 84, default_action: true },
  user_no: { label: '学号/工号', width: 112 },
  dept_name: { label: '部门', width: 128 },
  social_no: { label: '社会保障号', width: 112 },
  card_no: { label: '卡号', width: 132 },
  state: { label: '状态', width: 84, filter: selectFilter('state', (['1', '2', '5', '6'] as const).map(value => ({ value, label: state_names[value] }))), cell: row => <Tag color={state_colors[row.state]}>{state_names[row.state]}</Tag> },
  issued_at: { label: '绑定时间', width: 132, kind: 'instant' },
  bank_valid_to: { label: '银行有效期', width: 100, kind: 'day' },
})

/** 社保卡管理: social security cards, bound to whom their identity number names (chapter 40 rule 18). */
export default function SocialCard(): ReactNode {
  const list = useResourceList(socialApi.list, social_fields)
  const { open, close, dialog } = useDialog()
  const written = () => void list.refresh()
  const { act } = useAct([], written)
  const begin = () => open(<AutoIssue onClose={close} onDone={written} />)
  const run = (row: SocialRow, verb: Verb, label: string) => act(() => call(socialApi[verb], { card_id: row.card_id }, { quiet: true }), {
    ask: verb === 'revoke' && { title: `确定解除${row.user_name}的社保卡绑定吗？`, ok: '退卡' }, done: `已${label}`,
  })
  return (
    <ListPage
      of={list}
      filters={<Filters of={list} show={['keyword', 'state']} />}
      actions={<Can code={socialApi.autoIssue}><Button type="primary" onClick={begin}>自动发卡</Button></Can>}
    >
      <Table
        of={list}
        show={['user_name', 'user_no', 'dept_name', 'social_no', 'card_no', 'state', 'issued_at', 'bank_valid_to']}
        row={actsOf((row, verb, label) => void run(row, verb, label))}
        row_width={112}
        empty="还没有社保卡：点“自动发卡”，读取社保卡后按身份证号自动匹配人员"
      />
      {dialog}
    </ListPage>
  )
}

type Verb = 'loss' | 'cancelLoss' | 'revoke'
type Run = (row: SocialRow, verb: Verb, label: string) => void

function actsOf(run: Run): (row: SocialRow) => ReactNode {
  return row => <Acts row={row} run={run} />
}

function Acts({ row, run }: { row: SocialRow; run: Run }): ReactNode {
  const [verb, label] = row.state === '2' ? (['cancelLoss', '解挂'] as const) : (['loss', '挂失'] as const)
  return (
    <Can code={socialApi.loss}>
      <Button type="link" size="small" aria-label={`${label} ${row.user_name}`} onClick={() => run(row, verb, label)}>{label}</Button>
      <Button type="link" size="small" danger aria-label={`退卡 ${row.user_name}`} onClick={() => run(row, 'revoke', '退卡')}>退卡</Button>
    </Can>
  )
}

type Lane = (typeof social_lanes)[number]
const lanes: Readonly<Record<Lane, { label: string; color: string }>> = { done: { label: '成功', color: 'green' }, already: { label: '已绑定', color: 'blue' }, unmatched: { label: '未匹配到人员', color: 'orange' }, mismatch: { label: '信息不一致', color: 'red' } }
const lane_order = ['done', 'already', 'unmatched', 'mismatch'] as const
type Line = { at: number; lane: Lane; text: string }

/** 自动发卡: each card that is read goes to whom its identity number names; the lanes say what became of it. */
function AutoDialog({ onClose, onDone }: { onClose: () => void; onDone: () => void }): ReactNode {
  const [form] = Form.useForm<{ id_no: string; social_no: string; card_no: string; bank_valid_to?: Dayjs }>()
  const { busy, refused, run } = useSaving(form, { 'cards.wrongNumber': 'card_no', 'cards.cardInUse': 'card_no' })
  const [lines, setLines] = useState<readonly Line[]>([])
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const { bank_valid_to, ...read } = values
    const ok = await run(async () => {
      const { lane, user, reason } = await call(socialApi.autoIssue, { ...read, bank_valid_to: bank_valid_to?.format('YYYY-MM-DD') ?? null }, { quiet: true })
      setLines(before => [{ at: Date.now(), lane, text: user ? `${user.user_name} ${user.dept_name ?? ''}` : (reason ?? '') }, ...before])
    })
    if (!ok) return
    form.resetFields()
    onDone()
  }
  const required = (message: string) => [{ required: true, message }]
  return (
    <AppModal open width={880} title="社保卡自动发卡" okText="发卡" confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <div className="card-class">
        <Form form={form} name="social-auto" layout="vertical">
          <Form.Item name="card_no" label="卡号" rules={required('请刷卡或填写卡号')} extra="在智能卡管理中把读卡点设为社保卡模式后可直接刷卡"><Input maxLength={40} autoComplete="off" /></Form.Item>
          <Form.Item name="id_no" label="身份证号" rules={required('请填写身份证号')}><Input maxLength={18} autoComplete="off" /></Form.Item>
          <Form.Item name="social_no" label="社会保障号码" rules={required('请填写社会保障号码')}><Input maxLength={30} autoComplete="off" /></Form.Item>
          <Form.Item name="bank_valid_to" label="银行有效期"><DatePicker className="kit-fill" /></Form.Item>
        </Form>
        <div className="card-lanes">
          {lane_order.map(lane => {
            const own = lines.filter(line => line.lane === lane)
            return (
              <section key={lane}>
                <h2><Tag color={lanes[lane].color}>{lanes[lane].label}</Tag> <b className="kit-number">{own.length}</b></h2>
                <ol>{own.map(line => <li key={line.at}>{line.text}</li>)}</ol>
              </section>
            )
          })}
        </div>
      </div>
    </AppModal>
  )
}
