import type { accountApi } from '@campus/identity/contract'
import type { Reply } from '@kit/contract'
import { AppModal } from '@kit/web'
import { Alert, Button, Typography } from 'antd'
import type { ReactNode } from 'react'

/** The password that was just issued; nothing shows it again. */
export function IssuedDialog({ issued, onClose }: { issued: Reply<typeof accountApi.reset> | null; onClose: () => void }): ReactNode {
  return (
    <AppModal open={issued !== null} title="密码已重置" width={480} footer={<Button type="primary" onClick={onClose}>我已记下</Button>} onCancel={onClose}>
      {issued && (
        <>
          <Alert type="warning" showIcon title="新密码只在这里显示一次，关闭后无法再查看" />
          <dl className="pwd-issued">
            <dt>姓名</dt><dd>{issued.user_name}</dd>
            <dt>账号</dt><dd>{issued.username}</dd>
            <dt>新密码</dt><dd><Typography.Text code copyable={{ tooltips: ['复制', '已复制'] }}>{issued.password}</Typography.Text></dd>
          </dl>
          <p className="pwd-hint">请当面或通过可靠方式交给本人，首次登录须修改密码。</p>
        </>
      )}
    </AppModal>
  )
}
