import {
  AppstoreOutlined,
  BarChartOutlined,
  CarryOutOutlined,
  ControlOutlined,
  CreditCardOutlined,
  CustomerServiceOutlined,
  FolderOpenOutlined,
  HomeOutlined,
  IdcardOutlined,
  NotificationOutlined,
  ReadOutlined,
  SafetyCertificateOutlined,
  SafetyOutlined,
  SettingOutlined,
  SmileOutlined,
} from '@ant-design/icons'
import type { ComponentType, ReactNode } from 'react'
import { PageIcon } from './page-icon.tsx'

const icons: Record<string, ComponentType> = {
  AppstoreOutlined,
  BarChartOutlined,
  CarryOutOutlined,
  ControlOutlined,
  CreditCardOutlined,
  CustomerServiceOutlined,
  FolderOpenOutlined,
  HomeOutlined,
  IdcardOutlined,
  NotificationOutlined,
  ReadOutlined,
  SafetyCertificateOutlined,
  SafetyOutlined,
  SettingOutlined,
  SmileOutlined,
}

/** Icon of a sidebar group; one that the school has chosen comes with the icons of all pages, a chunk of their own. */
export function GroupIcon({ name }: { name: string }): ReactNode {
  const Icon = icons[name]
  return Icon ? <Icon /> : <PageIcon name={name} />
}
