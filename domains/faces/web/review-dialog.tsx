import { FACE_ERROR, faceApi } from '@campus/faces/contract'
import type { FacePerson } from '@campus/faces/contract'
import { AppModal, call, leaving, useSaving, validValues } from '@kit/web'
import { useAct } from '@kit/web/act'
import { Alert, Button, Form, Input, Space } from 'antd'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'

type Frame = { people: readonly FacePerson[]; onClose: () => void; onDone: () => void }
const [rejected, twins] = [2, 3] as const

/** 人工核验: one picture after the other; A passes, R rejects, J and K move (chapter 40 §5). */
export function ReviewDialog({ people, onClose, onDone }: Frame): ReactNode {
  const [left, setLeft] = useState(people)
  const [at, setAt] = useState(0)
  const person = left[Math.min(at, left.length - 1)]
  const { busy, act } = useAct([], onDone)
  const decide = async (passed: boolean) => {
    if (!person?.candidate) return
    const { candidate: { face_id }, alike } = person
    const done = alike
      ? await act(() => call(faceApi.decide, { case_id: alike.case_id, decision: passed ? twins : rejected, reason: passed ? '人工核对为不同人员' : '照片用错人员' }, { quiet: true }))
      : await act(() => call(faceApi.verify, { face_id, passed }, { quiet: true }))
    if (!done) return
    const rest = left.filter(one => one.user_id !== person.user_id)
    setLeft(rest)
    if (rest.length === 0) onClose()
  }
  useKeys({ a: () => void decide(true), r: () => void decide(false), j: () => setAt(Math.min(at + 1, left.length - 1)), k: () => setAt(Math.max(0, at - 1)) })
  if (!person) return null
  const buttons = (
    <Space>
      <Button disabled={at === 0} onClick={() => setAt(at - 1)}>上一张 (K)</Button>
      <Button disabled={at >= left.length - 1} onClick={() => setAt(at + 1)}>下一张 (J)</Button>
      <Button danger loading={busy} onClick={() => void decide(false)}>{person.alike ? '照片用错，删除' : '不通过'} (R)</Button>
      <Button type="primary" loading={busy} onClick={() => void decide(true)}>{person.alike ? '不是同一人，放行' : '通过'} (A)</Button>
    </Space>
  )
  return (
    <AppModal open width={640} title={`核验 · ${person.user_name}（${person.dept_name ?? person.user_no}）　${Math.min(at, left.length - 1) + 1}/${left.length}`} footer={buttons} onCancel={onClose}>
      <Alert type="warning" showIcon title={questionOf(person)} />
      <div className="face-review">
        <figure><img src={person.candidate?.thumb_url ?? ''} alt={`${person.user_name}的新照片`} /><figcaption>新照片</figcaption></figure>
        <figure>{person.thumb_url === null ? <span className="face-none">无</span> : <img src={person.thumb_url} alt={`${person.user_name}的原照片`} />}<figcaption>正在使用的照片</figcaption></figure>
      </div>
    </AppModal>
  )
}

function questionOf({ candidate, alike }: FacePerson): string {
  if (alike) return `与${alike.user_name}相似${alike.similarity}%，请核对是否为同一人`
  if (candidate?.error_code === 'denied') return '本人或监护人打开链接后表示“这不是我”，设备已停用该照片。确认是本人时可人工通过'
  if (candidate?.detect_state === 3) return `检测失败：${candidate.error_code ? FACE_ERROR.names[candidate.error_code] : '照片不合格'}。确认照片可用时可人工通过`
  return '照片未经检测，请核对是否为本人的清晰正面照片'
}

function useKeys(acts: Readonly<Record<string, () => void>>): void {
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (!(event.target instanceof HTMLInputElement)) acts[event.key.toLowerCase()]?.()
    }
    document.addEventListener('keydown', hear)
    return () => document.removeEventListener('keydown', hear)
  })
}

/** 删除: from the house and from every terminal. */
export function DeleteDialog({ people, onClose, onDone }: Frame): ReactNode {
  const [form] = Form.useForm<{ reason: string }>()
  const { busy, refused, run } = useSaving(form)
  const save = async () => {
    const values = await validValues(form)
    if (!values || !(await run(() => call(faceApi.remove, { user_ids: people.map(one => one.user_id), ...values }, { quiet: true }), '已删除，设备正在清除'))) return
    onDone()
    onClose()
  }
  const devices = Math.max(0, ...people.map(one => one.devices_total))
  return (
    <AppModal open width={480} title={`删除人脸 ${people.length}人`} okText="删除" okButtonProps={{ danger: true }} confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <p>{people.slice(0, 3).map(one => one.user_name).join('、')}{people.length > 3 ? '等' : ''}：照片和特征立即删除，{devices > 0 ? `最多${devices}台设备` : '所有设备'}逐台清除并回读核验，不能恢复。</p>
      <Form form={form} name="face-delete" layout="vertical">
        <Form.Item name="reason" label="原因" rules={[{ required: true, whitespace: true, message: '请填写原因' }]}><Input maxLength={100} placeholder="例如：家长要求删除" /></Form.Item>
      </Form>
    </AppModal>
  )
}
