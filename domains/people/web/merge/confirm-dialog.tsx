import type { MergePreview } from '@campus/people/contract'
import { AppModal, toast, useSaving, validValues } from '@kit/web'
import { Alert, Form, Input } from 'antd'
import type { ReactNode } from 'react'

type Values = { password: string }
type Props = { preview: MergePreview; merge: (password: string) => Promise<unknown>; onClose: () => void; done: () => void }

/** 合并 is confirmed with the own password. */
export function ConfirmDialog({ preview, merge, onClose, done }: Props): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form, { 'identity.passwordWrong': 'password' })
  const { keep, drop, moves } = preview
  const save = async () => {
    const values = await validValues(form)
    if (!values || !(await run(() => merge(values.password)))) return
    toast.success(`已合并：${drop.user_name}并入${keep.user_name}`)
    done()
  }
  const moved = moves.reduce((sum, move) => sum + move.count, 0)
  return (
    <AppModal open title="合并两份档案" okText="确认合并" okButtonProps={{ danger: true }} confirmLoading={busy} onOk={() => void save()} onCancel={onClose}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <p>“{drop.user_name}”并入“{keep.user_name}”，转移 {moved} 条记录。合并后“{drop.user_name}”立即退出登录，不再出现在任何名单中；30 天内可在“合并记录”中撤销。</p>
      <Form form={form} layout="vertical" onFinish={() => void save()}>
        <Form.Item name="password" label="您的登录密码" rules={[{ required: true, message: '请输入您的登录密码' }]}>
          <Input.Password autoComplete="current-password" maxLength={64} />
        </Form.Item>
      </Form>
    </AppModal>
  )
}
