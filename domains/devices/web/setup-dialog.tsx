import { schoolSettingApi } from '@campus/devices/contract'
import type { DeviceSetup } from '@campus/devices/contract'
import { AppModal, call, toast, useCan } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Flex } from 'antd'
import type { ReactNode } from 'react'
import { SetupCode } from './setup-code.tsx'

/** What is typed into the device; shown once, because the server keeps no secret. */
export function SetupDialog({ setup, onClose }: { setup: DeviceSetup; onClose: () => void }): ReactNode {
  const sees = useCan(schoolSettingApi.read)
  const notes = useQuery({ queryKey: [schoolSettingApi.read.call], queryFn: ({ signal }) => call(schoolSettingApi.read, {}, { signal, quiet: true }), enabled: sees }).data?.setting.broker_notes ?? ''
  const copy = async () => {
    await navigator.clipboard.writeText(setup.setup_text)
    toast.success('已复制')
  }
  return (
    <AppModal open width={setup.setup_qr === undefined ? 520 : 680} title="设备接入信息" onCancel={onClose} footer={[<Button key="copy" onClick={() => void copy()}>复制</Button>, <Button key="done" type="primary" onClick={onClose}>我已记录</Button>]}>
      <Alert type="warning" showIcon title="密码只显示这一次，请在设备上填写后再关闭。丢失后可以更换密码。" />
      {notes !== '' && <Alert className="device-setup-notes" type="info" showIcon title="学校备注" description={notes} />}
      <Flex gap={16} align="start">
        <pre className="device-setup">{setup.setup_text}</pre>
        {setup.setup_qr !== undefined && <SetupCode text={setup.setup_qr} sn={setup.client_id} />}
      </Flex>
    </AppModal>
  )
}
