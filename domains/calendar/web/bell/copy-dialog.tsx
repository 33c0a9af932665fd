import { bellApi, BellDraft, calendarErrors } from '@campus/calendar/contract'
import type { Bell } from '@campus/calendar/contract'
import { AppModal, call, leaving, ruleOf, useSaving, validValues } from '@kit/web'
import { Alert, Form, Input } from 'antd'
import type { ReactNode } from 'react'
import { useCalendarChanged } from '../use-changed.ts'

const longest = 20

/** Makes the same bell under another name, of which nobody hears until it is switched to. */
export function CopyDialog({ bell, onClose, onCopied }: { bell: Bell; onClose: () => void; onCopied: (bell: Bell) => void }): ReactNode {
  const [form] = Form.useForm<{ name: string }>()
  const { busy, refused, run } = useSaving(form, { [calendarErrors.bellNameTaken.id]: 'name' })
  const changed = useCalendarChanged()
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    await run(async () => {
      const made = await call(bellApi.copy, { bell_id: bell.id, ...values }, { quiet: true })
      await changed()
      onCopied(made.bell)
    }, '添加成功')
  }
  return (
    <AppModal open width={480} title={`复制作息：${bell.name}`} okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="copy-bell" layout="vertical" initialValues={{ name: `${bell.name}副本`.slice(0, longest) }}>
        <Form.Item name="name" label="新作息名称" required rules={[ruleOf(BellDraft.shape.name)]}><Input maxLength={longest} showCount /></Form.Item>
      </Form>
    </AppModal>
  )
}
