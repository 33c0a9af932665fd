import { appeal_names, appealApi, pointsText, step_names } from '@campus/evaluation/contract'
import type { AppealRow } from '@campus/evaluation/contract'
import { AppModal, call, Can, instantText, leaving, PageFrame, serverNow, useSaving, validValues } from '@kit/web'
import { useDialog } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { Alert, Button, Form, Input, InputNumber, Radio, Segmented, Table, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

const [uphold, revoke, replace] = [1, 2, 3] as const
const hour_ms = 3_600_000
const soon_hours = 24
const shown = 100
const views = [
  { value: '0', label: '待处理' },
  { value: '1', label: '已处理' },
]
const decisions = [
  { value: uphold, label: '维持' },
  { value: revoke, label: '撤销记录' },
  { value: replace, label: '改判次数' },
]
const nameIn = (names: Readonly<Record<number, string>>, code: number) => names[code] ?? ''

/** 申诉处理: the most urgent first, each with the time that is left (chapter 55 §2.7). */
export function Appeals({ head, onDecided }: { head: ReactNode; onDecided: () => void }): ReactNode {
  const [state, show] = useState('0')
  const [page_index, turn] = useState(1)
  const appeals = useCall(appealApi.page, { state: state === '0' ? '0' : '1', page_index, page_size: shown })
  const { open, close, dialog } = useDialog()
  const decided = () => {
    void appeals.refetch()
    onDecided()
  }
  const decide = (row: AppealRow) => open(<DecideDialog row={row} onClose={close} onDone={decided} />)
  return (
    <PageFrame ready="page">
      {head}
      <p>
        <Segmented
          options={views}
          value={state}
          onChange={value => {
            show(value)
            turn(1)
          }}
        />
      </p>
      <Loaded query={appeals}>
        {({ list, total }) => (
          <Table
            size="small"
            rowKey="appeal_id"
            dataSource={list}
            columns={columnsOf(decide)}
            locale={{ emptyText: state === '0' ? '没有待处理的申诉' : '还没有处理过的申诉' }}
            pagination={total > shown ? { current: page_index, pageSize: shown, total, onChange: turn, showSizeChanger: false } : false}
          />
        )}
      </Loaded>
      {dialog}
    </PageFrame>
  )
}

function columnsOf(decide: (row: AppealRow) => void) {
  return [
    { title: '剩余时间', key: 'due', width: 120, render: (_: unknown, row: AppealRow) => <Due row={row} /> },
    { title: '学生', dataIndex: 'subject_name', width: 84 },
    { title: '班级', dataIndex: 'dept_name', width: 104 },
    {
      title: '记录',
      key: 'record',
      width: 220,
      render: (_: unknown, row: AppealRow) => (
        <>
          {row.star_name} <b className={row.milli < 0 ? 'star-minus' : 'star-plus'}>{pointsText(row.milli)}</b>
          <br />
          <small>
            {row.reason}（{row.giver_name}）
          </small>
        </>
      ),
    },
    {
      title: '申诉理由',
      key: 'text',
      render: (_: unknown, row: AppealRow) => (
        <>
          {row.text}
          <br />
          <small>
            {row.asked_by_name} {instantText(row.asked_at)}
          </small>
        </>
      ),
    },
    { title: '处理', key: 'state', width: 160, render: (_: unknown, row: AppealRow) => <Handled row={row} onOpen={() => decide(row)} /> },
  ]
}

function Due({ row }: { row: AppealRow }): ReactNode {
  if (row.state !== 0) return <Tag>{nameIn(appeal_names, row.state)}</Tag>
  const hours = Math.floor((Date.parse(row.due_at) - serverNow()) / hour_ms)
  const text =
    hours >= soon_hours ? `${Math.floor(hours / soon_hours)}天${hours % soon_hours}小时` : hours > 0 ? `${hours}小时` : '即将超时'
  return (
    <>
      <Tag color={hours < soon_hours ? 'red' : 'blue'}>{text}</Tag>
      <br />
      <small>{nameIn(step_names, row.step)}处理</small>
    </>
  )
}

function Handled({ row, onOpen }: { row: AppealRow; onOpen: () => void }): ReactNode {
  if (row.state !== 0)
    return (
      <>
        <span>{row.opinion}</span>
        <br />
        <small>{row.decided_by_name ?? '系统'}</small>
      </>
    )
  if (!row.may_decide) return <small>已转德育处</small>
  return (
    <Can code={appealApi.decide}>
      <Button size="small" type="primary" aria-label={`处理 ${row.subject_name}的申诉`} onClick={onOpen}>
        处理
      </Button>
    </Can>
  )
}

type Values = { decision: 1 | 2 | 3; opinion: string; times?: number }

function DecideDialog({ row, onClose, onDone }: { row: AppealRow; onClose: () => void; onDone: () => void }): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form, { 'evaluation.appealTimes': 'times' })
  const decision = Form.useWatch('decision', form)
  const save = async () => {
    const values = await validValues(form)
    if (!values || !(await run(() => call(appealApi.decide, { appeal_id: row.appeal_id, ...values }, { quiet: true }), '已处理'))) return
    onDone()
    onClose()
  }
  return (
    <AppModal
      open
      width={520}
      title={`${row.subject_name}的申诉`}
      okText="提交"
      confirmLoading={busy}
      onOk={() => void save()}
      onCancel={leaving(form, onClose)}
    >
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <p>
        记录：{row.star_name} {pointsText(row.milli)}（{row.times}次），{row.reason}
      </p>
      <p>申诉：{row.text}</p>
      <Form form={form} name="star-decide" layout="vertical" initialValues={{ decision: uphold }}>
        <Form.Item name="decision" label="处理结果">
          <Radio.Group options={decisions} />
        </Form.Item>
        {decision === replace && (
          <Form.Item name="times" label="改为" rules={[{ required: true, message: '请填写次数' }]} extra={`原记录为${row.times}次`}>
            <InputNumber min={1} max={row.times_max} precision={0} suffix="次" />
          </Form.Item>
        )}
        <Form.Item
          name="opinion"
          label="处理意见"
          rules={[
            { required: true, whitespace: true, message: '请填写处理意见' },
            { min: 2, message: '处理意见至少2个字' },
          ]}
          extra="学生和家长可以看到"
        >
          <Input.TextArea rows={2} maxLength={200} showCount />
        </Form.Item>
      </Form>
    </AppModal>
  )
}
