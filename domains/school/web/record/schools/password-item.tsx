import { Form, Input } from 'antd'
import type { ReactNode } from 'react'

/** The own password, typed again before a dangerous act. */
export function PasswordItem(): ReactNode {
  return (
    <Form.Item name="password" label="您的登录密码" required extra="为确认是您本人操作" rules={[{ required: true, message: '请输入密码' }]}>
      <Input.Password maxLength={64} autoComplete="current-password" />
    </Form.Item>
  )
}
