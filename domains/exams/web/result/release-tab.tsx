import { audience_names, examApi, isCompulsory, rank_modes, resultApi, score_modes } from '@campus/exams/contract'
import type { ExamRow, ReleaseState } from '@campus/exams/contract'
import { AppModal, call, Can, instantText, leaving, useSaving } from '@kit/web'
import { useAct, useDialog } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { CheckCircleFilled, ClockCircleOutlined } from '@ant-design/icons'
import { Alert, Button, Checkbox, Form, Input, Radio, Table, Tag } from 'antd'
import type { ReactNode } from 'react'
import { examsPorts } from '../ports.ts'

type Release = ReleaseState['releases'][number]
type Values = { audiences: (1 | 2 | 3)[]; score_mode: ExamRow['score_mode']; show_rank: ExamRow['show_rank']; own_password: string }
const names: { audience: Readonly<Record<number, string>>; score: Readonly<Record<string, string>>; rank: Readonly<Record<string, string>> } = { audience: audience_names, score: score_modes, rank: rank_modes }
const [reviewing, released] = [5, 6] as const
const optionsOf = (of: Readonly<Record<string, string>>) => Object.entries(of).map(([value, label]) => ({ value, label }))

/** 审核发布: the checks, who sees what, every publication with its time. */
export function ReleaseTab({ exam }: { exam: ExamRow }): ReactNode {
  const query = useCall(resultApi.state, { exam_id: exam.exam_id })
  const { busy, act } = useAct([examApi.list, resultApi.state])
  const { open, close, dialog } = useDialog()
  const review = () => act(() => call(resultApi.review, { exam_id: exam.exam_id }, { quiet: true }), { ask: { title: '审核通过全部成绩？', touches: '审核后即可发布；需要修改时退回录分任务。', ok: '审核通过' }, done: '已审核' })
  const again = () => void act(() => query.refetch())
  const publish = () => open(<PublishDialog exam={exam} onClose={close} onDone={again} />)
  const withdraw = () => open(<WithdrawDialog exam={exam} onClose={close} onDone={again} />)
  const columns = [
    { key: 'version', title: '版本', width: 64, render: (_: unknown, row: Release) => `v${row.publish_version}` },
    { key: 'at', title: '时间', width: 144, render: (_: unknown, row: Release) => instantText(row.at).slice(0, 16) },
    { key: 'by', title: '发布人', width: 104, dataIndex: 'by_name' },
    { key: 'who', title: '公布给', width: 240, render: (_: unknown, row: Release) => row.audiences.map(one => <Tag key={one}>{names.audience[one]}</Tag>) },
    { key: 'mode', title: '呈现', width: 160, render: (_: unknown, row: Release) => `${names.score[row.score_mode]}，${names.rank[row.show_rank]}` },
    { key: 'state', title: '说明', render: (_: unknown, row: Release) => (row.withdrawn_at === null ? row.reason : <Tag color="red">已撤回：{row.reason}</Tag>) },
  ]
  return (
    <Loaded query={query} rows={8}>
      {state => (
        <section className="exam-panel">
          <ul className="exam-steps">{state.checks.map(one => <li key={one.text}>{one.ok ? <CheckCircleFilled data-done="true" aria-label="已完成" /> : <ClockCircleOutlined data-done="false" aria-label="未完成" />} {one.text}</li>)}</ul>
          <div className="exam-head">
            {exam.state < released && <Can code={resultApi.review}><Button loading={busy} disabled={exam.state !== reviewing} onClick={() => void review()}>审核通过</Button></Can>}
            {exam.state < released && <Can code={resultApi.publish}><Button type="primary" disabled={state.reviewed_by === null} onClick={publish}>发布成绩</Button></Can>}
            {exam.state === released && <Can code={resultApi.withdraw}><Button danger onClick={withdraw}>撤回发布</Button></Can>}
          </div>
          <Table<Release> size="small" rowKey="publish_version" columns={columns} dataSource={state.releases} pagination={false} locale={{ emptyText: '成绩尚未发布' }} />
          {dialog}
        </section>
      )}
    </Loaded>
  )
}

type DialogProps = { exam: ExamRow; onClose: () => void; onDone: () => void }

function PublishDialog({ exam, onClose, onDone }: DialogProps): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form, { 'identity.passwordWrong': 'own_password' })
  const mode = Form.useWatch('score_mode', form) ?? exam.score_mode
  const rank = Form.useWatch('show_rank', form) ?? exam.show_rank
  const save = async () => {
    const { own_password, ...values } = await form.validateFields()
    const publish = async () => call(resultApi.publish, { exam_id: exam.exam_id, ...values,
      recheck_token: await examsPorts().recheck(own_password) }, { quiet: true })
    if (!(await run(publish, '发布成功'))) return
    onDone()
    onClose()
  }
  const seen = mode === 'level' ? '语文 良好，数学 优秀；没有分数、总分和名次' : `语文 118，数学 132，总分 250${rank === 'none' ? '；没有名次' : rank === 'self_rank' ? '，年级第36名' : '，前10%'}`
  return (
    <AppModal open width={520} title={`发布成绩：${exam.exam_name}`} okText="发布"
      confirmLoading={busy} onOk={() => void save().catch(() => undefined)} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      {exam.grades.some(isCompulsory) && <Alert type="info" showIcon title="义务教育阶段只能公布等级，不公布分数和排名" />}
      <Form form={form} name="exam-release" layout="vertical" initialValues={{ audiences: [1, 2, 3], score_mode: exam.score_mode, show_rank: exam.show_rank }}>
        <Form.Item name="audiences" label="公布给" required rules={[{ required: true, message: '请选择公布给谁' }]}><Checkbox.Group options={[1, 2, 3].map(value => ({ value, label: names.audience[value] }))} /></Form.Item>
        <Form.Item name="score_mode" label="学生和家长看到"><Radio.Group options={optionsOf(score_modes)} /></Form.Item>
        <Form.Item name="show_rank" label="排名"><Radio.Group options={optionsOf(rank_modes)} /></Form.Item>
        <Form.Item name="own_password" label="您的登录密码" required extra="发布成绩需再次确认身份" rules={[{ required: true, message: '请输入您的登录密码' }]}>
          <Input.Password autoComplete="current-password" maxLength={64} />
        </Form.Item>
      </Form>
      <Alert type="success" title={`家长看到的样子：${seen}`} />
    </AppModal>
  )
}

function WithdrawDialog({ exam, onClose, onDone }: DialogProps): ReactNode {
  const [form] = Form.useForm<{ reason: string }>()
  const { busy, refused, run } = useSaving(form)
  const save = async () => {
    const { reason } = await form.validateFields()
    if (!(await run(() => call(resultApi.withdraw, { exam_id: exam.exam_id, reason }, { quiet: true }), '已撤回'))) return
    onDone()
    onClose()
  }
  return (
    <AppModal open width={440} title={`撤回发布：${exam.exam_name}`} okText="撤回" okButtonProps={{ danger: true }}
      confirmLoading={busy} onOk={() => void save().catch(() => undefined)} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="exam-withdraw" layout="vertical"><Form.Item name="reason" label="原因" required extra="学生和家长将看不到这次成绩；重新发布需再次审核" rules={[{ required: true, min: 2, message: '请填写2至200个字的原因' }]}><Input.TextArea rows={3} maxLength={200} showCount /></Form.Item></Form>
    </AppModal>
  )
}
