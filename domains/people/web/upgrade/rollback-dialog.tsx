import { AppModal, CallError, leaving, toast, useSaving, validValues } from '@kit/web'
import { Alert, Checkbox, Form, Input } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { z } from 'zod'

const Conflicts = z.object({ people: z.array(z.object({ user_id: z.string(), user_name: z.string() })) })
type Values = { password: string; reason: string; skip_conflicts?: boolean }
type Props = { rollback: (asked: { password: string; reason: string; skip_conflicts: boolean }) => Promise<readonly { user_name: string }[]>; onClose: () => void }

/** 回滚: everything as it was; who was changed since is named, and may be left as he is. */
export function RollbackDialog({ rollback, onClose }: Props): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form, { 'identity.passwordWrong': 'password' })
  const [changed, setChanged] = useState<readonly { user_id: string; user_name: string }[]>([])
  const submit = async () => {
    const values = await validValues(form)
    if (!values) return
    const asked = { password: values.password, reason: values.reason, skip_conflicts: values.skip_conflicts ?? false }
    const act = async () => {
      const skipped = await rollback(asked).catch((cause: unknown) => {
        const found = cause instanceof CallError ? Conflicts.safeParse(cause.data) : null
        if (found?.success) setChanged(found.data.people)
        throw cause
      })
      toast.success(skipped.length === 0 ? '已回滚' : `已回滚，${skipped.length}名学生保持不变`)
    }
    if (await run(act)) onClose()
  }
  return (
    <AppModal open title="回滚学年升级" okText="回滚" okButtonProps={{ danger: true }} confirmLoading={busy} onOk={() => void submit()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} description={changed.length > 0 ? `升级后有变动的学生：${changed.map(one => one.user_name).join('、')}` : undefined} />}
      <p>班级名称、毕业学生的学籍和账号恢复为升级前的样子；升级后新入学的学生保留。</p>
      <Form form={form} layout="vertical" onFinish={() => void submit()}>
        <Form.Item name="reason" label="原因" rules={[{ required: true, whitespace: true, message: '请填写原因' }]}>
          <Input maxLength={200} />
        </Form.Item>
        {changed.length > 0 && (
          <Form.Item name="skip_conflicts" valuePropName="checked">
            <Checkbox>这些学生保持不变，其余全部回滚</Checkbox>
          </Form.Item>
        )}
        <Form.Item name="password" label="您的登录密码" rules={[{ required: true, message: '请输入您的登录密码' }]}>
          <Input.Password autoComplete="current-password" maxLength={64} />
        </Form.Item>
      </Form>
    </AppModal>
  )
}
