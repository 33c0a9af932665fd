import { AppModal, Loading, sentenceOf } from '@kit/web'
import { Alert, Button, Empty } from 'antd'
import type { ReactNode } from 'react'
import { useShot } from './use-shot.ts'

/** 测试抓图: what a camera sees now, so that nobody writes a rule for a picture that is dark or turned away. */
export function TestShot({ camera_id, camera_name, onClose }: { camera_id: string; camera_name: string; onClose: () => void }): ReactNode {
  const { picture, is_asking, error, busy, told, take } = useShot(camera_id)
  return (
    <AppModal open width={720} title={`${camera_name}画面`} onCancel={onClose} footer={<Button type="primary" loading={busy} onClick={() => void take()}>重新抓图</Button>}>
      {error !== null && <Alert type="error" showIcon title={sentenceOf(error)} />}
      {told !== null && <p className="device-hint" role="status">{told}</p>}
      {is_asking && <Loading rows={4} />}
      {picture !== undefined && <img className="ai-test-shot" src={picture} alt={`${camera_name}画面`} />}
      {picture === undefined && !is_asking && error === null && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有这台摄像机的画面，点击“重新抓图”" />}
    </AppModal>
  )
}
