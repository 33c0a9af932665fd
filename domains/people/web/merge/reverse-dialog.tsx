import { mergeApi } from '@campus/people/contract'
import type { MergeLogRow, MergeReversed } from '@campus/people/contract'
import { AppModal, call, useSaving, validValues } from '@kit/web'
import { Alert, Button, Form, Input } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { peoplePorts } from '../ports.ts'
import { useRefreshMerges } from './use-merge.ts'

type Values = { password: string }

/** 撤销合并, confirmed with the own password; then says what went back and what stayed. */
export function ReverseDialog({ row, onClose }: { row: MergeLogRow; onClose: () => void }): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form, { 'identity.passwordWrong': 'password' })
  const [told, tell] = useState<MergeReversed | null>(null)
  const refresh = useRefreshMerges()
  const { keep, drop, merge_id, moved } = row
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const reversed = await run(async () => tell(await call(mergeApi.reverse, { id: merge_id, recheck_token: await peoplePorts().recheck(values.password) }, { quiet: true })))
    if (reversed) refresh()
  }
  if (told) {
    return (
      <AppModal open title="已撤销合并" footer={<Button type="primary" onClick={onClose}>关闭</Button>} onCancel={onClose}>
        <p>{told.restored} 条记录已回到“{drop.user_name}”名下。</p>
        {told.left.length === 0 ? <p>没有留下的记录。</p> : <p>以下留在“{keep.user_name}”名下，请核对：</p>}
        <ul>{told.left.map(line => <li key={`${line.title} ${line.why}`}>{line.domain_title}：{line.title} {line.count} 项（{line.why === 'born' ? '合并后新增' : '合并后修改过'}）</li>)}</ul>
      </AppModal>
    )
  }
  return (
    <AppModal open title={`撤销合并：${drop.user_name}、${keep.user_name}`} okText="撤销合并" okButtonProps={{ danger: true }} confirmLoading={busy} onOk={() => void save()} onCancel={onClose}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <p>当时转移的 {moved} 条记录回到“{drop.user_name}”名下，两人都需要重新登录。合并后新增的记录留在“{keep.user_name}”名下并列出。</p>
      <Form form={form} layout="vertical" onFinish={() => void save()}>
        <Form.Item name="password" label="您的登录密码" rules={[{ required: true, message: '请输入您的登录密码' }]}>
          <Input.Password autoComplete="current-password" maxLength={64} />
        </Form.Item>
      </Form>
    </AppModal>
  )
}
