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

/** Icon of a sidebar group; the icons of all pages are a chunk of their own, loaded only where they are drawn. */
export function GroupIcon({ name }: { name: string }): ReactNode {
  const Icon = icons[name] ?? AppstoreOutlined
  return <Icon />
}
