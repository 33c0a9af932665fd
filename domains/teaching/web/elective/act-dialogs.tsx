import { elective_fields, electiveApi, electiveErrors } from '@campus/teaching/contract'
import type { TaskRow } from '@campus/teaching/contract'
import { AppModal, call, leaving, ruleOf, schoolToday, toast, useSaving, validValues } from '@kit/web'
import { dayjs } from '@kit/web/day'
import { Alert, DatePicker, Form, Input, Typography } from 'antd'
import type { ReactNode } from 'react'
import { combo_kind, instantOf } from './elective-words.ts'
import type { Clock } from './elective-words.ts'

type Props = { task: TaskRow; onClose: () => void; onDone: () => void }

/** 作废: with a reason, and the name typed again once pupils have chosen. */
export function VoidDialog({ task, onClose, onDone }: Props): ReactNode {
  const [form] = Form.useForm<{ reason: string; name?: string }>()
  const { busy, refused, run } = useSaving(form, { [electiveErrors.nameUnequal.id]: 'name' })
  const save = async () => {
    const values = await validValues(form)
    if (!values || !(await run(() => call(electiveApi.void, { id: task.id, reason: values.reason, name: values.name ?? '' },
      { quiet: true }), '已作废'))) return
    onDone()
    onClose()
  }
  return (
    <AppModal open width={480} title={`作废任务：${task.name}`} okText="作废" confirmLoading={busy} onOk={() => void save()}
      onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <p>已有{task.chosen}名学生选课。作废后选课记录保留备查，不再占用名额，不能恢复。</p>
      <Form form={form} name="void-task" layout="vertical">
        <Form.Item name="reason" label="原因" required rules={[ruleOf(elective_fields.reason)]}><Input.TextArea maxLength={200} showCount
          rows={2} /></Form.Item>
        {task.chosen > 0 && <Form.Item name="name" label="请输入任务名称确认" required><Input maxLength={40} autoComplete="off"
          placeholder={task.name} /></Form.Item>}
      </Form>
    </AppModal>
  )
}

/** 重新开放 until another end. */
export function ReopenDialog({ task, onClose, onDone }: Props): ReactNode {
  const [form] = Form.useForm<{ close_at: Clock }>()
  const { busy, refused, run } = useSaving(form, { [electiveErrors.closePast.id]: 'close_at' })
  const save = async () => {
    const values = await validValues(form)
    if (!values || !(await run(() => call(electiveApi.reopen, { id: task.id, close_at: instantOf(values.close_at) }, { quiet: true }),
      '已重新开放'))) return
    onDone()
    onClose()
  }
  return (
    <AppModal open width={420} title={`重新开放：${task.name}`} okText="开放" confirmLoading={busy} onOk={() => void save()}
      onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="reopen-task" layout="vertical" initialValues={{ close_at: dayjs().add(1, 'day') }}>
        <Form.Item name="close_at" label="新的结束时间" rules={[{ required: true, message: '请选择时间' }]}><DatePicker className="kit-fill"
          showTime={{ format: 'HH:mm' }} format="YYYY-MM-DD HH:mm" /></Form.Item>
      </Form>
    </AppModal>
  )
}

/** 公布 or 生成教学班: from which day on. */
export function ResultDialog({ task, mode, onClose, onDone }: Props & { mode: 'announce' | 'classes' }): ReactNode {
  const [form] = Form.useForm<{ from: Clock }>()
  const { busy, refused, run } = useSaving(form, { [electiveErrors.comboPast.id]: 'from' })
  const announce = mode === 'announce'
  const send = async (from: string) => {
    if (announce) {
      await call(electiveApi.announce, { id: task.id, from }, { quiet: true })
      toast.success('已公布')
      return
    }
    const { classes, students } = await call(electiveApi.makeClasses, { id: task.id, from }, { quiet: true })
    toast.success(`已生成 ${classes}个教学班，共${students}人次，请在走班课表中排课`)
  }
  const save = async () => {
    const values = await validValues(form)
    if (!values || !(await run(() => send(values.from.format('YYYY-MM-DD'))))) return
    onDone()
    onClose()
  }
  const about = announce
    ? (task.kind === combo_kind ? '公布后选科结果从生效日期起写入学生档案，学生不能再改选。' : '公布后学生看到最终结果，不能再自行选退。')
    : '每个有人选择的选项生成一个教学班、名单和任课；之后的分配和移除会同步到名单。'
  return (
    <AppModal open width={420} title={`${announce ? '公布结果' : '生成教学班'}：${task.name}`} okText={announce ? '公布' : '生成'} confirmLoading={busy}
      onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <p>{about}</p>
      <Form form={form} name="task-result" layout="vertical" initialValues={{ from: dayjs(schoolToday()) }}>
        <Form.Item name="from" label="生效日期" rules={[{ required: true, message: '请选择日期' }]}><DatePicker className="kit-fill" /></Form.Item>
      </Form>
    </AppModal>
  )
}

/** 抽签公示: hash before, seed afterwards, and the address where anybody computes the draw again. */
export function ProofDialog({ task, onClose }: { task: TaskRow; onClose: () => void }): ReactNode {
  const address = `${window.location.origin}/api/v2/elective/draw/verify?code=${task.proof_code ?? ''}`
  return (
    <AppModal open width={640} title={`抽签公示：${task.name}`} footer={null} onCancel={onClose}>
      <p>发布时已锁定抽签种子，下面的校验值不会再变；抽签后公开种子，任何人可用种子和学号重新计算自己的序号（HMAC-SHA256）。</p>
      <dl className="elective-proof">
        <div><dt>校验值（SHA-256）</dt><dd><Typography.Text copyable code>{task.seed_hash}</Typography.Text></dd></div>
        <div><dt>种子</dt><dd>{task.seed === null ? '抽签后公开' : <Typography.Text copyable code>{task.seed}</Typography.Text>}</dd></div>
        <div><dt>任务编号</dt><dd>{task.id}</dd></div>
        <div><dt>公示地址</dt><dd><Typography.Text copyable>{address}</Typography.Text></dd></div>
      </dl>
    </AppModal>
  )
}
