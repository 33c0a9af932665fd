import type { ManagedRow } from '@campus/publishing/contract'
import { size } from '@kit/contract/checks'
import { AppModal, instantText } from '@kit/web'
import { Button, Space } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

type Shown = Pick<ManagedRow, 'resource_name' | 'address' | 'bytes' | 'created_at' | 'usage_count'>
type Props = { items: readonly Shown[]; first: number; is_video: boolean; onClose: () => void }

/** One picture or film of a list as it is, with what is known of it; the arrows go on to the next one (chapter 60 §5). */
export function PreviewDialog({ items, first, is_video, onClose }: Props): ReactNode {
  const [at, go] = useState(first)
  const item = items[at]
  if (!item) return null
  const { resource_name, address, bytes, created_at, usage_count } = item
  const footer = (
    <Space>
      <span>
        {at + 1} / {items.length}
      </span>
      <Button disabled={at === 0} onClick={() => go(at - 1)}>
        上一个
      </Button>
      <Button disabled={at === items.length - 1} onClick={() => go(at + 1)}>
        下一个
      </Button>
      <Button type="primary" onClick={onClose}>
        关闭
      </Button>
    </Space>
  )
  return (
    <AppModal open width={960} title={resource_name} footer={footer} onCancel={onClose}>
      <div className="res-preview">
        {is_video ? (
          <video key={address} src={address} controls autoPlay muted playsInline>
            <track kind="captions" />
          </video>
        ) : (
          <img src={address} alt={resource_name} />
        )}
      </div>
      <p className="pub-hint">
        {size(bytes)} · {instantText(created_at)} 上传 · {usage_count === 0 ? '没有发布' : `发布在${usage_count}处`}
      </p>
    </AppModal>
  )
}
