import { CheckCircleFilled, MinusCircleOutlined } from '@ant-design/icons'
import { newPasswordChecklist } from '@kit/contract/checks'
import { Form } from 'antd'
import type { ReactNode } from 'react'

/** What the typed password has and what it still lacks. */
export function PasswordChecklist({ value, min, strong }: { value: string; min: number; strong: boolean }): ReactNode {
  return (
    <Form.Item wrapperCol={{ offset: 4 }}>
      <ul className="app-checklist" aria-label="密码要求">
        {newPasswordChecklist(value, min, strong).map(({ code, label, ok, required }) => (
          <li key={code} data-ok={ok} data-part={!required}>
            {ok ? <CheckCircleFilled aria-label="已满足" /> : <MinusCircleOutlined aria-label="未满足" />}
            {label}
          </li>
        ))}
      </ul>
    </Form.Item>
  )
}
