import { AppModal } from '@kit/web'
import { Descriptions } from 'antd'
import type { ReactNode } from 'react'
import { useSession } from '../session/session.ts'
import { pageSettings } from '../../login/settings.ts'
import { product_version } from '../version.ts'

/** 关于: the version this console speaks. */
export function AboutDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { school } = useSession()
  const { brand_title, build_id } = pageSettings()
  return (
    <AppModal open title="关于" width={400} footer={null} onCancel={onClose}>
      <Descriptions
        column={1}
        size="small"
        items={[
          { key: 'name', label: '产品', children: brand_title ?? '智慧校园' },
          { key: 'version', label: '版本', children: product_version },
          { key: 'build', label: '构建', children: build_id ?? '未知' },
          { key: 'school', label: '使用单位', children: school.school_name },
        ]}
      />
    </AppModal>
  )
}
