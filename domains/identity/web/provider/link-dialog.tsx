import type { providerLoginApi } from '@campus/identity/contract'
import type { Reply } from '@kit/contract'
import { AppModal, instantText } from '@kit/web'
import { Alert, Button, Typography } from 'antd'
import type { ReactNode } from 'react'

/** A login link that was just made; nothing shows it again. */
export function LinkDialog({ made, onClose }: { made: Reply<typeof providerLoginApi.oneTimeCode> | null; onClose: () => void }): ReactNode {
  // Without an address of the installation the link begins where this page stands.
  const address = made?.address.startsWith('/') ? `${window.location.origin}${made.address}` : made?.address
  return (
    <AppModal open={made !== null} title="登录链接" width={520} footer={<Button type="primary" onClick={onClose}>我已复制</Button>} onCancel={onClose}>
      {made && (
        <>
          <Alert type="warning" showIcon title={`打开即以${made.user_name}的身份登录本校，请只交给本人；只在这里显示一次`} />
          <p><Typography.Text code copyable={{ text: address, tooltips: ['复制', '已复制'] }}>{address}</Typography.Text></p>
          <p>{`只能使用一次，${instantText(made.expire_at)} 前有效。`}</p>
        </>
      )}
    </AppModal>
  )
}
