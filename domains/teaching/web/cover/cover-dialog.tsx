import { changeApi, changeErrors, weekday_names } from '@campus/teaching/contract'
import type { Chain, DayLesson, Proposal } from '@campus/teaching/contract'
import { AppModal, call, instantText, leaving, useSaving, validValues } from '@kit/web'
import { Loaded, useCall } from '@kit/web/part'
import { Alert, Checkbox, Form, Input, Radio, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

type Props = { lesson: DayLesson; absent: { user_id: string; user_name: string } | null; onClose: () => void; onDone: () => void }
type Values = { kind: 1 | 4 | 7; reason: string; ask?: boolean }
const kind_options = [{ value: 1, label: '代课' }, { value: 7, label: '自习（教师看班）' }, { value: 4, label: '停课' }]
const cancel = 4

/** 安排: the free teachers with the reasons that rank them; or self-study, or no lesson. */
export function CoverDialog({ lesson, absent, onClose, onDone }: Props): ReactNode {
  const [form] = Form.useForm<Values>()
  const [teacher_id, choose] = useState<string>()
  const [chain, follow] = useState<readonly string[]>()
  const { busy, refused, run } = useSaving(form, { [changeErrors.clash.id]: 'kind' })
  const { date, lesson_day_id } = lesson
  const query = useCall(changeApi.proposals, { date, lesson_day_id })
  const kind = Form.useWatch('kind', form) ?? 1
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const teacher_ids = [...(chain ?? query.data?.chains[0]?.teacher_ids ?? [])]
    if (values.kind !== cancel && query.data?.list.length === 0 && teacher_ids.length > 0) {
      const asked = { date, lesson_day_id, absent_id: absent?.user_id ?? null, teacher_ids, reason: values.reason,
        ask: values.ask === true }
      const done = asked.ask ? '已发出，教师都同意后课表更新' : '已安排链式代课，课表已更新'
      if (!(await run(() => call(changeApi.chain, asked, { quiet: true }), done))) return
      onDone()
      onClose()
      return
    }
    const chosen = values.kind === cancel ? null : (teacher_id ?? query.data?.list[0]?.user_id ?? null)
    if (!(await run(() => call(changeApi.cover, { date, lesson_day_id, ...values, teacher_id: chosen, absent_id: absent?.user_id ?? null },
      { quiet: true }), values.ask === true ? '已发出，教师同意后课表更新' : '已安排，课表已更新'))) return
    onDone()
    onClose()
  }
  return (
    <AppModal open width={600} title={`安排：${lesson.class_name} ${lesson.course_name}`} okText="确定" confirmLoading={busy}
      onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <p>{whenText(lesson)}，原教师 {absent?.user_name ?? (lesson.teachers.map(one => one.user_name).join('、') || '无')}</p>
      <Form form={form} name="cover-lesson" layout="vertical" initialValues={{ kind: 1, reason: absent ? '请假代课' : '' }}>
        <Form.Item name="kind" label="方式"><Radio.Group options={kind_options} /></Form.Item>
        {kind !== cancel && (
          <Loaded query={query} rows={5} empty="这个时段没有空闲的教师：可改为停课，或先调整其他课" isEmpty={({ list, chains }) =>
            list.length + chains.length === 0}>
            {({ list, chains }) => (list.length > 0 ? <Choices list={list} value={teacher_id ?? list[0]?.user_id}
              choose={choose} /> : <Chains chains={chains} value={chain ?? chains[0]?.teacher_ids} choose={follow} />)}
          </Loaded>
        )}
        {kind !== cancel && query.data && query.data.list.length + query.data.chains.length > 0 && (
          <Form.Item name="ask" valuePropName="checked"><Checkbox>先征得教师同意（教师在手机“课表”或“教师课表查询”中答复）</Checkbox></Form.Item>
        )}
        <Form.Item name="reason" label="原因" required rules={[{ required: true, whitespace: true, message: '请填写原因' }]}><Input
          maxLength={200} showCount /></Form.Item>
      </Form>
    </AppModal>
  )
}

function whenText({ date, weekday, section, begin_at }: DayLesson): string {
  return `${date} ${weekday_names[weekday] ?? ''} 第${section}节 ${instantText(begin_at).slice(11, 16)}`
}

/** Nobody is free: who could take it if his own lesson were covered meanwhile. */
function Chains({ chains, value,
  choose }: { chains: readonly Chain[]; value: readonly string[] | undefined; choose: (ids: readonly string[]) => void }): ReactNode {
  return (
    <Form.Item label="没有空闲教师，可链式代课">
      <Radio.Group className="cover-choices" value={value?.join()} onChange={event => choose(String(event.target.value).split(','))}>
        {chains.map(one => <Radio key={one.teacher_ids.join()} value={one.teacher_ids.join()}>{one.text}</Radio>)}
      </Radio.Group>
    </Form.Item>
  )
}

function Choices({ list, value,
  choose }: { list: readonly Proposal[]; value: string | undefined; choose: (user_id: string) => void }): ReactNode {
  return (
    <Form.Item label="教师（按合适程度排列）">
      <Radio.Group className="cover-choices" value={value} onChange={event => choose(String(event.target.value))}>
        {list.map(one => <Radio key={one.user_id} value={one.user_id}><b>{one.user_name}</b> {one.reasons.map(reason => <Tag
          key={reason}>{reason}</Tag>)}</Radio>)}
      </Radio.Group>
    </Form.Item>
  )
}
